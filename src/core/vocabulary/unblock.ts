import { z } from 'zod'

/** What can be suggested about a blocked task. */
export const SUGGESTION_KINDS = [
  'already_done',
  'increase_timeout',
  'tighten_hint',
  'skip_subtasks',
  'fix_gate',
  'manual_review',
] as const

export type SuggestionKind = (typeof SUGGESTION_KINDS)[number]

export const suggestionKindSchema = z.enum(SUGGESTION_KINDS)

/** What would help, as the label of a choice. */
export const SUGGESTION_WORDS: Readonly<Record<SuggestionKind, string>> = {
  already_done: 'check passes now',
  increase_timeout: 'more time',
  tighten_hint: 'a better check',
  skip_subtasks: 'fewer criteria',
  fix_gate: 'a gate to fix',
  manual_review: 'a look',
}

/** Who gave a task new attempts; `auto`: a retry of all. */
const UNBLOCKERS = ['operator', 'auto'] as const

export const unblockerSchema = z.enum(UNBLOCKERS)
