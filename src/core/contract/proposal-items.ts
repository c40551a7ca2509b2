import type { ProposalItemKind } from '../vocabulary/proposal.ts'

/** One thing that differs between the contract as the operator left it and as it stands on disk. */
export interface ProposalItem {
  readonly kind: ProposalItemKind
  /** `null` where it belongs to no task. */
  readonly taskId: string | null
  /** As the operator left it; `null` where there was nothing. */
  readonly before: string | null
  /** As it stands on disk; `null` where there is nothing any more. */
  readonly after: string | null
}

const ADDING: ReadonlySet<ProposalItemKind> = new Set(['task_added', 'criterion_added', 'note_added'])

/** Whether it only adds: then it counts from the next cycle, and is worth nothing until the operator has accepted it. */
export function isAddition({ kind }: Pick<ProposalItem, 'kind'>): boolean {
  return ADDING.has(kind)
}

/** Whether it asks less than before, as far as that can be known: any change of a hint does. */
export function asksLess(item: ProposalItem): boolean {
  switch (item.kind) {
    case 'task_removed':
    case 'criterion_removed':
    case 'hint':
    case 'may_change':
    // A task that is not tried asks nothing.
    case 'when':
    case 'setting':
      return true
    case 'required':
      return item.after === 'optional'
    case 'box':
      return item.after === 'checked'
    case 'files':
      return item.after === 'never'
    case 'max_attempts':
      return Number(item.after) < Number(item.before)
    default:
      return false
  }
}

/** What of a text is recorded, and what items are told apart by: nobody reads more. */
const MAX_ITEM_LENGTH = 4_000

/** Equal for equal items only, as far as they are recorded. */
export function itemKey({ kind, taskId, before, after }: ProposalItem): string {
  const cut = (text: string | null) => text?.slice(0, MAX_ITEM_LENGTH) ?? null
  return JSON.stringify([kind, taskId, cut(before), cut(after)])
}

/** The item as it is recorded: it has the same key. */
export function boundItem({ kind, taskId, before, after }: ProposalItem): ProposalItem {
  const cut = (text: string | null) =>
    text === null || text.length <= MAX_ITEM_LENGTH ? text : `${text.slice(0, MAX_ITEM_LENGTH)}…`
  return { kind, taskId, before: cut(before), after: cut(after) }
}

const MAX_QUOTE = 120

/** The first pair that does not occur in what is quoted: where a quotation ends has to be seen. */
const QUOTES = [
  ['"', '"'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
] as const

/** The item in a sentence. */
export function sayItem({ kind, taskId, before, after }: ProposalItem): string {
  const task = `Task ${quoted(taskId ?? '')}`
  switch (kind) {
    case 'task_added':
      return `${task} was added.`
    case 'task_removed':
      return `${task} was removed.`
    case 'required':
      return `${task}: ${before ?? ''} was made ${after ?? ''}.`
    case 'hint':
      return `${task}: hint changed from ${quoted(before)} to ${quoted(after)}.`
    case 'box':
    case 'criterion_box':
      return after === 'checked' ? `${task}: its box was checked.` : `${task}: its box was unchecked.`
    case 'max_attempts':
      return Number(after) < Number(before)
        ? `${task}: max_attempts lowered from ${before} to ${after}.`
        : `${task}: max_attempts raised from ${before} to ${after}.`
    case 'may_change':
    case 'files':
    case 'when':
    case 'model':
      return `${task}: ${kind} changed from ${quoted(before)} to ${quoted(after)}.`
    case 'description':
      return `${task}: its description was reworded, from ${quoted(before)} to ${quoted(after)}.`
    case 'details':
      return `${task}: the lines below it were changed.`
    case 'criterion_added':
      return `${task}: criterion ${quoted(after)} was added.`
    case 'criterion_removed':
      return `${task}: criterion ${quoted(before)} was removed.`
    case 'note_added':
      return `A note was added: ${quoted(after)}.`
    case 'note_changed':
      return after === null
        ? `A note was removed: ${quoted(before)}.`
        : `A note was changed: ${quoted(before)} became ${quoted(after)}.`
    case 'setting':
      if (before === null) return `A setting was added: ${quoted(after)}.`
      return after === null
        ? `A setting was removed: ${quoted(before)}.`
        : `A setting was changed: ${quoted(before)} became ${quoted(after)}.`
  }
}

function quoted(text: string | null): string {
  if (text === null) return 'nothing'
  const line = text.replace(/\s+/g, ' ').trim()
  const [open, close] = QUOTES.find((marks) => !marks.some((mark) => line.includes(mark))) ?? QUOTES[0]
  return `${open}${line.length <= MAX_QUOTE ? line : `${line.slice(0, MAX_QUOTE - 1)}…`}${close}`
}
