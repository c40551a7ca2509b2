import type { ProposalItemKind } from '../vocabulary/proposal.ts'

/** One difference between the contract as the operator left it and the file on disk. */
export interface ProposalItem {
  readonly kind: ProposalItemKind
  /** `null` if it belongs to no task. */
  readonly taskId: string | null
  /** As the operator left it; `null` if it did not exist. */
  readonly before: string | null
  /** As it is on disk; `null` if it no longer exists. */
  readonly after: string | null
}

const ADDING: ReadonlySet<ProposalItemKind> = new Set(['task_added', 'criterion_added', 'note_added'])

/**
 * Returns whether the item only adds something. Additions count from the next heartbeat, but earn no points until the operator has accepted
 * them.
 */
export function isAddition({ kind }: Pick<ProposalItem, 'kind'>): boolean {
  return ADDING.has(kind)
}

/** Returns whether the item asks for less than before, if that can be determined. Any change of a check counts. */
export function asksLess(item: ProposalItem): boolean {
  switch (item.kind) {
    case 'task_removed':
    case 'criterion_removed':
    case 'hint':
    case 'may_change':
    // A task that doesn't run requires nothing.
    case 'when':
    case 'unreadable':
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

/** The length of text that is recorded and that tells items apart; people don't read more. */
const MAX_ITEM_LENGTH = 4_000

/** Returns a key that is equal only for items that are recorded the same. */
export function itemKey({ kind, taskId, before, after }: ProposalItem): string {
  const cut = (text: string | null) => text?.slice(0, MAX_ITEM_LENGTH) ?? null
  return JSON.stringify([kind, taskId, cut(before), cut(after)])
}

/** Returns the item as it is recorded. Its key stays the same. */
export function boundItem({ kind, taskId, before, after }: ProposalItem): ProposalItem {
  const cut = (text: string | null) =>
    text === null || text.length <= MAX_ITEM_LENGTH ? text : `${text.slice(0, MAX_ITEM_LENGTH)}…`
  return { kind, taskId, before: cut(before), after: cut(after) }
}

const MAX_QUOTE = 120

/** Pairs of quotation marks. The first pair that does not occur in the quoted text is used, so that the end of the quotation is clear. */
const QUOTES = [
  ['"', '"'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
] as const

/** Returns the item as a sentence. */
export function sayItem({ kind, taskId, before, after }: ProposalItem): string {
  const task = `Task ${quoted(taskId ?? '')}`
  switch (kind) {
    case 'task_added':
      return `${task} was added.`
    case 'task_removed':
      return `${task} was removed.`
    case 'required':
      return `${task}: ${before ?? ''} changed to ${after ?? ''}.`
    case 'hint':
      return `${task}: check changed from ${quoted(before)} to ${quoted(after)}.`
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
      return `${task}: description changed from ${quoted(before)} to ${quoted(after)}.`
    case 'details':
      return `${task}: the lines below it changed.`
    case 'criterion_added':
      return `${task}: criterion ${quoted(after)} was added.`
    case 'criterion_removed':
      return `${task}: criterion ${quoted(before)} was removed.`
    case 'note_added':
      return `A note was added: ${quoted(after)}.`
    case 'note_changed':
      return after === null
        ? `A note was removed: ${quoted(before)}.`
        : `A note was changed from ${quoted(before)} to ${quoted(after)}.`
    case 'unreadable':
      return after === null
        ? `${before ?? ''} is no longer valid TOML, so none of its settings can be read.`
        : `${after} is valid TOML again.`
    case 'setting':
      if (before === null) return `A setting was added: ${quoted(after)}.`
      return after === null
        ? `A setting was removed: ${quoted(before)}.`
        : `A setting was changed from ${quoted(before)} to ${quoted(after)}.`
  }
}

function quoted(text: string | null): string {
  if (text === null) return 'nothing'
  const line = text.replace(/\s+/g, ' ').trim()
  const [open, close] = QUOTES.find((marks) => !marks.some((mark) => line.includes(mark))) ?? QUOTES[0]
  return `${open}${line.length <= MAX_QUOTE ? line : `${line.slice(0, MAX_QUOTE - 1)}…`}${close}`
}
