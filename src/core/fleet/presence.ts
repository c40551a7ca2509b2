import { z } from 'zod'
import { type HeardState, shippingStateSchema } from '../vocabulary/fleet.ts'
import { nextStateSchema } from '../vocabulary/heartbeat.ts'
import { penaltySchema, rewardSchema, standingLevelSchema } from '../vocabulary/standing-schema.ts'
import { trustStateSchema } from '../vocabulary/trust.ts'
import { labelSchema, workspaceIdSchema } from './names.ts'

/** The latest possible date in ECMAScript; a later one could not be displayed. */
const LAST_MOMENT_MS = 8.64e15

/** What a host reports about itself every few seconds. */
export const presenceSchema = z.object({
  v: z.literal(1),
  version: z.string().max(50),
  /** Tells apart machines that joined with the same token; `null` for a host of an earlier version. */
  instance: z.string().max(60).nullable().default(null),
  /** By the host's own clock, in ISO 8601. Comparing it with the time of arrival shows how far that clock is off. */
  at: z.iso.datetime({ offset: true }),
  group: labelSchema.nullable(),
  labels: z.array(labelSchema).max(20),
  workspaces: z.int().min(0),
  /** Records that are no longer sent, and why. */
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

/** Facts about a workspace that are not in its record, as reported by the host that runs it. */
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

/** Returns what is assumed about a workspace until its host reports on it. */
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

/** Interval between two reports of a host. */
export const PRESENCE_MS = 15_000
const LATE_MS = 60_000
export const DOWN_MS = 5 * 60_000

/** Smaller differences may be message latency. */
const CLOCK_OFF_SECONDS = 60

/**
 * Returns in words that a host's clock is off by a minute or more; `null` if it isn't, or is unknown. `offsetSeconds` is how
 * far it is ahead of the hub's.
 */
export function clockWords(offsetSeconds: number | null): string | null {
  const offset = offsetSeconds ?? 0
  if (Math.abs(offset) < CLOCK_OFF_SECONDS) return null
  return `its clock is ${Math.abs(offset)} seconds ${offset > 0 ? 'ahead' : 'behind'}`
}

/** Returns how long ago a host was last heard from, by the hub's clock. Both times are epoch ms. */
export function heardState(heardMs: number | null, nowMs: number): HeardState {
  if (heardMs === null) return 'never'
  const silentMs = nowMs - heardMs
  return silentMs >= DOWN_MS ? 'down' : silentMs >= LATE_MS ? 'late' : 'heard'
}
