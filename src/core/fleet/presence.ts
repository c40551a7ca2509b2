import { z } from 'zod'
import { type HeardState, shippingStateSchema } from '../vocabulary/fleet.ts'
import { nextStateSchema } from '../vocabulary/heartbeat.ts'
import { penaltySchema, rewardSchema, standingLevelSchema } from '../vocabulary/standing-schema.ts'
import { trustStateSchema } from '../vocabulary/trust.ts'
import { labelSchema, workspaceIdSchema } from './names.ts'

/** The last that a date can say (ECMAScript): beyond it nothing could be shown of any host. */
const LAST_MOMENT_MS = 8.64e15

/** What a host says of itself every few seconds. */
export const presenceSchema = z.object({
  v: z.literal(1),
  version: z.string().max(50),
  /** Tells apart machines that joined by one token; `null`: a host of an earlier version. */
  instance: z.string().max(60).nullable().default(null),
  /** By the host's own clock, ISO 8601: what it is off by shows beside the time of arrival. */
  at: z.iso.datetime({ offset: true }),
  group: labelSchema.nullable(),
  labels: z.array(labelSchema).max(20),
  workspaces: z.int().min(0),
  /** Records that are not sent any more, and why. */
  halted: z
    .array(
      z.object({
        workspace: workspaceIdSchema,
        state: shippingStateSchema,
        problem: z.string().max(1_000),
      }),
    )
    .max(200),
})

export type Presence = z.infer<typeof presenceSchema>

/** What a workspace is beside its record, as the host that runs it says. */
export const workspaceFactsSchema = z.object({
  id: workspaceIdSchema,
  name: z.string().max(200),
  tags: z.array(z.string().max(100)).max(20),
  agentId: z.string().max(200).nullable(),
  trust: trustStateSchema,
  zone: z.string().max(100),
  standing: z.object({
    penalty: penaltySchema,
    reward: rewardSchema,
    level: standingLevelSchema,
    intervalMinutes: z.number().min(0).max(1e6),
    forceAllRequired: z.boolean(),
    message: z.string().max(2_000),
    intervalReason: z.string().max(2_000),
  }),
  next: z.object({
    dueMs: z.number().min(0).max(LAST_MOMENT_MS).nullable(),
    state: nextStateSchema,
    reason: z.string().max(2_000),
  }),
})

export type FleetWorkspaceFacts = z.infer<typeof workspaceFactsSchema>

/** What a workspace is taken for until its host has told of it. */
export function unknownFacts(id: string): FleetWorkspaceFacts {
  return {
    id,
    name: id,
    tags: [],
    agentId: null,
    trust: 'missing',
    zone: 'UTC',
    standing: {
      penalty: 'none',
      reward: 'none',
      level: 'none',
      intervalMinutes: 0,
      forceAllRequired: false,
      message: '',
      intervalReason: '',
    },
    next: { dueMs: null, state: 'none', reason: '' },
  }
}

/** Between two words of a host. */
export const PRESENCE_MS = 15_000
const LATE_MS = 60_000
export const DOWN_MS = 5 * 60_000

/** Less is what a message takes, and clocks differ by. */
const CLOCK_OFF_SECONDS = 60

/**
 * That a host's clock is off by a minute or more, in words; `null`: it is not, or not known. Seconds it is ahead of the
 * hub's.
 */
export function clockWords(offsetSeconds: number | null): string | null {
  const offset = offsetSeconds ?? 0
  if (Math.abs(offset) < CLOCK_OFF_SECONDS) return null
  return `its clock is ${Math.abs(offset)} seconds ${offset > 0 ? 'ahead' : 'behind'}`
}

/** How long ago a host was heard of, by the hub's clock; both in epoch ms. */
export function heardState(heardMs: number | null, nowMs: number): HeardState {
  if (heardMs === null) return 'never'
  const silentMs = nowMs - heardMs
  return silentMs >= DOWN_MS ? 'down' : silentMs >= LATE_MS ? 'late' : 'heard'
}
