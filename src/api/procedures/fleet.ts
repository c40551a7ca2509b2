import { z } from 'zod'
import { fleetStatusSchema, joinSchema } from '../../core/fleet/status.ts'
import {
  fleetEntrySchema,
  fleetFilterSchema,
  fleetHostSchema,
  fleetRankSchema,
  fleetWorkspaceSchema,
} from '../../core/fleet/view.ts'
import { base } from './base.ts'

export const fleetProcedures = {
  status: base
    .route({ method: 'GET', path: '/fleet', summary: 'The fleet that this host is in, and what was sent' })
    .output(fleetStatusSchema),
  hosts: base
    .route({
      method: 'GET',
      path: '/fleet/hosts',
      summary: 'Of a centre: its hosts, and when each was heard of',
    })
    .output(z.array(fleetHostSchema)),
  workspaces: base
    .route({
      method: 'GET',
      path: '/fleet/workspaces',
      summary: 'Of a centre: the workspaces of all its hosts, by host, group and tag',
    })
    .input(fleetFilterSchema)
    .output(z.array(fleetWorkspaceSchema)),
  leaderboard: base
    .route({
      method: 'GET',
      path: '/fleet/leaderboard',
      summary: 'Of a centre: workspaces by the share of their targets over seven finished days',
    })
    .input(fleetFilterSchema)
    .output(z.array(fleetRankSchema)),
  timeline: base
    .route({
      method: 'GET',
      path: '/fleet/timeline',
      summary: 'Of a centre: everything that happened on all its hosts, newest first',
    })
    .input(
      fleetFilterSchema.extend({
        before: z.iso.datetime({ offset: true }).optional(),
        limit: z.coerce.number().int().min(1).max(1_000).default(100),
      }),
    )
    .output(z.array(fleetEntrySchema)),
  join: base
    .route({ method: 'POST', path: '/fleet', summary: 'Joins the fleet of a hub, or another one' })
    .input(joinSchema)
    .output(fleetStatusSchema),
  leave: base
    .route({ method: 'DELETE', path: '/fleet', summary: 'Leaves the fleet; what was sent stays there' })
    .output(z.object({ left: z.boolean() })),
}
