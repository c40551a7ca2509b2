import { z } from 'zod'
import { trustSchema } from '../../core/read-model/trust.ts'
import {
  workspaceDetailSchema,
  workspaceNameSchema,
  workspaceSchema,
  workspaceTagsSchema,
} from '../../core/read-model/workspace.ts'
import { wholeWorkspaceSchema } from '../schemas/live-event.ts'
import { base, forPrograms, pageInput } from './base.ts'

/** What a client calls its stream of live events: nobody else's, so of its own making and by chance. */
export const streamNameSchema = z.string().min(16).max(64)

export const workspacesProcedures = {
  list: forPrograms
    .route({
      method: 'GET',
      path: '/workspaces',
      summary:
        'All workspaces; of many, those that are open by now, or all after a wait with "all"; a page with "limit" and "after"',
    })
    .input(pageInput.extend({ all: z.boolean().or(z.stringbool()).optional() }).optional())
    .output(z.array(workspaceSchema)),
  get: forPrograms
    .route({ method: 'GET', path: '/workspaces/{id}', summary: 'One workspace, whole' })
    .input(z.object({ id: z.string() }))
    .output(workspaceDetailSchema),
  /** For clients of `events`: over HTTP it would be a state between requests. */
  watch: forPrograms
    .input(z.object({ stream: streamNameSchema, id: z.string().nullable() }))
    .output(wholeWorkspaceSchema.nullable()),
  add: forPrograms
    .route({ method: 'POST', path: '/workspaces', summary: 'Adds a folder with a HEARTBEAT.md' })
    .input(z.object({ path: z.string().min(1), trust: z.boolean().default(false) }))
    .output(workspaceSchema),
  remove: base
    .route({
      method: 'DELETE',
      path: '/workspaces/{id}',
      summary: 'Stops supervising; the folder stays as it is',
    })
    .input(z.object({ id: z.string() }))
    .output(z.object({ removed: z.string() })),
  restore: base
    .route({
      method: 'POST',
      path: '/workspaces/{id}/restore',
      summary: 'Supervises a removed workspace again, with its record; 409 if it was added again meanwhile',
    })
    .input(z.object({ id: z.string() }))
    .output(workspaceSchema),
  label: base
    .route({
      method: 'PUT',
      path: '/workspaces/{id}/label',
      summary: 'What it is called ("null": as its folder is), and its tags',
    })
    .input(
      z.object({
        id: z.string(),
        name: workspaceNameSchema.nullable(),
        tags: workspaceTagsSchema.default([]),
      }),
    )
    .output(workspaceSchema),
  acceptRecord: base
    .route({
      method: 'POST',
      path: '/workspaces/{id}/accept-record',
      summary: 'Takes the record as it stands, though it is not as it was left',
    })
    .input(z.object({ id: z.string() }))
    .output(z.object({ accepted: z.string() })),
  trust: forPrograms
    .route({ method: 'GET', path: '/workspaces/{id}/trust', summary: 'What the configuration would run' })
    .input(z.object({ id: z.string() }))
    .output(trustSchema),
  approve: base
    .route({
      method: 'POST',
      path: '/workspaces/{id}/trust',
      summary: 'Approves exactly the configuration with this hash',
    })
    .input(z.object({ id: z.string(), hash: z.string() }))
    .output(trustSchema),
  openSample: base
    .route({ method: 'POST', path: '/sample', summary: 'Writes the sample workspace, adds and starts it' })
    .output(workspaceSchema),
}
