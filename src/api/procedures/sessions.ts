import { z } from 'zod'
import { sessionSchema } from '../../core/read-model/session.ts'
import { comparisonSchema } from '../../core/verification/evidence-row.ts'
import {
  hookEventSchema,
  hookedAgentSchema,
  hookStateSchema,
  sessionAgentSchema,
  sessionModeSchema,
} from '../../core/vocabulary/session.ts'
import { verdictSchema } from '../../core/vocabulary/verdict.ts'
import { base, forAgents, forPrograms, workspaceInput } from './base.ts'

/** A turn with all that was recorded of it. */
export const wholeTurnSchema = z.object({
  sessionId: z.string(),
  agent: sessionAgentSchema,
  seq: z.int(),
  at: z.string(),
  mode: sessionModeSchema,
  verdict: verdictSchema.nullable(),
  contradiction: z.boolean(),
  blocked: z.boolean(),
  wouldBlock: z.boolean(),
  deferred: z.boolean(),
  stopped: z.boolean(),
  tree: z.string().nullable(),
  taskId: z.string().nullable(),
  reasons: z.array(z.string()),
  comparisons: z.array(comparisonSchema),
  /** What the agent was told; `null`: nothing. */
  said: z.string().nullable(),
  filesChanged: z.array(z.string()),
  filesChangedCount: z.int(),
  durationMs: z.number(),
  points: z.number(),
})

export type WholeTurn = z.infer<typeof wholeTurnSchema>

export const sessionsProcedures = {
  list: forPrograms
    .route({
      method: 'GET',
      path: '/sessions',
      summary: 'Runs of agents that Pulseward did not start, newest first',
    })
    .input(workspaceInput.extend({ last: z.coerce.number().int().min(1).max(50).default(20) }))
    .output(z.object({ sessions: z.array(sessionSchema) })),
  turn: forPrograms
    .route({
      method: 'GET',
      path: '/sessions/turns/{seq}',
      summary: 'One turn of a session, as it was recorded',
    })
    .input(workspaceInput.extend({ seq: z.coerce.number().int().min(1) }))
    .output(wholeTurnSchema),
  name: base
    .route({ method: 'POST', path: '/sessions/task', summary: 'Names the task that a session is for' })
    .input(
      workspaceInput.extend({
        /** Left out: the one that was heard of last. */
        session: z.string().max(200).optional(),
        /** `null`: for none any more. */
        task: z.string().max(200).nullable(),
      }),
    )
    .output(sessionSchema),
  see: base
    .route({
      method: 'POST',
      path: '/sessions/seen',
      summary: 'Says that you have looked at what a session left refuted',
    })
    .input(workspaceInput.extend({ session: z.string().max(200).optional() }))
    .output(z.object({ sessions: z.array(sessionSchema) })),
  /**
   * Asked by the hook of an agent's program. Requests of an agent under supervision are taken too, and come to nothing: its program may call a
   * hook at user level without knowing better, which is no reach for the supervisor.
   */
  hook: forAgents
    .route({
      method: 'POST',
      path: '/sessions/hook',
      summary: 'A hook of an agent’s program passes on what it was told',
    })
    .input(
      z.object({
        agent: sessionAgentSchema,
        event: hookEventSchema,
        /** As the program wrote it. */
        text: z.string().max(1024 * 1024),
        directory: z.string().max(4096),
        /** How long the hook waits for an answer. */
        waitMs: z.number().min(0).max(900_000),
      }),
    )
    .output(z.object({ document: z.record(z.string(), z.unknown()).nullable() })),
}

export const hookStatusSchema = z.object({
  agent: hookedAgentSchema,
  installed: z.boolean(),
  mode: sessionModeSchema,
  state: hookStateSchema,
  /** ISO 8601; `null`: never. */
  lastCallAt: z.string().nullable(),
  /** Why it is silenced; `null`: it is not. */
  because: z.string().nullable(),
  /** The program's own file. */
  path: z.string(),
})

const hookListSchema = z.object({ agents: z.array(hookStatusSchema) })
const hookInput = z.object({ agent: hookedAgentSchema })

export const hooksProcedures = {
  status: forPrograms
    .route({ method: 'GET', path: '/hooks', summary: 'How the hook stands in each agent’s program' })
    .output(hookListSchema),
  plan: base
    .route({ method: 'GET', path: '/hooks/{agent}/plan', summary: 'What installing the hook would change' })
    .input(hookInput)
    .output(z.object({ path: z.string(), patch: z.string().nullable() })),
  install: base
    .route({ method: 'POST', path: '/hooks/{agent}', summary: 'Installs the hook in an agent’s program' })
    .input(hookInput.extend({ mode: sessionModeSchema.optional() }))
    .output(hookListSchema),
  uninstall: base
    .route({
      method: 'POST',
      path: '/hooks/{agent}/uninstall',
      summary: 'Takes the hook out of an agent’s program',
    })
    .input(hookInput)
    .output(hookListSchema),
  mode: base
    .route({
      method: 'POST',
      path: '/hooks/{agent}/mode',
      summary: 'Whether a program’s agents are sent back',
    })
    .input(hookInput.extend({ mode: sessionModeSchema }))
    .output(hookListSchema),
}
