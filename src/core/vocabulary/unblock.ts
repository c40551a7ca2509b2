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

/** What would help, as a choice says it. */
export const SUGGESTION_WORDS: Readonly<Record<SuggestionKind, string>> = {
  already_done: 'check holds now',
  increase_timeout: 'more time',
  tighten_hint: 'a tighter hint',
  skip_subtasks: 'fewer criteria',
  fix_gate: 'a gate to fix',
  manual_review: 'a look',
}

/** Who gave a task its attempts back; `auto`: a retry of all. */
const UNBLOCKERS = ['operator', 'auto'] as const

export const unblockerSchema = z.enum(UNBLOCKERS)
