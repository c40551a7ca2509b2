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
import { base, forPrograms } from './base.ts'

/** A part of a long list. */
const fleetListSchema = fleetFilterSchema.extend({
  /** So many are passed over. */
  offset: z.coerce.number().int().min(0).default(0),
  /** Left out: all. */
  limit: z.coerce.number().int().min(1).max(1_000).optional(),
})

/** What the timeline of a fleet is narrowed to. */
export const fleetEntryFilterSchema = fleetFilterSchema.extend(timelineFilterSchema.shape)

export const fleetExportInput = fleetEntryFilterSchema.extend({
  format: z.enum(['json', 'csv']).default('json'),
})

export const fleetProcedures = {
  status: forPrograms
    .route({ method: 'GET', path: '/fleet', summary: 'The fleet that this host is in, and what was sent' })
    .output(fleetStatusSchema),
  hosts: forPrograms
    .route({
      method: 'GET',
      path: '/fleet/hosts',
      summary: 'Of a centre: its hosts, and when each was heard of',
    })
    .output(z.array(fleetHostSchema)),
  workspaces: forPrograms
    .route({
      method: 'GET',
      path: '/fleet/workspaces',
      summary:
        'Of a centre: the workspaces of all its hosts, by host, group and tag, who needs the operator first',
    })
    .input(fleetListSchema)
    .output(z.array(fleetWorkspaceSchema)),
  workspace: forPrograms
    .route({
      method: 'GET',
      path: '/fleet/workspace',
      summary: 'Of a centre: one workspace of one host, with its last attempts',
    })
    .input(z.object({ host: z.string().max(60), workspace: z.string().max(60) }))
    .output(fleetDetailSchema),
  summary: forPrograms
    .route({
      method: 'GET',
      path: '/fleet/summary',
      summary: 'Of a centre: whether the agents can be trusted, and how much there is by host, group and tag',
    })
    .input(fleetFilterSchema)
    .output(fleetSummarySchema),
  leaderboard: forPrograms
    .route({
      method: 'GET',
      path: '/fleet/leaderboard',
      summary: 'Of a centre: workspaces by the share of their targets over seven finished days',
    })
    .input(fleetListSchema)
    .output(z.array(fleetRankSchema)),
  timeline: forPrograms
    .route({
      method: 'GET',
      path: '/fleet/timeline',
      summary: 'Of a centre: everything that happened on all its hosts, newest first',
    })
    .input(
      fleetEntryFilterSchema.extend({
        before: z.iso.datetime({ offset: true }).optional(),
        /** `cursor` of an entry, to go on behind it. */
        cursor: cursorSchema.optional(),
        limit: z.coerce.number().int().min(1).max(1_000).default(100),
      }),
    )
    .output(z.array(fleetEntrySchema)),
  arrivals: forPrograms
    .route({
      method: 'GET',
      path: '/fleet/timeline/arrivals',
      summary: 'Of a centre: what came to it since, however long ago it happened',
    })
    .input(
      fleetEntryFilterSchema.extend({
        /** `arrival` of the answer before. Left out: only where it stands is told. */
        after: z.coerce.number().int().min(0).optional(),
      }),
    )
    .output(fleetArrivalsSchema),
  entry: forPrograms
    .route({
      method: 'GET',
      path: '/fleet/timeline/entry',
      summary: 'Of a centre: one entry, with its place in the timeline',
    })
    .input(fleetEntryPlaceSchema)
    .output(fleetEntrySchema),
  content: forPrograms
    .route({
      method: 'GET',
      path: '/fleet/content',
      summary: 'Of a centre: what was asked, said and changed in an attempt, where its host lets it leave',
    })
    .input(contentAskSchema)
    .output(fleetContentSchema),
  /** Over HTTP this is `GET /api/fleet/timeline/export`, written by the server itself as one document. */
  export: forPrograms.input(fleetExportInput).output(eventIterator(z.string())),
  join: base
    .route({ method: 'POST', path: '/fleet', summary: 'Joins the fleet of a hub, or another one' })
    .input(joinSchema)
    .output(fleetStatusSchema),
  leave: base
    .route({ method: 'DELETE', path: '/fleet', summary: 'Leaves the fleet; what was sent stays there' })
    .output(z.object({ left: z.boolean() })),
}
