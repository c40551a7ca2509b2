import { z } from 'zod'

/** The state of an attempt's work on its way to the target. */
export const LANDING_STATES = [
  'queued',
  'judging',
  'waiting',
  'landed',
  'conflict',
  'held',
  'dropped',
] as const

export type LandingState = (typeof LANDING_STATES)[number]

export const landingStateSchema = z.enum(LANDING_STATES)

/** As people read them. */
export const LANDING_WORDS: Readonly<Record<LandingState, string>> = {
  queued: 'Queued',
  judging: 'Being judged with the target',
  waiting: 'Waiting',
  landed: 'Landed',
  conflict: 'Conflict: back to the agent',
  held: 'Held for review',
  dropped: 'Dropped',
}

/** What the operator can do with an attempt's work. */
export const LANDING_ANSWERS = ['land', 'drop', 'retry'] as const

export type LandingAnswer = (typeof LANDING_ANSWERS)[number]

export const landingAnswerSchema = z.enum(LANDING_ANSWERS)

/** States in which the queue still has work to do, or waits for someone. */
const OPEN: ReadonlySet<LandingState> = new Set(['queued', 'judging', 'waiting', 'held'])

/** Returns whether work in this state is still on its way, so that its task doesn't run again yet. */
export function isOpenLanding(state: LandingState): boolean {
  return OPEN.has(state)
}
