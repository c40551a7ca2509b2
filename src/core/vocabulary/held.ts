import { z } from 'zod'

/** Why an attempt is held for review, in order of precedence. */
export const HELD_REASONS = ['check', 'earlier', 'clean-room', 'tests', 'dependencies'] as const

export type HeldReason = (typeof HELD_REASONS)[number]

export const heldReasonSchema = z.enum(HELD_REASONS)

/** For people, as sentences. */
export const HELD_WORDS: Readonly<Record<HeldReason, string>> = {
  check: 'The agent changed the files that its check runs.',
  tests: 'Tests that ran before did not run.',
  dependencies: 'Installed dependencies changed, but the lockfile did not.',
  earlier: 'Passes only with files of an earlier attempt that is held for review.',
  'clean-room': 'Passes only because the agent changed protected files.',
}

/** The operator's possible answers to held work. */
export const HELD_DECISIONS = ['accept', 'refuse'] as const

export type HeldDecision = (typeof HELD_DECISIONS)[number]

export const heldDecisionSchema = z.enum(HELD_DECISIONS)
