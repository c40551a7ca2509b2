import { z } from 'zod'
import { comparisonSchema } from '../verification/evidence-row.ts'
import { sessionAgentSchema, sessionModeSchema } from '../vocabulary/session.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'

/** As the program names it; whatever it is, it is shown and compared, never a path. */
const idSchema = z.string().min(1).max(200)

/** Events of sessions: runs of an agent program that Pulseward did not start. */
export const SESSION_EVENT_SCHEMAS = [
  z.object({
    type: z.literal('session-started'),
    sessionId: idSchema,
    agent: sessionAgentSchema,
    /** Top of the work tree that it works in. */
    directory: z.string(),
    /** Tree at its start or first prompt: what its turns are held against; `null`: it could not be read. */
    tree: z.string().nullable(),
    /** It was first heard of at its start or a prompt. False: at the end of a turn, so the agent may have moved that tree. */
    sawStart: z.boolean().default(true),
  }),
  /** A task was named for the session, by the operator or in a prompt; `null`: none any more. */
  z.object({
    type: z.literal('session-task-named'),
    sessionId: idSchema,
    taskId: z.string().max(200).nullable(),
    by: z.enum(['operator', 'prompt']),
  }),
  z.object({
    type: z.literal('turn-judged'),
    sessionId: idSchema,
    agent: sessionAgentSchema,
    /** Turns of one prompt share it. */
    prompt: z.string().max(200),
    mode: sessionModeSchema,
    /** `null`: nothing was measured. */
    verdict: verdictSchema.nullable(),
    /** A claim was contradicted by what was measured. */
    contradiction: z.boolean(),
    /** The agent was sent back. */
    blocked: z.boolean(),
    /** In mode `gate` it would have been. */
    wouldBlock: z.boolean(),
    /** Not judged yet, or too late for its stop. */
    deferred: z.boolean(),
    /** Refuted, and allowed to stop anyway: a decision for the operator. */
    stopped: z.boolean(),
    tree: z.string().nullable(),
    /** The verdict of an earlier turn over the same tree. */
    cached: z.boolean(),
    taskId: z.string().nullable(),
    reasons: z.array(z.string()),
    comparisons: z.array(comparisonSchema),
    /** What the agent was told, word for word; `null`: nothing. */
    said: z.string().nullable(),
    /** At most 200 paths. */
    filesChanged: z.array(z.string()),
    filesChangedCount: z.int(),
    durationMs: z.number(),
    points: z.number().min(-1e9).max(1e9).default(0),
  }),
  /** The hook is installed, and was not called at the end of a turn that changed files. */
  z.object({
    type: z.literal('session-silent'),
    sessionId: idSchema,
    agent: sessionAgentSchema,
    reason: z.string(),
  }),
  /** The hook was removed or switched off, no matter by whom. */
  z.object({
    type: z.literal('hook-removed'),
    agent: sessionAgentSchema,
    /** The session in which it was noticed; `null`: none. */
    sessionId: idSchema.nullable(),
    /** The file that does it. */
    path: z.string(),
    reason: z.string(),
    /** `uninstalled`: by `pulseward hook uninstall`; `weakened`: its agents are no longer sent back. */
    what: z.enum(['removed', 'uninstalled', 'weakened']).default('removed'),
    /** The program was kept from it. */
    prevented: z.boolean().default(false),
  }),
  /** The operator has looked at what a session left refuted. */
  z.object({ type: z.literal('session-seen'), sessionId: idSchema }),
] as const
