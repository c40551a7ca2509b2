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
import { base, forAgents, forPrograms, get, post, workspaceInput } from './base.ts'

/** A turn with everything recorded about it. */
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
  /** Nothing was measured again: neither the tree nor the claims had changed. */
  cached: z.boolean(),
  stopped: z.boolean(),
  tree: z.string().nullable(),
  taskId: z.string().nullable(),
  reasons: z.array(z.string()),
  comparisons: z.array(comparisonSchema),
  /** The answer to the agent; `null` if there is none. */
  said: z.string().nullable(),
  filesChanged: z.array(z.string()),
  filesChangedCount: z.int(),
  durationMs: z.number(),
  points: z.number(),
})

export const sessionsProcedures = {
  list: forPrograms
    .route(get('/sessions', 'Runs of agents that Pulseward did not start, newest first'))
    .input(workspaceInput.extend({ last: z.coerce.number().int().min(1).max(50).default(20) }))
    .output(z.object({ sessions: z.array(sessionSchema) })),
  turn: forPrograms
    .route(get('/sessions/turns/{seq}', 'One turn of a session, as it was recorded'))
    .input(workspaceInput.extend({ seq: z.coerce.number().int().min(1) }))
    .output(wholeTurnSchema),
  name: base
    .route(post('/sessions/task', 'Sets the task that a session is for'))
    .input(
      workspaceInput.extend({
        /** Omitted: the session last heard from. */
        session: z.string().max(200).optional(),
        /** `null`: the session no longer works on any task. */
        task: z.string().max(200).nullable(),
      }),
    )
    .output(sessionSchema),
  see: base
    .route(post('/sessions/seen', 'Says that you have reviewed a session’s contradictions'))
    .input(workspaceInput.extend({ session: z.string().max(200).optional() }))
    .output(z.object({ sessions: z.array(sessionSchema) })),
  /**
   * Called by the hook of an agent's program. Requests from a supervised agent are accepted too, but do nothing: its program
   * may call a user-level hook without knowing better, which is not an attempt to access the supervisor.
   */
  hook: forAgents
    .route(post('/sessions/hook', 'Called by the hook of an agent’s program to pass on what it received'))
    .input(
      z.object({
        agent: sessionAgentSchema,
        event: hookEventSchema,
        /** The call as the program wrote it. */
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
  /** Why it is silenced, or what is missing; `null` if all is well. */
  because: z.string().nullable(),
  /** The program's own file. */
  path: z.string(),
})

const hookListSchema = z.object({ agents: z.array(hookStatusSchema) })
const hookInput = z.object({ agent: hookedAgentSchema })

export const hooksProcedures = {
  status: forPrograms
    .route(get('/hooks', 'The state of the hook in each agent’s program'))
    .output(hookListSchema),
  plan: base
    .route(get('/hooks/{agent}/plan', 'What installing the hook would change'))
    .input(hookInput)
    .output(z.object({ path: z.string(), patch: z.string().nullable() })),
  install: base
    .route(post('/hooks/{agent}', 'Installs the hook in an agent’s program'))
    .input(hookInput.extend({ mode: sessionModeSchema.optional() }))
    .output(hookListSchema),
  uninstall: base
    .route(post('/hooks/{agent}/uninstall', 'Removes the hook from an agent’s program'))
    .input(hookInput)
    .output(hookListSchema),
  mode: base
    .route(post('/hooks/{agent}/mode', 'Sets whether a program’s agents are sent back'))
    .input(hookInput.extend({ mode: sessionModeSchema }))
    .output(hookListSchema),
}
