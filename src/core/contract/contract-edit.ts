/** One field of a task set to a value; `null` takes the field away, so that its default holds. */
export type FieldChange =
  | { readonly field: 'id'; readonly value: string }
  | { readonly field: 'description'; readonly value: string }
  | { readonly field: 'required'; readonly value: boolean | null }
  | { readonly field: 'verify'; readonly value: string | null }
  | { readonly field: 'maxAttempts'; readonly value: number | null }
  /** All of them, in order. */
  | { readonly field: 'mayChange'; readonly value: readonly string[] | null }
  | { readonly field: 'writesNoFiles'; readonly value: boolean | null }
  | { readonly field: 'when'; readonly value: string | null }
  | { readonly field: 'model'; readonly value: string | null }

/** What a new task line is to say; what is left out is left to its default. */
export interface NewTask {
  readonly id: string
  readonly description: string
  readonly required?: boolean
  readonly verify?: string
  readonly maxAttempts?: number
  readonly checked?: boolean
}

/** One edit of a contract. Tasks are named by their index in `contract.tasks`, since ids may be empty or doubled. */
export type ContractEdit =
  /** Behind the task `after` and its criteria; at the end of the section where that is left out. */
  | { readonly kind: 'add'; readonly task: NewTask; readonly after?: number }
  | { readonly kind: 'remove'; readonly task: number }
  /** `to` is the index that the task has afterwards. */
  | { readonly kind: 'move'; readonly task: number; readonly to: number }
  | { readonly kind: 'toggle'; readonly task: number }
  | { readonly kind: 'set'; readonly task: number; readonly change: FieldChange }

/** The edit with its values as they will read back: trimmed, the id a slug, an empty hint as none. */
export function normaliseEdit(edit: ContractEdit, slugify: (text: string) => string): ContractEdit {
  if (edit.kind === 'add') {
    const { id, description, verify } = edit.task
    const texts = { id: slugify(id), description: description.trim(), verify: verify?.trim() || undefined }
    return { ...edit, task: { ...edit.task, ...texts } }
  }
  if (edit.kind !== 'set') return edit
  const { change } = edit
  if (change.field === 'id') return { ...edit, change: { field: 'id', value: slugify(change.value) } }
  if (change.field === 'description') return { ...edit, change: { ...change, value: change.value.trim() } }
  if (change.field === 'verify' || change.field === 'when' || change.field === 'model')
    return { ...edit, change: { ...change, value: change.value?.trim() || null } }
  if (change.field === 'mayChange') {
    const globs = (change.value ?? []).map((glob) => glob.trim()).filter((glob) => glob !== '')
    return { ...edit, change: { ...change, value: globs.length === 0 ? null : globs } }
  }
  return edit
}
