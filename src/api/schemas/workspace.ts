import { z } from 'zod'
import { heartbeatStateSchema } from '../../core/vocabulary/heartbeat.ts'
import { shieldSchema } from '../../core/vocabulary/standing.ts'
import { trustStateSchema } from '../../core/vocabulary/trust.ts'
import { shownVerdictSchema } from '../../core/vocabulary/verdict.ts'
import { attemptSummarySchema } from './attempt.ts'
import { diagnosticSchema } from './contract-document.ts'
import { interventionSchema } from './intervention.ts'
import { heldWorkSchema } from './review.ts'
import { scoreHistorySchema, scoreSchema } from './score.ts'
import { taskSchema } from './task.ts'
import { trustSchema } from './trust.ts'

export const heartbeatSchema = z.object({
  state: heartbeatStateSchema,
  at: z.string(),
  finishedAt: z.string().nullable(),
  cycle: z.number().int().nullable(),
  count: z.number().int(),
  detail: z.string(),
  /** Worst verdict of its attempts for the bar's colour; `null` where none was given. */
  worst: shownVerdictSchema.nullable(),
})

export const noticeSchema = z.object({
  code: z.string(),
  taskId: z.string().nullable(),
  message: z.string(),
  remedy: z.string().nullable(),
  at: z.string(),
})

export const runningSchema = z.object({
  cycle: z.number().int(),
  startedAt: z.string(),
  attempt: z
    .object({
      attemptId: z.string(),
      taskId: z.string(),
      startedAt: z.string(),
      timeoutSeconds: z.number(),
    })
    .nullable(),
})

/** A workspace at a glance: the sidebar, the tray and `list`. */
export const workspaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  agentId: z.string().nullable(),
  trust: trustStateSchema,
  paused: z.object({ since: z.string(), until: z.string().nullable() }).nullable(),
  /** The circuit breaker asks for a manual review: nothing runs until the operator lifts it. */
  suspended: z.object({ since: z.string(), reason: z.string() }).nullable(),
  running: runningSchema.nullable(),
  score: scoreSchema,
  /** Shield level: penalty unless `none`, else reward, else `none`; `suspended` or else `paused` where the workspace is. */
  shield: shieldSchema,
  standingMessage: z.string(),
  /** Percent of the target at which a standing begins or ends, by the rules in force; ascending. */
  standingSteps: z.array(z.number()),
  counts: z.object({
    open: z.number().int(),
    verified: z.number().int(),
    failed: z.number().int(),
    skipped: z.number().int(),
    blocked: z.number().int(),
  }),
  next: z.object({
    at: z.string().nullable(),
    state: z.enum(['due', 'late', 'waiting', 'running', 'none']),
    reason: z.string(),
  }),
  notices: z.array(noticeSchema),
  /** The gravest of those raised last; `null` where none ever was. */
  lastIntervention: interventionSchema
    .pick({ id: true, timestamp: true, task_id: true, event_type: true, severity: true })
    .nullable(),
})

/** Everything that one workspace's screen shows, in one consistent piece. */
export const workspaceDetailSchema = workspaceSchema.extend({
  tasks: z.array(taskSchema),
  /** Today's, newest first. */
  attempts: z.array(attemptSummarySchema),
  heartbeats: z.array(heartbeatSchema),
  history: scoreHistorySchema,
  diagnostics: z.array(diagnosticSchema),
  trustDetail: trustSchema,
  /** What waits for the operator, oldest first. */
  held: z.array(heldWorkSchema).default([]),
})

export type Heartbeat = z.infer<typeof heartbeatSchema>

export type Notice = z.infer<typeof noticeSchema>

export type Workspace = z.infer<typeof workspaceSchema>

export type WorkspaceDetail = z.infer<typeof workspaceDetailSchema>
