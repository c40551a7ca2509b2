import { z } from 'zod'
import { comparisonSchema } from '../verification/evidence-row.ts'
import { sessionAgentSchema, sessionModeSchema } from '../vocabulary/session.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'

/** The program's own name for it. Only shown and compared; never used as a path. */
const idSchema = z.string().min(1).max(200)

/** Events of sessions: runs of an agent program that Pulseward did not start. */
export const SESSION_EVENT_SCHEMAS = [
  z.object({
    type: z.literal('session-started'),
    sessionId: idSchema,
    agent: sessionAgentSchema,
    /** Top of the work tree it works in. */
    directory: z.string(),
    /** Tree at its start or first prompt, with which its turns are compared; `null`: it could not be read. */
    tree: z.string().nullable(),
    /** True if it was first heard from at its start or a prompt. False: at the end of a turn, so the agent may have moved that tree. */
    sawStart: z.boolean().default(true),
  }),
  /** A task was named for the session, by the operator or in a prompt; `null` if it has none anymore. */
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
    /** The same for all turns of one prompt. */
    prompt: z.string().max(200),
    mode: sessionModeSchema,
    /** `null`: nothing was measured. */
    verdict: verdictSchema.nullable(),
    /** A measurement contradicted a claim. */
    contradiction: z.boolean(),
    /** The agent was sent back. */
    blocked: z.boolean(),
    /** It would have been in mode `gate`. */
    wouldBlock: z.boolean(),
    /** Not judged yet, or too late for its stop. */
    deferred: z.boolean(),
    /** Contradicted, and allowed to stop anyway: a decision for the operator. */
    stopped: z.boolean(),
    tree: z.string().nullable(),
    /** The verdict is that of an earlier turn on the same tree. */
    cached: z.boolean(),
    taskId: z.string().nullable(),
    reasons: z.array(z.string()),
    comparisons: z.array(comparisonSchema),
    /** The exact text sent to the agent; `null` if there is none. */
    said: z.string().nullable(),
    /** At most 200 paths. */
    filesChanged: z.array(z.string()),
    filesChangedCount: z.int(),
    durationMs: z.number(),
    points: z.number().min(-1e9).max(1e9).default(0),
  }),
  /** The hook is installed but was not called at the end of a turn that changed files. */
  z.object({
    type: z.literal('session-silent'),
    sessionId: idSchema,
    agent: sessionAgentSchema,
    reason: z.string(),
  }),
  /** The hook was removed or disabled, by anyone. */
  z.object({
    type: z.literal('hook-removed'),
    agent: sessionAgentSchema,
    /** The session in which this was noticed; `null` if there is none. */
    sessionId: idSchema.nullable(),
    /** The file that disables it. */
    path: z.string(),
    reason: z.string(),
    /** `uninstalled`: by `pulseward hook uninstall`; `weakened`: the hook no longer sends its agents back to work. */
    what: z.enum(['removed', 'uninstalled', 'weakened']).default('removed'),
    /** The program was prevented from doing it. */
    prevented: z.boolean().default(false),
  }),
  /** The operator has reviewed what was contradicted in a session. */
  z.object({ type: z.literal('session-seen'), sessionId: idSchema }),
] as const
