import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { MAX_UNBLOCK_SECONDS } from '../core/pacing/unblock.ts'
import { interventionSeveritySchema, interventionTypeSchema } from '../core/record/events.ts'
import * as schemas from './schemas.ts'

/*
 * The one typed contract: procedures over a MessagePort (`/rpc` for browsers) and, at the paths given here, plain HTTP with
 * OpenAPI. Clients import this file and the schemas, never an implementation.
 */

/** Errors any procedure may answer with. Everything else is INTERNAL_SERVER_ERROR, its cause only in the log. */
const base = oc.errors({
  /** No such workspace, task or attempt; the message says what exists. */
  NOT_FOUND: { status: 404 },
  /** Several workspaces and none named, or a value that the rules refuse. */
  BAD_REQUEST: { status: 400 },
  /** Changed meanwhile, already running, not trusted: the state does not allow it now. */
  CONFLICT: { status: 409 },
  /** The file or agent cannot be had: missing folder, unreadable contract. */
  UNPROCESSABLE_CONTENT: { status: 422 },
  /** The data folder cannot be read or written, such as on a full disk; nothing was changed. The message has the mend. */
  STORAGE_UNAVAILABLE: { status: 507 },
})

const workspaceInput = z.object({
  /** Workspace id; may be left out where there is only one. Over HTTP also `?workspace=ID`. */
  workspace: z.string().optional(),
})

const unblockInput = workspaceInput.extend({
  reason: z.string().trim().min(1).max(2000).optional(),
  /** Of the next attempt alone; left out: as planned. */
  timeoutSeconds: z.number().int().min(1).max(MAX_UNBLOCK_SECONDS).optional(),
  /** Multiplies the planned timeout of the next attempt; ignored beside `timeoutSeconds`. */
  timeoutMultiplier: z.number().positive().max(1000).optional(),
})

export const contract = {
  status: base
    .route({ method: 'GET', path: '/status', summary: 'The host and all workspaces' })
    .output(schemas.hostStatusSchema),

  score: {
    get: base
      .route({ method: 'GET', path: '/score', summary: "Today's score" })
      .input(workspaceInput)
      .output(schemas.scoreSchema),
    history: base
      .route({
        method: 'GET',
        path: '/score/history',
        summary: 'Today and up to 7 archived days, oldest first',
      })
      .input(workspaceInput)
      .output(schemas.scoreHistorySchema),
    feedback: base
      .route({ method: 'POST', path: '/score/feedback', summary: 'Thumbs up or down' })
      .input(
        workspaceInput.extend({
          feedback: z.enum(['up', 'down']),
          attemptId: z.string().optional(),
          note: z.string().max(2000).optional(),
        }),
      )
      .output(z.object({ delta: z.number(), score: z.number() })),
  },

  workspaces: {
    list: base
      .route({ method: 'GET', path: '/workspaces', summary: 'All workspaces' })
      .output(z.array(schemas.workspaceSchema)),
    get: base
      .route({ method: 'GET', path: '/workspaces/{id}', summary: 'One workspace, whole' })
      .input(z.object({ id: z.string() }))
      .output(schemas.workspaceDetailSchema),
    add: base
      .route({ method: 'POST', path: '/workspaces', summary: 'Adds a folder with a HEARTBEAT.md' })
      .input(z.object({ path: z.string().min(1), trust: z.boolean().default(false) }))
      .output(schemas.workspaceSchema),
    remove: base
      .route({
        method: 'DELETE',
        path: '/workspaces/{id}',
        summary: 'Stops supervising; the folder stays as it is',
      })
      .input(z.object({ id: z.string() }))
      .output(z.object({ removed: z.string() })),
    trust: base
      .route({ method: 'GET', path: '/workspaces/{id}/trust', summary: 'What the configuration would run' })
      .input(z.object({ id: z.string() }))
      .output(schemas.trustSchema),
    approve: base
      .route({
        method: 'POST',
        path: '/workspaces/{id}/trust',
        summary: 'Approves exactly the configuration with this hash',
      })
      .input(z.object({ id: z.string(), hash: z.string() }))
      .output(schemas.trustSchema),
    openSample: base
      .route({ method: 'POST', path: '/sample', summary: 'Writes the sample workspace, adds and starts it' })
      .output(schemas.workspaceSchema),
  },

  contract: {
    get: base
      .route({ method: 'GET', path: '/contract', summary: 'HEARTBEAT.md as text and as parsed' })
      .input(workspaceInput)
      .output(schemas.contractDocumentSchema),
    put: base
      .route({
        method: 'PUT',
        path: '/contract',
        summary: 'Writes HEARTBEAT.md; 409 if it is no longer the one that was read',
      })
      .input(workspaceInput.extend({ text: z.string(), hash: z.string() }))
      .output(schemas.contractDocumentSchema),
    check: base
      .route({ method: 'POST', path: '/contract/check', summary: 'Parses and lints a text' })
      .input(workspaceInput.extend({ text: z.string() }))
      .output(schemas.contractReportSchema),
  },

  tasks: {
    list: base
      .route({ method: 'GET', path: '/tasks', summary: 'The tasks with their status' })
      .input(workspaceInput)
      .output(z.array(schemas.taskSchema)),
    blocked: base
      .route({
        method: 'GET',
        path: '/tasks/blocked',
        summary: 'The tasks with no attempts left: why, what was tried, what can be done',
      })
      .input(
        workspaceInput.extend({
          /** Left out: as `auto_suggest` says. */
          suggest: z.union([z.boolean(), z.stringbool()]).optional(),
        }),
      )
      .output(z.array(schemas.blockedTaskSchema)),
    unblock: base
      .route({
        method: 'POST',
        path: '/tasks/{id}/unblock',
        summary: 'Gives a blocked task its attempts back; 409 if it is not blocked',
      })
      .input(unblockInput.extend({ id: z.string() }))
      .output(schemas.unblockedTaskSchema),
    unblockLevel: base
      .route({
        method: 'POST',
        path: '/tasks/unblock',
        summary: 'Unblocks all blocked tasks of one kind of work',
      })
      .input(unblockInput.extend({ filter: schemas.complexitySchema }))
      .output(schemas.unblockReportSchema),
    retryBlocked: base
      .route({
        method: 'POST',
        path: '/tasks/retry-blocked',
        summary: 'Unblocks all blocked tasks that have not been retried too often',
      })
      .input(
        workspaceInput.extend({
          /** Attempts each released task gets before it is blocked again; left out: its max_attempts. */
          maxAttempts: z.number().int().min(1).max(1000).optional(),
        }),
      )
      .output(schemas.unblockReportSchema),
    sweep: base
      .route({
        method: 'POST',
        path: '/tasks/sweep',
        summary: 'Verifies the blocked tasks again without running an agent',
      })
      .input(workspaceInput)
      .output(z.array(schemas.sweptTaskSchema)),
  },

  heartbeat: {
    run: base
      .route({
        method: 'POST',
        path: '/heartbeat/run',
        summary: 'Runs one cycle now and answers with its report',
      })
      .input(workspaceInput.extend({ wait: z.boolean().default(true) }))
      .output(schemas.runReportSchema.nullable()),
    pause: base
      .route({ method: 'POST', path: '/heartbeat/pause', summary: 'Pauses until a time, or until resumed' })
      .input(workspaceInput.extend({ until: z.string().nullable().default(null) }))
      .output(schemas.workspaceSchema),
    resume: base
      .route({ method: 'POST', path: '/heartbeat/resume', summary: 'Resumes a paused workspace' })
      .input(workspaceInput)
      .output(schemas.workspaceSchema),
    liftSuspension: base
      .route({
        method: 'POST',
        path: '/heartbeat/lift-suspension',
        summary: 'Ends a suspension after the manual review; 409 if there is none',
      })
      .input(workspaceInput.extend({ reason: z.string().trim().min(1).max(2000) }))
      .output(schemas.workspaceSchema),
  },

  interventions: {
    list: base
      .route({ method: 'GET', path: '/interventions', summary: 'Interventions, newest first' })
      .input(
        workspaceInput.extend({
          last: z.coerce.number().int().min(1).max(1000).default(50),
          type: interventionTypeSchema.optional(),
          severity: interventionSeveritySchema.optional(),
          /** `nextCursor` of the answer before, to go on from there. */
          cursor: z.string().optional(),
        }),
      )
      .output(
        z.object({ interventions: z.array(schemas.interventionSchema), nextCursor: z.string().nullable() }),
      ),
    metrics: base
      .route({ method: 'GET', path: '/interventions/metrics', summary: 'Numbers over all interventions' })
      .input(workspaceInput)
      .output(schemas.interventionMetricsSchema),
    reset: base
      .route({
        method: 'POST',
        path: '/interventions/reset',
        summary: 'Forgets profiles, circuit breakers and waiting feedback; the interventions stay recorded',
      })
      .input(workspaceInput)
      .output(schemas.workspaceSchema),
  },

  agents: {
    profile: base
      .route({ method: 'GET', path: '/agents/{id}/profile', summary: 'How one agent works' })
      .input(workspaceInput.extend({ id: z.string() }))
      .output(schemas.agentProfileSchema),
  },

  attempts: {
    list: base
      .route({ method: 'GET', path: '/attempts', summary: 'Attempts, newest first' })
      .input(
        workspaceInput.extend({
          limit: z.coerce.number().int().min(1).max(500).default(50),
          cursor: z.string().optional(),
        }),
      )
      .output(
        z.object({ attempts: z.array(schemas.attemptSummarySchema), nextCursor: z.string().nullable() }),
      ),
    get: base
      .route({ method: 'GET', path: '/attempts/{id}', summary: 'One attempt, whole' })
      .input(workspaceInput.extend({ id: z.string() }))
      .output(schemas.attemptDetailSchema),
    overrule: base
      .route({
        method: 'POST',
        path: '/attempts/{id}/overrule',
        summary: "Replaces the verifier's verdict by the operator's",
      })
      .input(
        workspaceInput.extend({
          id: z.string(),
          verdict: schemas.verdictSchema,
          reason: z.string().trim().min(1).max(2000),
        }),
      )
      .output(z.object({ delta: z.number(), score: z.number() })),
  },

  /** Over HTTP this is `GET /api/events`, written by the server itself so that each event carries its name. */
  events: base
    .input(z.object({ workspace: z.string().optional() }).optional())
    .output(eventIterator(schemas.liveEventSchema)),
}

export type ApiContract = typeof contract
