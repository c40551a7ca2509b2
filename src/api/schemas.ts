import { z } from 'zod'
import { COMPLEXITY_LEVELS } from '../core/pacing/complexity.ts'
import {
  attemptResultSchema,
  interventionSeveritySchema,
  interventionTypeSchema,
} from '../core/record/events.ts'

/*
 * The shapes on the wire. Every client (renderer, CLI, scripts) sees exactly these; design.md sections 11 and 12 are their
 * source. Times are ISO 8601 with offset, durations say their unit.
 */

export const verdictSchema = z.enum(['verified', 'not_verified', 'unclear'])
const outcomeSchema = z.enum(['completed', 'timeout', 'error', 'denied', 'unavailable'])
const faultSchema = z.enum(['agent', 'environment', 'contract'])
export const penaltySchema = z.enum(['lockdown', 'escalated', 'tightened', 'warning', 'none'])
export const rewardSchema = z.enum(['outstanding', 'excellent', 'good', 'none'])

export const scoreSchema = z.object({
  workspace: z.string(),
  date: z.string(),
  score: z.number(),
  target: z.number(),
  pointsToTarget: z.number(),
  /** Share of the target in percent, one decimal. */
  percent: z.number(),
  verified: z.number().int(),
  failed: z.number().int(),
  unclear: z.number().int(),
  contradictions: z.number().int(),
  thumbsUp: z.number().int(),
  thumbsDown: z.number().int(),
  streakDays: z.number().int(),
  penalty: penaltySchema,
  reward: rewardSchema,
  intervalMinutes: z.number(),
  nextHeartbeatAt: z.string().nullable(),
  lifetime: z.object({
    targetFloor: z.number(),
    totalScore: z.number(),
    daysTracked: z.number().int(),
    bestScore: z.number(),
    verified: z.number().int(),
    failed: z.number().int(),
    contradictions: z.number().int(),
    longestStreak: z.number().int(),
  }),
})

export const dailyScoreSchema = z.object({
  date: z.string(),
  score: z.number(),
  peakScore: z.number(),
  lowestScore: z.number(),
  verifiedCount: z.number().int(),
  failedCount: z.number().int(),
  targetReached: z.boolean(),
  target: z.number(),
  unclearCount: z.number().int(),
  contradictionCount: z.number().int(),
  thumbsUp: z.number().int(),
  thumbsDown: z.number().int(),
  judgedCount: z.number().int(),
  overruledCount: z.number().int(),
})

export const scoreHistorySchema = z.object({
  today: dailyScoreSchema,
  /** Oldest first, at most 7. */
  history: z.array(dailyScoreSchema),
  targetFloor: z.number(),
})

export const diagnosticSchema = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  line: z.number().int(),
  column: z.number().int(),
})

export const contractTaskSchema = z.object({
  id: z.string(),
  description: z.string(),
  required: z.boolean(),
  verify: z.string(),
  maxAttempts: z.number().int(),
  checked: z.boolean(),
  criteria: z.array(z.string()),
  line: z.number().int(),
})

export const contractReportSchema = z.object({
  tasks: z.array(contractTaskSchema),
  context: z.string(),
  diagnostics: z.array(diagnosticSchema),
})

export const contractDocumentSchema = contractReportSchema.extend({
  path: z.string(),
  text: z.string(),
  /** SHA-256 of the file's bytes in hex; sent back with a PUT. */
  hash: z.string(),
})

export const complexitySchema = z.enum(COMPLEXITY_LEVELS)

export const taskStatusSchema = z.enum(['pending', 'verified', 'failed', 'skipped'])

export const taskSchema = contractTaskSchema.extend({
  status: taskStatusSchema,
  attempts: z.number().int(),
  blocked: z.boolean(),
  /** The next attempt's, in seconds. */
  timeoutSeconds: z.number(),
  /** How the timeout comes about, in words. */
  timeoutReason: z.string(),
  /** Kind of work by the task's words, which the timeout goes by. */
  complexity: complexitySchema,
  lastAttemptAt: z.string().nullable(),
  lastResult: z.string().nullable(),
  lastAttemptId: z.string().nullable(),
})

const pastAttemptSchema = z.object({
  kind: z.literal('attempt'),
  attemptId: z.string(),
  at: z.string(),
  outcome: outcomeSchema,
  verdict: verdictSchema.nullable(),
  fault: faultSchema.nullable(),
  durationMs: z.number(),
  timeoutSeconds: z.number(),
  reason: z.string(),
  gateUnavailable: z.boolean(),
  /** Acceptance criteria ticked when it ended, of how many. */
  criteria: z.object({ met: z.number().int(), total: z.number().int() }),
})

const pastUnblockSchema = z.object({
  kind: z.literal('unblock'),
  at: z.string(),
  by: z.enum(['operator', 'auto']),
  reason: z.string(),
  timeoutSeconds: z.number().nullable(),
})

/** A task that failed and has no attempts left, with what can be said and done about it. */
export const blockedTaskSchema = z.object({
  taskId: z.string(),
  description: z.string(),
  verify: z.string(),
  level: complexitySchema,
  /** Why it is blocked, in words. */
  reason: z.string(),
  attempts: z.number().int(),
  maxAttempts: z.number().int(),
  lastAttemptAt: z.string().nullable(),
  /** Newest first, at most 30. */
  history: z.array(z.discriminatedUnion('kind', [pastAttemptSchema, pastUnblockSchema])),
  /** `null` where none was asked for and `auto_suggest` is off. */
  suggestion: z
    .object({
      kind: z.enum(['already_done', 'increase_timeout', 'skip_subtasks', 'fix_gate', 'manual_review']),
      timeoutSeconds: z.number().nullable(),
      reason: z.string(),
    })
    .nullable(),
  /** What the last sweep found; `at` is when it first found so. */
  swept: z.object({ holds: z.boolean().nullable(), reason: z.string(), at: z.string() }).nullable(),
  /** Of the next attempt, were the task unblocked without a timeout of its own. */
  nextTimeoutSeconds: z.number(),
  nextTimeoutReason: z.string(),
  /** How often `retry-blocked` has released it. */
  autoUnblocks: z.number().int(),
})

/** A task that was released, with the timeout of its next attempt. */
export const unblockedTaskSchema = z.object({
  taskId: z.string(),
  level: complexitySchema,
  timeoutSeconds: z.number(),
  timeoutReason: z.string(),
  maxAttempts: z.number().int(),
})

export const unblockReportSchema = z.object({
  unblocked: z.array(unblockedTaskSchema),
  refused: z.array(z.object({ taskId: z.string(), reason: z.string() })),
})

/** What a sweep found of a blocked task; `holds: null` where its hint could not be measured. */
export const sweptTaskSchema = z.object({
  taskId: z.string(),
  holds: z.boolean().nullable(),
  reason: z.string(),
})

export const attemptSummarySchema = z.object({
  reasons: z.array(z.string()),
  comparisons: attemptResultSchema.shape.comparisons,
  mend: z.string().nullable(),
  attemptId: z.string(),
  cycle: z.number().int(),
  taskId: z.string(),
  startedAt: z.string(),
  durationMs: z.number(),
  timeoutSeconds: z.number(),
  outcome: outcomeSchema,
  required: z.boolean(),
  verdict: verdictSchema.nullable(),
  groundTruthContradiction: z.boolean(),
  fault: faultSchema.nullable(),
  points: z.number(),
  feedback: z.enum(['up', 'down']).nullable(),
  overruled: z.object({ from: verdictSchema.nullable(), reason: z.string(), at: z.string() }).nullable(),
})

/** An attempt whole: as recorded, with what the operator said since, and its output. */
export const attemptDetailSchema = attemptResultSchema.extend({
  feedback: z.enum(['up', 'down']).nullable(),
  overruled: z
    .object({ from: verdictSchema.nullable(), to: verdictSchema, reason: z.string(), at: z.string() })
    .nullable(),
  /** The bounded log, head and tail; `null` where it is gone. */
  output: z.string().nullable(),
})

/** One attempt as `run --once --json` prints it. */
export const runAttemptSchema = z.object({
  attemptId: z.string(),
  taskId: z.string(),
  outcome: outcomeSchema,
  fault: faultSchema.nullable(),
  verdict: verdictSchema.nullable(),
  groundTruthContradiction: z.boolean(),
  reasons: z.array(z.string()),
  points: z.number(),
  timeoutSeconds: z.number(),
  durationMs: z.number(),
  filesChanged: z.array(z.string()),
  interventions: z.array(
    z.object({
      event_type: interventionTypeSchema,
      severity: interventionSeveritySchema,
      details: z.record(z.string(), z.unknown()),
    }),
  ),
})

export const runReportSchema = z.object({
  workspace: z.string(),
  cycle: z.number().int(),
  attempts: z.array(runAttemptSchema),
  score: scoreSchema,
})

export const heartbeatSchema = z.object({
  state: z.enum(['due', 'late', 'running', 'done', 'missed', 'skipped']),
  at: z.string(),
  finishedAt: z.string().nullable(),
  cycle: z.number().int().nullable(),
  count: z.number().int(),
  detail: z.string(),
  /** Worst verdict of its attempts for the bar's colour; `null` where none was given. */
  worst: z
    .enum(['contradiction', 'not_verified', 'unclear', 'verified', 'skipped', 'environment'])
    .nullable(),
})

export const trustSchema = z.object({
  state: z.enum(['approved', 'changed', 'unapproved', 'missing']),
  /** Commands the current file would run, in words: who runs it and the command line. */
  commands: z.array(z.object({ purpose: z.string(), command: z.array(z.string()) })),
  /** Hash of the current file; sent back to approve exactly what was shown. */
  hash: z.string().nullable(),
  text: z.string().nullable(),
  approvedText: z.string().nullable(),
  problems: z.array(z.object({ message: z.string(), line: z.number().int(), column: z.number().int() })),
  reason: z.string().nullable(),
})

export const noticeSchema = z.object({
  code: z.string(),
  taskId: z.string().nullable(),
  message: z.string(),
  mend: z.string().nullable(),
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

/** One intervention, as in `interventions/events.json`. */
export const interventionSchema = z.object({
  id: z.string(),
  timestamp: z.string(),
  /** Number of the cycle. */
  iteration: z.number().int(),
  task_id: z.string().nullable(),
  attempt_id: z.string().nullable(),
  event_type: interventionTypeSchema,
  severity: interventionSeveritySchema,
  details: z.record(z.string(), z.unknown()),
  /** Whether the task was verified at its next attempt, with feedback in its prompt; `none` where nothing was asked for. */
  remediation: z.enum(['none', 'pending', 'succeeded', 'failed']),
})

export const interventionMetricsSchema = z.object({
  total_interventions: z.number().int(),
  interventions_by_type: z.record(z.string(), z.number().int()),
  interventions_by_severity: z.record(z.string(), z.number().int()),
  intervention_rate_per_100_iterations: z.number(),
  /** Share from 0 to 1; 0 where no remediation has been tried. */
  avg_remediation_success_rate: z.number(),
})

/** How one agent works, as in `interventions/profile.json`. */
export const agentProfileSchema = z.object({
  agent_id: z.string(),
  total_iterations: z.number().int(),
  no_files_count: z.number().int(),
  false_completion_count: z.number().int(),
  avg_files_per_iteration: z.number(),
  avg_evidence_count: z.number(),
  last_reinforcement: z.string().nullable(),
  intervention_threshold_exceeded: z.boolean(),
})

/** A workspace at a glance: the rail, the tray and `list`. */
export const workspaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  agentId: z.string().nullable(),
  trust: z.enum(['approved', 'changed', 'unapproved', 'missing']),
  paused: z.object({ since: z.string(), until: z.string().nullable() }).nullable(),
  /** The circuit breaker asks for a manual review: nothing runs until the operator lifts it. */
  suspended: z.object({ since: z.string(), reason: z.string() }).nullable(),
  running: runningSchema.nullable(),
  score: scoreSchema,
  /** Shield level: penalty unless `none`, else reward, else `none`; `suspended` or else `paused` where the workspace is. */
  shield: z.enum([
    'lockdown',
    'escalated',
    'tightened',
    'warning',
    'none',
    'good',
    'excellent',
    'outstanding',
    'paused',
    'suspended',
  ]),
  standingMessage: z.string(),
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
})

/** What `GET /api/events` sends; `type` is also the name of the server-sent event. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('score-updated'), workspace: z.string(), score: scoreSchema }),
  /** Something of the workspace changed: fetch it again. */
  z.object({ type: z.literal('workspace-updated'), workspace: z.string() }),
  z.object({ type: z.literal('workspaces-changed') }),
  z.object({
    type: z.literal('attempt-started'),
    workspace: z.string(),
    attemptId: z.string(),
    taskId: z.string(),
  }),
  z.object({
    type: z.literal('attempt-output'),
    workspace: z.string(),
    attemptId: z.string(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
  z.object({
    type: z.literal('attempt-finished'),
    workspace: z.string(),
    attemptId: z.string(),
    taskId: z.string(),
  }),
  z.object({ type: z.literal('notification'), workspace: z.string(), title: z.string(), body: z.string() }),
])

export const hostStatusSchema = z.object({
  version: z.string(),
  startedAt: z.string(),
  dataDirectory: z.string(),
  workspaces: z.array(workspaceSchema),
})

export type Score = z.infer<typeof scoreSchema>
export type ScoreHistory = z.infer<typeof scoreHistorySchema>
export type ContractReport = z.infer<typeof contractReportSchema>
export type ContractDocument = z.infer<typeof contractDocumentSchema>
export type Task = z.infer<typeof taskSchema>
export type Complexity = z.infer<typeof complexitySchema>
export type BlockedTask = z.infer<typeof blockedTaskSchema>
export type UnblockedTask = z.infer<typeof unblockedTaskSchema>
export type UnblockReport = z.infer<typeof unblockReportSchema>
export type SweptTask = z.infer<typeof sweptTaskSchema>
export type AttemptOverview = z.infer<typeof attemptSummarySchema>
export type AttemptDetail = z.infer<typeof attemptDetailSchema>
export type RunReport = z.infer<typeof runReportSchema>
export type Heartbeat = z.infer<typeof heartbeatSchema>
export type Trust = z.infer<typeof trustSchema>
export type Notice = z.infer<typeof noticeSchema>
export type Intervention = z.infer<typeof interventionSchema>
export type InterventionMetrics = z.infer<typeof interventionMetricsSchema>
export type AgentProfile = z.infer<typeof agentProfileSchema>
export type Workspace = z.infer<typeof workspaceSchema>
export type WorkspaceDetail = z.infer<typeof workspaceDetailSchema>
export type LiveEvent = z.infer<typeof liveEventSchema>
export type HostStatus = z.infer<typeof hostStatusSchema>
