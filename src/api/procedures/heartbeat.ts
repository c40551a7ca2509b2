import { z } from 'zod'
import { runReportSchema } from '../../core/read-model/attempt.ts'
import { workspaceSchema } from '../../core/read-model/workspace.ts'
import { base, forPrograms, post, workspaceInput } from './base.ts'

export const heartbeatProcedures = {
  run: forPrograms
    .route(
      post(
        '/heartbeat/run',
        'Runs one heartbeat now and returns its report; 409 if one is running, but with "join" waits for that one',
      ),
    )
    .input(
      workspaceInput.extend({
        wait: z.boolean().default(true),
        /** Wait for a heartbeat that is already running. */
        join: z.boolean().default(false),
      }),
    )
    .output(runReportSchema.nullable()),
  // Needs no proof of who sent it: agents' processes are rejected, and everything else must be able to stop a run in an
  // emergency.
  stop: forPrograms
    .route(
      post('/heartbeat/stop', 'Stops the running heartbeat now, without a score; 409 if none is running'),
    )
    .input(workspaceInput)
    .output(workspaceSchema),
  pause: base
    .route(post('/heartbeat/pause', 'Pauses until a time, or until resumed'))
    .input(
      workspaceInput.extend({
        /** ISO 8601, or `tomorrow`: the next local midnight, or the start of the active hours after it. */
        until: z.string().nullable().default(null),
      }),
    )
    .output(workspaceSchema),
  resume: base
    .route(post('/heartbeat/resume', 'Resumes a paused workspace'))
    .input(workspaceInput)
    .output(workspaceSchema),
  liftSuspension: base
    .route(
      post('/heartbeat/lift-suspension', 'Ends a suspension after the manual review; 409 if there is none'),
    )
    .input(workspaceInput.extend({ reason: z.string().trim().min(1).max(2000) }))
    .output(workspaceSchema),
}
