import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { contentAskSchema, fleetContentSchema } from '../../core/fleet/content.ts'
import { cursorSchema } from '../../core/fleet/cursor.ts'
import { fleetStatusSchema, joinSchema } from '../../core/fleet/status.ts'
import {
  fleetArrivalsSchema,
  fleetDetailSchema,
  fleetEntryPlaceSchema,
  fleetEntrySchema,
  fleetFilterSchema,
  fleetHostSchema,
  fleetRankSchema,
  fleetSummarySchema,
  fleetWorkspaceSchema,
} from '../../core/fleet/view.ts'
import { timelineFilterSchema } from '../schemas/timeline.ts'
import { base, del, forPrograms, get, post } from './base.ts'

/** A page of a long list. */
const fleetListSchema = fleetFilterSchema.extend({
  /** Items to skip. */
  offset: z.coerce.number().int().min(0).default(0),
  /** Omitted: all. */
  limit: z.coerce.number().int().min(1).max(1_000).optional(),
})

/** Filters for a fleet's timeline. */
export const fleetEntryFilterSchema = fleetFilterSchema.extend(timelineFilterSchema.shape)

export const fleetExportInput = fleetEntryFilterSchema.extend({
  format: z.enum(['json', 'csv']).default('json'),
})

export const fleetProcedures = {
  status: forPrograms
    .route(get('/fleet', 'The fleet that this host is in, and what was sent'))
    .output(fleetStatusSchema),
  hosts: forPrograms
    .route(get('/fleet/hosts', 'For a center: its hosts, and when each was last heard from'))
    .output(z.array(fleetHostSchema)),
  workspaces: forPrograms
    .route(
      get(
        '/fleet/workspaces',
        'For a center: the workspaces of all its hosts, by host, group and tag; those that need attention come first',
      ),
    )
    .input(fleetListSchema)
    .output(z.array(fleetWorkspaceSchema)),
  workspace: forPrograms
    .route(get('/fleet/workspace', 'For a center: one workspace of one host, with its last attempts'))
    .input(z.object({ host: z.string().max(60), workspace: z.string().max(60) }))
    .output(fleetDetailSchema),
  summary: forPrograms
    .route(
      get(
        '/fleet/summary',
        'For a center: whether the agents can be trusted, with totals by host, group and tag',
      ),
    )
    .input(fleetFilterSchema)
    .output(fleetSummarySchema),
  leaderboard: forPrograms
    .route(
      get(
        '/fleet/leaderboard',
        'For a center: workspaces by the share of their targets over seven finished days',
      ),
    )
    .input(fleetListSchema)
    .output(z.array(fleetRankSchema)),
  timeline: forPrograms
    .route(get('/fleet/timeline', 'For a center: everything that happened on all its hosts, newest first'))
    .input(
      fleetEntryFilterSchema.extend({
        before: z.iso.datetime({ offset: true }).optional(),
        /** `cursor` of an entry, to continue after it. */
        cursor: cursorSchema.optional(),
        limit: z.coerce.number().int().min(1).max(1_000).default(100),
      }),
    )
    .output(z.array(fleetEntrySchema)),
  arrivals: forPrograms
    .route(get('/fleet/timeline/arrivals', 'For a center: what arrived since, however long ago it happened'))
    .input(
      fleetEntryFilterSchema.extend({
        /** `arrival` of the previous answer. Omitted: returns only the current position. */
        after: z.coerce.number().int().min(0).optional(),
      }),
    )
    .output(fleetArrivalsSchema),
  entry: forPrograms
    .route(get('/fleet/timeline/entry', 'For a center: one entry, with its place in the timeline'))
    .input(fleetEntryPlaceSchema)
    .output(fleetEntrySchema),
  content: forPrograms
    .route(
      get(
        '/fleet/content',
        'For a center: what was asked, said and changed in an attempt, if its host allows sending it',
      ),
    )
    .input(contentAskSchema)
    .output(fleetContentSchema),
  /** Over HTTP this is `GET /api/fleet/timeline/export`, written by the server itself as one document. */
  export: forPrograms.input(fleetExportInput).output(eventIterator(z.string())),
  join: base
    .route(post('/fleet', 'Joins the fleet of a hub, or another one'))
    .input(joinSchema)
    .output(fleetStatusSchema),
  leave: base
    .route(del('/fleet', 'Leaves the fleet; what was sent stays there'))
    .output(z.object({ left: z.boolean() })),
}
