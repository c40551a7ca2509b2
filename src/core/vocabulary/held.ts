import { z } from 'zod'

/** Why an attempt waits for the operator, neither paid nor refused, in the order in which one reason goes before another. */
export const HELD_REASONS = ['check', 'earlier', 'clean-room', 'tests', 'dependencies'] as const

export type HeldReason = (typeof HELD_REASONS)[number]

export const heldReasonSchema = z.enum(HELD_REASONS)

/** For people, as sentences. */
export const HELD_WORDS: Readonly<Record<HeldReason, string>> = {
  check: 'What its check executes was changed.',
  tests: 'Tests that were executed before were not executed.',
  dependencies: 'Installed dependencies differ, and their lock entry does not.',
  earlier: 'It holds only with files of an earlier attempt that waits.',
  'clean-room': 'It holds only with the protected files as they were changed.',
}

/** What the operator can answer to held work. */
export const HELD_DECISIONS = ['accept', 'refuse'] as const

export type HeldDecision = (typeof HELD_DECISIONS)[number]

export const heldDecisionSchema = z.enum(HELD_DECISIONS)
