import { z } from 'zod'
import type { SessionRecord } from '../record/session-record.ts'
import type { WorkspaceState } from '../record/state.ts'
import { sessionAgentSchema, sessionModeSchema } from '../vocabulary/session.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'

export const sessionTurnSchema = z.object({
  /** Its place in the record, used to request its page. */
  seq: z.int(),
  /** ISO 8601. */
  at: z.string(),
  verdict: verdictSchema.nullable(),
  blocked: z.boolean(),
  wouldBlock: z.boolean(),
  deferred: z.boolean(),
  /** Contradicted, and allowed to stop anyway. */
  stopped: z.boolean(),
  contradiction: z.boolean(),
  mode: sessionModeSchema,
  tree: z.string().nullable(),
  reasons: z.array(z.string()),
})

/** A run of an agent program that Pulseward did not start. */
export const sessionSchema = z.object({
  sessionId: z.string(),
  agent: sessionAgentSchema,
  workspace: z.string(),
  startedAt: z.string(),
  /** ISO 8601: when it was last heard from. */
  lastAt: z.string(),
  directory: z.string(),
  taskId: z.string().nullable(),
  /** It was heard from within the last half hour. */
  running: z.boolean(),
  /** Its last turn was contradicted and allowed to stop, and the operator has not reviewed it. */
  needsDecision: z.boolean(),
  /** Why its end was not reported; `null`: it was. */
  silent: z.string().nullable(),
  turns: z.array(sessionTurnSchema),
})

export type SessionView = z.infer<typeof sessionSchema>

const RUNNING_MS = 30 * 60_000

/** Returns a workspace's sessions, the one last heard from first. */
export function sessionViews(
  { sessions }: Pick<WorkspaceState, 'sessions'>,
  { workspace, nowMs, last }: { readonly workspace: string; readonly nowMs: number; readonly last: number },
): SessionView[] {
  return sessions.slice(0, last).map((session) => sessionView(session, workspace, nowMs))
}

function sessionView(
  { tree: _tree, sawStart: _sawStart, turns, ...session }: SessionRecord,
  workspace: string,
  nowMs: number,
): SessionView {
  return {
    ...session,
    workspace,
    running: nowMs - Date.parse(session.lastAt) < RUNNING_MS,
    turns: turns.map(({ prompt: _prompt, reasons, ...turn }) => ({ ...turn, reasons: [...reasons] })),
  }
}
