import { z } from 'zod'
import { trustSchema } from '../../core/read-model/trust.ts'
import {
  workspaceDetailSchema,
  workspaceNameSchema,
  workspaceSchema,
  workspaceTagsSchema,
} from '../../core/read-model/workspace.ts'
import { wholeWorkspaceSchema } from '../schemas/live-event.ts'
import { base, del, forPrograms, get, pageInput, post, put } from './base.ts'

/** A client's name for its stream of live events, chosen at random so that it is unique. */
export const streamNameSchema = z.string().min(16).max(64)

export const workspacesProcedures = {
  list: forPrograms
    .route(
      get(
        '/workspaces',
        'All workspaces; of many, those that are open so far, or all after a wait with "all"; a page with "limit" and "after"',
      ),
    )
    .input(pageInput.extend({ all: z.boolean().or(z.stringbool()).optional() }).optional())
    .output(z.array(workspaceSchema)),
  get: forPrograms
    .route(get('/workspaces/{id}', 'One workspace in full'))
    .input(z.object({ id: z.string() }))
    .output(workspaceDetailSchema),
  /** For clients of `events`; over HTTP this would be state between requests. */
  watch: forPrograms
    .input(z.object({ stream: streamNameSchema, id: z.string().nullable() }))
    .output(wholeWorkspaceSchema.nullable()),
  add: forPrograms
    .route(post('/workspaces', 'Adds a folder with a HEARTBEAT.md'))
    .input(z.object({ path: z.string().min(1), trust: z.boolean().default(false) }))
    .output(workspaceSchema),
  remove: base
    .route(del('/workspaces/{id}', 'Stops supervising; the folder stays as it is'))
    .input(z.object({ id: z.string() }))
    .output(z.object({ removed: z.string() })),
  restore: base
    .route(
      post(
        '/workspaces/{id}/restore',
        'Supervises a removed workspace again, with its record; 409 if it has been added again',
      ),
    )
    .input(z.object({ id: z.string() }))
    .output(workspaceSchema),
  label: base
    .route(put('/workspaces/{id}/label', 'Sets its name ("null": that of its folder) and its tags'))
    .input(
      z.object({
        id: z.string(),
        name: workspaceNameSchema.nullable(),
        tags: workspaceTagsSchema.default([]),
      }),
    )
    .output(workspaceSchema),
  move: base
    .route(put('/workspaces/{id}/folder', 'Says where its folder is now; 409 if it is still where it was'))
    .input(z.object({ id: z.string(), path: z.string().min(1) }))
    .output(workspaceSchema),
  acceptRecord: base
    .route(post('/workspaces/{id}/accept-record', 'Accepts the record as it is, although it was changed'))
    .input(z.object({ id: z.string() }))
    .output(z.object({ accepted: z.string() })),
  trust: forPrograms
    .route(get('/workspaces/{id}/trust', 'What the configuration would run'))
    .input(z.object({ id: z.string() }))
    .output(trustSchema),
  approve: base
    .route(post('/workspaces/{id}/trust', 'Approves exactly the configuration with this hash'))
    .input(z.object({ id: z.string(), hash: z.string() }))
    .output(trustSchema),
  openSample: base
    .route(post('/sample', 'Writes the sample workspace, adds and starts it'))
    .output(workspaceSchema),
}
