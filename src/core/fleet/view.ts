import { z } from 'zod'
import { attemptSummarySchema } from '../read-model/attempt.ts'
import { scoreHistorySchema } from '../read-model/score.ts'
import { workspaceSchema } from '../read-model/workspace.ts'
import { timelineEntrySchema } from '../record/timeline-entry.ts'
import type { TimelineFilter } from '../record/timeline-filter.ts'
import { heardStateSchema, refusalSchema, shippingStateSchema } from '../vocabulary/fleet.ts'
import { shieldSchema } from '../vocabulary/standing-schema.ts'
import { labelSchema } from './names.ts'

/** What the center rejected from a host, by kind. */
const refusedSchema = z.object({
  kind: refusalSchema,
  count: z.int(),
  /** ISO 8601. */
  lastAt: z.string(),
  workspace: z.string(),
  detail: z.string(),
})

/** One host as known to the center. */
export const fleetHostSchema = z.object({
  host: z.string(),
  group: labelSchema.nullable(),
  labels: z.array(z.string()),
  version: z.string().nullable(),
  heard: heardStateSchema,
  /** By the hub's clock, in ISO 8601; `null` if never. */
  heardAt: z.string().nullable(),
  /** How many seconds the host's clock is ahead of the hub's; negative if behind, `null` if unknown. */
  clockOffsetSeconds: z.number().nullable(),
  workspaces: z.int(),
  /** Lines of its records that were accepted. */
  events: z.int(),
  /** Records that it no longer sends, with its own explanation. */
  halted: z.array(z.object({ workspace: z.string(), state: shippingStateSchema, problem: z.string() })),
  refused: z.array(refusedSchema),
})

export type RefusedLines = z.infer<typeof refusedSchema>

export type FleetHost = z.infer<typeof fleetHostSchema>

/** One workspace of one host, as last reported to the center. */
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

/** What the center knows about one workspace: its state and the results of its last attempts. Output and files stay on the host. */
export const fleetDetailSchema = fleetWorkspaceSchema.extend({
  /** Newest first, at most 50. */
  attempts: z.array(attemptSummarySchema),
  history: scoreHistorySchema,
})

export type FleetDetail = z.infer<typeof fleetDetailSchema>

/** The summary at the top of a fleet screen, over everything that the filter selects. */
export const fleetSummarySchema = z.object({
  /** Why there is no hub at the moment, and what the center does about it; `null` if there is one. */
  problem: z.string().nullable(),
  /** The answer to "can I trust my agents?". */
  answer: z.object({ lead: z.string(), why: z.string() }),
  workspaces: z.int(),
  /** The current day, from which the last seven are counted, YYYY-MM-DD. */
  today: z.string(),
  /** How many of these workspaces need attention. */
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
  /** From 1; equal shares have equal ranks. `null` if no day is finished. */
  rank: z.int().nullable(),
  /** In percent; `null` if no day is finished. */
  share: z.number().nullable(),
  days: z.int(),
  verified: z.int(),
  failed: z.int(),
  contradictions: z.int(),
  history: scoreHistorySchema,
})

export type FleetRank = z.infer<typeof fleetRankSchema>

/** The criteria by which the fleet is filtered; an omitted field doesn't filter. */
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
  /** The workspace's name. */
  name: z.string(),
  entry: timelineEntrySchema,
  /** Pass it as `cursor` to continue from here. */
  cursor: z.string(),
})

export type FleetEntry = z.infer<typeof fleetEntrySchema>

/** The filter of a fleet's timeline. */
export type FleetEntryFilter = FleetFilter & TimelineFilter

/** The position of a fleet's entry: its host, its workspace, and its number there. */
export const fleetEntryPlaceSchema = z.object({
  host: z.string().max(60),
  workspace: z.string().max(60),
  id: z.string().max(60),
})

export type FleetEntryPlace = z.infer<typeof fleetEntryPlaceSchema>

/** What has arrived since, in order of arrival: a host that was offline sends entries older than others' newest. */
export const fleetArrivalsSchema = z.object({
  entries: z.array(fleetEntrySchema),
  /** Pass it as `after` to continue from here. */
  arrival: z.int(),
  /** `part`: there is more, ask again. `lost`: the center restarted its count, so request everything again. */
  reach: z.enum(['all', 'part', 'lost']),
})

export type FleetArrivals = z.infer<typeof fleetArrivalsSchema>
