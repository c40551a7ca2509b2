/** Sets one field of a task. `null` removes the field, so its default applies. */
export type FieldChange =
  | { readonly field: 'id'; readonly value: string }
  | { readonly field: 'description'; readonly value: string }
  | { readonly field: 'required'; readonly value: boolean | null }
  | { readonly field: 'verify'; readonly value: string | null }
  | { readonly field: 'maxAttempts'; readonly value: number | null }
  /** All globs, in order. */
  | { readonly field: 'mayChange'; readonly value: readonly string[] | null }
  | { readonly field: 'writesNoFiles'; readonly value: boolean | null }
  | { readonly field: 'when'; readonly value: string | null }
  | { readonly field: 'model'; readonly value: string | null }

/** The content of a new task line. Omitted fields keep their defaults. */
export interface NewTask {
  readonly id: string
  readonly description: string
  readonly required?: boolean
  readonly verify?: string
  readonly maxAttempts?: number
  readonly checked?: boolean
}

/** One edit of a contract. Tasks are identified by their index in `contract.tasks`, because ids may be empty or duplicated. */
export type ContractEdit =
  /** Inserted after the task `after` and its criteria, or at the end of the section if `after` is omitted. */
  | { readonly kind: 'add'; readonly task: NewTask; readonly after?: number }
  | { readonly kind: 'remove'; readonly task: number }
  /** `to` is the task's index after the move. */
  | { readonly kind: 'move'; readonly task: number; readonly to: number }
  | { readonly kind: 'toggle'; readonly task: number }
  | { readonly kind: 'set'; readonly task: number; readonly change: FieldChange }

/** Returns the edit with its values as they will read back: trimmed, the id as a slug, an empty check as none. */
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
