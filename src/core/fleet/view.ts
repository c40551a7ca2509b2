import { z } from 'zod'
import { attemptSummarySchema } from '../read-model/attempt.ts'
import { scoreHistorySchema } from '../read-model/score.ts'
import { workspaceSchema } from '../read-model/workspace.ts'
import { timelineEntrySchema } from '../record/timeline-entry.ts'
import type { TimelineFilter } from '../record/timeline-filter.ts'
import { heardStateSchema, refusalSchema, shippingStateSchema } from '../vocabulary/fleet.ts'
import { shieldSchema } from '../vocabulary/standing-schema.ts'
import { labelSchema } from './names.ts'

/** What the centre rejected from a host, by kind. */
const refusedSchema = z.object({
  kind: refusalSchema,
  count: z.int(),
  /** ISO 8601. */
  lastAt: z.string(),
  workspace: z.string(),
  detail: z.string(),
})

/** One host as known to the centre. */
export const fleetHostSchema = z.object({
  host: z.string(),
  group: labelSchema.nullable(),
  labels: z.array(z.string()),
  version: z.string().nullable(),
  heard: heardStateSchema,
  /** By the hub's clock, ISO 8601; `null`: never. */
  heardAt: z.string().nullable(),
  /** How many seconds the host's clock is ahead of the hub's; negative: behind. `null`: unknown. */
  clockOffsetSeconds: z.number().nullable(),
  workspaces: z.int(),
  /** Lines of its records that were accepted. */
  events: z.int(),
  /** Records that it no longer sends, in its own words. */
  halted: z.array(z.object({ workspace: z.string(), state: shippingStateSchema, problem: z.string() })),
  refused: z.array(refusedSchema),
})

export type RefusedLines = z.infer<typeof refusedSchema>

export type FleetHost = z.infer<typeof fleetHostSchema>

/** One workspace of one host, as last reported to the centre. */
export const fleetWorkspaceSchema = z.object({
  host: z.string(),
  group: labelSchema.nullable(),
  heard: heardStateSchema,
  /** The last accepted line. */
  seq: z.int(),
  lastAt: z.string().nullable(),
  view: workspaceSchema,
})

export type FleetWorkspace = z.infer<typeof fleetWorkspaceSchema>

/** What the centre has of one workspace: its state and the results of its last attempts. Output and files stay on the host. */
export const fleetDetailSchema = fleetWorkspaceSchema.extend({
  /** Newest first, at most 50. */
  attempts: z.array(attemptSummarySchema),
  history: scoreHistorySchema,
})

export type FleetDetail = z.infer<typeof fleetDetailSchema>

/** The summary at the top of a fleet screen, over everything that the filter selects. */
export const fleetSummarySchema = z.object({
  /** Why there is no hub at the moment, with what the centre does about it; `null`: there is one. */
  problem: z.string().nullable(),
  /** The answer to "can I trust my agents?". */
  answer: z.object({ lead: z.string(), why: z.string() }),
  workspaces: z.int(),
  /** The current day, from which the last seven are counted, YYYY-MM-DD. */
  today: z.string(),
  /** How many of these need attention. */
  asking: z.int(),
  /** The available filter choices, independent of the current filter. */
  choices: z.object({ hosts: z.array(z.string()), groups: z.array(z.string()), tags: z.array(z.string()) }),
})

export type FleetSummary = z.infer<typeof fleetSummarySchema>

/** A row of the leaderboard: a workspace by the share of its targets that it reached over the last seven finished days. */
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

/** The criteria by which the fleet is filtered; a field left out doesn't filter. */
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
  /** Continues from here, as `cursor`. */
  cursor: z.string(),
})

export type FleetEntry = z.infer<typeof fleetEntrySchema>

/** What the timeline of a fleet is narrowed to. */
export type FleetEntryFilter = FleetFilter & TimelineFilter

/** The position of a fleet's entry: its host, its workspace, and its number there. */
export const fleetEntryPlaceSchema = z.object({
  host: z.string().max(60),
  workspace: z.string().max(60),
  id: z.string().max(60),
})

export type FleetEntryPlace = z.infer<typeof fleetEntryPlaceSchema>

/** What arrived since, in order of arrival: a host that was offline sends entries older than others' newest. */
export const fleetArrivalsSchema = z.object({
  entries: z.array(fleetEntrySchema),
  /** Continues from here, as `after`. */
  arrival: z.int(),
  /** `part`: there is more, ask again. `lost`: the centre has restarted its count, so request everything again. */
  reach: z.enum(['all', 'part', 'lost']),
})

export type FleetArrivals = z.infer<typeof fleetArrivalsSchema>
