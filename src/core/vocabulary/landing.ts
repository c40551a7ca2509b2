import { z } from 'zod'

/** How an attempt's work stands on its way to the target. */
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

/** What the operator does with an attempt's work. */
export const LANDING_ANSWERS = ['land', 'drop', 'retry'] as const

export type LandingAnswer = (typeof LANDING_ANSWERS)[number]

export const landingAnswerSchema = z.enum(LANDING_ANSWERS)

/** States in which the queue still has something to do, or waits for somebody. */
const OPEN: ReadonlySet<LandingState> = new Set(['queued', 'judging', 'waiting', 'held'])

/** Whether work in this state is still on its way: its task does not run again meanwhile. */
export function isOpenLanding(state: LandingState): boolean {
  return OPEN.has(state)
}
