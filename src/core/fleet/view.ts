import { z } from 'zod'
import { attemptSummarySchema } from '../read-model/attempt.ts'
import { scoreHistorySchema } from '../read-model/score.ts'
import { workspaceSchema } from '../read-model/workspace.ts'
import { timelineEntrySchema } from '../record/timeline-entry.ts'
import type { TimelineFilter } from '../record/timeline-filter.ts'
import { heardStateSchema, refusalSchema, shippingStateSchema } from '../vocabulary/fleet.ts'
import { shieldSchema } from '../vocabulary/standing-schema.ts'
import { labelSchema } from './names.ts'

/** What the centre did not take of a host's, by its kind. */
const refusedSchema = z.object({
  kind: refusalSchema,
  count: z.int(),
  /** ISO 8601. */
  lastAt: z.string(),
  workspace: z.string(),
  detail: z.string(),
})

/** One host, as the centre heard of it. */
export const fleetHostSchema = z.object({
  host: z.string(),
  group: labelSchema.nullable(),
  labels: z.array(z.string()),
  version: z.string().nullable(),
  heard: heardStateSchema,
  /** By the hub's clock, ISO 8601; `null`: never. */
  heardAt: z.string().nullable(),
  /** How far the host's clock is ahead of the hub's, in seconds; negative: behind. `null`: not known. */
  clockOffsetSeconds: z.number().nullable(),
  workspaces: z.int(),
  /** Lines of its records that were taken. */
  events: z.int(),
  /** Records that it does not send any more, in its own words. */
  halted: z.array(z.object({ workspace: z.string(), state: shippingStateSchema, problem: z.string() })),
  refused: z.array(refusedSchema),
})

export type RefusedLines = z.infer<typeof refusedSchema>

export type FleetHost = z.infer<typeof fleetHostSchema>

/** One workspace of one host, as it was when the centre last heard of it. */
export const fleetWorkspaceSchema = z.object({
  host: z.string(),
  group: labelSchema.nullable(),
  heard: heardStateSchema,
  /** The last line that was taken. */
  seq: z.int(),
  lastAt: z.string().nullable(),
  view: workspaceSchema,
})

export type FleetWorkspace = z.infer<typeof fleetWorkspaceSchema>

/**
 * One workspace as far as the centre has it: its state, and what came of its last attempts. Output and files stay on
 * the host.
 */
export const fleetDetailSchema = fleetWorkspaceSchema.extend({
  /** Newest first, at most 50. */
  attempts: z.array(attemptSummarySchema),
  history: scoreHistorySchema,
})

export type FleetDetail = z.infer<typeof fleetDetailSchema>

/** What a screen of the fleet says first, of what the filter lets through. */
export const fleetSummarySchema = z.object({
  /** Why there is no hub just now, with what the centre does about it; `null`: there is. */
  problem: z.string().nullable(),
  /** The answer to "can I trust my agents?". */
  answer: z.object({ lead: z.string(), why: z.string() }),
  workspaces: z.int(),
  /** The day that runs by which the last seven are counted, YYYY-MM-DD. */
  today: z.string(),
  /** Of these, how many ask for the operator. */
  asking: z.int(),
  /** By what can be chosen, whatever the filter lets through. */
  choices: z.object({ hosts: z.array(z.string()), groups: z.array(z.string()), tags: z.array(z.string()) }),
})

export type FleetSummary = z.infer<typeof fleetSummarySchema>

/**
 * A row of the leaderboard: a workspace by the share of its targets that it reached over the last seven finished days.
 */
export const fleetRankSchema = z.object({
  host: z.string(),
  workspace: z.string(),
  name: z.string(),
  agentId: z.string().nullable(),
  shield: shieldSchema,
  /** Contradictions that its operator has not reviewed. */
  unreviewed: z.int().min(0).default(0),
  /** From 1; equal shares have equal ranks. `null`: no day is finished. */
  rank: z.int().nullable(),
  /** In percent; `null`: no day is finished. */
  share: z.number().nullable(),
  days: z.int(),
  verified: z.int(),
  failed: z.int(),
  contradictions: z.int(),
  history: scoreHistorySchema,
})

export type FleetRank = z.infer<typeof fleetRankSchema>

/** By which the fleet is looked at; what is left out does not choose. */
export const fleetFilterSchema = z.object({
  host: z.string().max(60).optional(),
  group: z.string().max(60).optional(),
  tag: z.string().max(60).optional(),
})

export type FleetFilter = z.infer<typeof fleetFilterSchema>

/** What happened in a workspace of the fleet. */
export const fleetEntrySchema = z.object({
  host: z.string(),
  workspace: z.string(),
  /** Of the workspace. */
  name: z.string(),
  entry: timelineEntrySchema,
  /** Leads on from here, as `cursor`. */
  cursor: z.string(),
})

export type FleetEntry = z.infer<typeof fleetEntrySchema>

/** What the timeline of a fleet is narrowed to. */
export type FleetEntryFilter = FleetFilter & TimelineFilter

/** Where an entry of a fleet stands: which host's, of which workspace, and its number there. */
export const fleetEntryPlaceSchema = z.object({
  host: z.string().max(60),
  workspace: z.string().max(60),
  id: z.string().max(60),
})

export type FleetEntryPlace = z.infer<typeof fleetEntryPlaceSchema>

/** What came since, in the order in which it came: a host that was away sends what is older than others' newest. */
export const fleetArrivalsSchema = z.object({
  entries: z.array(fleetEntrySchema),
  /** Leads on from here, as `after`. */
  arrival: z.int(),
  /**
   * `part`: ask again, there is more. `lost`: the centre has begun anew since, and what was shown is to be asked for
   * again.
   */
  reach: z.enum(['all', 'part', 'lost']),
})

export type FleetArrivals = z.infer<typeof fleetArrivalsSchema>
