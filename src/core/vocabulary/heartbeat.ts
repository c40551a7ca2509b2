import { z } from 'zod'

/** The states of a recorded heartbeat. */
export const RECORDED_HEARTBEATS = ['running', 'done', 'missed', 'skipped'] as const
export type RecordedHeartbeat = (typeof RECORDED_HEARTBEATS)[number]

/** All states of a heartbeat; `due` and `late` are those of one that has not begun. */
export const HEARTBEAT_STATES = ['due', 'late', ...RECORDED_HEARTBEATS] as const
export const heartbeatStateSchema = z.enum(HEARTBEAT_STATES)

/** Why a heartbeat that was due did not begin. */
export const SKIP_REASONS = [
  'paused',
  'outside-active-hours',
  'suspended',
  'idle',
  'on-battery',
  'elsewhere',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]
export const skipReasonSchema = z.enum(SKIP_REASONS)

/** In a few words beside the heartbeat, and as a sentence on the timeline. */
export const SKIP_WORDS: Readonly<Record<SkipReason, { readonly title: string; readonly sentence: string }>> =
  {
    paused: { title: 'Paused', sentence: 'It was paused.' },
    'outside-active-hours': {
      title: 'Outside active hours',
      sentence: 'It fell outside the active hours.',
    },
    suspended: { title: 'Suspended for manual review', sentence: 'It was suspended for manual review.' },
    idle: { title: 'Idle', sentence: 'There was nothing to do.' },
    'on-battery': { title: 'On battery', sentence: 'The machine ran on its battery.' },
    elsewhere: { title: 'On another host', sentence: 'Another host of the fleet runs this work.' },
  }

/**
 * How a heartbeat ended. `idle`: everything verified still passes, or no task's condition is true; `elsewhere`: the lease of
 * shared work could not be kept; `stopped`: by the operator or a shutdown; `interrupted`: by a crash.
 */
export const CYCLE_ENDINGS = [
  'completed',
  'stopped',
  'interrupted',
  'environment',
  'suspended',
  'budget',
  'idle',
  'elsewhere',
] as const
export type CycleEnding = (typeof CYCLE_ENDINGS)[number]
export const cycleEndingSchema = z.enum(CYCLE_ENDINGS)

/** In a few words before its verdicts; `null`: the verdicts say everything. */
export const ENDING_WORDS: Readonly<Record<CycleEnding, string | null>> = {
  completed: null,
  stopped: 'Stopped',
  interrupted: 'Cut off',
  environment: 'The agent could not run',
  suspended: 'Suspended for manual review',
  budget: "The day's budget is used up",
  idle: 'Idle: there was nothing to do',
  elsewhere: 'Another host may run it now',
}

/** What starts a heartbeat; `catch-up`: heartbeats were missed. */
const CYCLE_TRIGGERS = ['schedule', 'manual', 'catch-up'] as const

export type TriggerKind = (typeof CYCLE_TRIGGERS)[number]

export const cycleTriggerSchema = z.enum(CYCLE_TRIGGERS)

/** The state of the next heartbeat; `parked`: it waits for a time that the agent's service has named. */
const NEXT_STATES = ['due', 'late', 'waiting', 'parked', 'running', 'none'] as const

export type NextState = (typeof NEXT_STATES)[number]

export const nextStateSchema = z.enum(NEXT_STATES)
