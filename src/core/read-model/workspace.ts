import { z } from 'zod'
import type { ScoringRules } from '../configuration/scoring.ts'
import { isBlocked } from '../cycle/progress.ts'
import { timestamp } from '../pacing/schedule.ts'
import { noteSchema } from '../record/note.ts'
import { paceOf } from '../record/pace.ts'
import { paceSchema } from '../record/pace-figures.ts'
import type { WorkspaceState } from '../record/state.ts'
import { pointsFor } from '../scoring/points.ts'
import { standingSteps } from '../scoring/standing.ts'
import type { Standing } from '../scoring/types.ts'
import { nextStateSchema } from '../vocabulary/heartbeat.ts'
import { MAX_NAME_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from '../vocabulary/label.ts'
import { type CustodyFile, custodyFileSchema } from '../vocabulary/proposal.ts'
import { SEVERITIES } from '../vocabulary/severity.ts'
import { shieldSchema } from '../vocabulary/standing-schema.ts'
import { thumbSchema } from '../vocabulary/task.ts'
import { trustStateSchema } from '../vocabulary/trust.ts'
import { countOthers } from '../vocabulary/unreviewed.ts'
import { type Verdict, verdictSchema } from '../vocabulary/verdict.ts'
import { agentLineSchema } from './agent.ts'
import { attemptSummarySchema, attemptView } from './attempt.ts'
import { diagnosticSchema } from './contract-document.ts'
import { heartbeatSchema, heartbeatViews } from './heartbeat.ts'
import { heldViews, heldWorkSchema } from './held.ts'
import { interventionSchema, interventionView } from './intervention.ts'
import { needSchema, needs } from './need.ts'
import { allNotices, type Notice, noticeSchema } from './notice.ts'
import type { PermissionRequest } from './permission.ts'
import { historyView, scoreHistorySchema, scoreSchema, scoreView } from './score.ts'
import { shieldOfDay, standingWords } from './standing-words.ts'
import { taskSchema } from './task.ts'
import { trustSchema } from './trust.ts'
import { unreviewedSchema, unreviewedViews } from './unreviewed.ts'

export const runningSchema = z.object({
  cycle: z.int(),
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

/** Text on one line: without line breaks or terminal control characters. */
const lineSchema = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, { error: 'text on one line' })

export const workspaceNameSchema = lineSchema.min(1).max(MAX_NAME_LENGTH)

export const workspaceTagsSchema = z.array(lineSchema.min(1).max(MAX_TAG_LENGTH)).max(MAX_TAGS)

/** A workspace at a glance: the sidebar, the tray and `list`. */
export const workspaceSchema = z.object({
  id: z.string(),
  /** The operator's name for it, or the folder's name. */
  name: z.string(),
  /** Used by the operator to group workspaces. */
  tags: z.array(z.string()).default([]),
  path: z.string(),
  agentId: z.string().nullable(),
  trust: trustStateSchema,
  paused: z.object({ since: z.string(), until: z.string().nullable() }).nullable(),
  /** The circuit breaker asks for a manual review: nothing runs until the operator resumes it. */
  suspended: z.object({ since: z.string(), reason: z.string() }).nullable(),
  running: runningSchema.nullable(),
  score: scoreSchema,
  /** Shield level: the penalty unless it is `none`, otherwise the reward; `suspended` or `paused` if the workspace is, in this order. */
  shield: shieldSchema,
  /** For the operator, in sentences; empty if there is no standing. */
  standingMessage: z.string(),
  /** Percentages of the target at which a standing begins or ends, by the active rules; ascending. */
  standingSteps: z.array(z.number()),
  counts: z.object({
    open: z.int(),
    verified: z.int(),
    failed: z.int(),
    skipped: z.int(),
    blocked: z.int(),
  }),
  next: z.object({
    at: z.string().nullable(),
    state: nextStateSchema,
    reason: z.string(),
  }),
  /** Today's usage so far and its projection for midnight; `null`: nothing was reported. */
  pace: paceSchema.nullable().optional(),
  notices: z.array(noticeSchema),
  /** What needs the operator's attention, the most urgent first. */
  needs: z.array(needSchema),
  /** Files with a proposed change that needs an answer; absent: none. */
  proposed: z.array(custodyFileSchema).optional(),
  /** Unreviewed contradictions, including rigged checks and refused requests. */
  unreviewed: z.int().min(0).default(0),
  /** How many of them are rigged checks and refused requests; absent: none. */
  unreviewedOthers: z.int().min(0).optional(),
  /** The most serious of the latest interventions; `null` if there never was one. */
  lastIntervention: interventionSchema
    .pick({ id: true, timestamp: true, task_id: true, event_type: true, severity: true })
    .nullable(),
})

/** The parts of the screen that are fetched separately. */
const PARTS = [
  'agents',
  'attempts',
  'blocked',
  'configuration',
  'contract',
  'landing',
  'proposals',
  'sessions',
  'timeline',
] as const

/**
 * For each part, a string that changes whenever the part's content may have changed; only then it is fetched again. Empty: the part has
 * nothing to show.
 */
export const marksSchema = z.partialRecord(z.enum(PARTS), z.string())

export type Marks = Readonly<Record<(typeof PARTS)[number], string>>

/** Everything that one workspace's screen shows, in one consistent piece. */
export const workspaceDetailSchema = workspaceSchema.extend({
  tasks: z.array(taskSchema),
  /** Today's, newest first. */
  attempts: z.array(attemptSummarySchema),
  heartbeats: z.array(heartbeatSchema),
  history: scoreHistorySchema,
  diagnostics: z.array(diagnosticSchema),
  trustDetail: trustSchema,
  /** Points that a thumb gives or takes, by the active rules. */
  thumbPoints: z.record(thumbSchema, z.number()),
  /** Points that the operator's verdict on an attempt would give, by the active rules. */
  verdictPoints: z
    .object({
      required: z.record(verdictSchema, z.number()),
      optional: z.record(verdictSchema, z.number()),
    })
    .optional(),
  /** Work held for review, oldest first. */
  held: z.array(heldWorkSchema).default([]),
  /** Unreviewed contradictions, the most serious first, at most 20. */
  contradictions: z.array(unreviewedSchema).default([]),
  /** The operator's messages to the agent, newest first, at most 100. */
  notes: z.array(noteSchema).default([]),
  agent: agentLineSchema.nullable().default(null),
  marks: marksSchema.default({}),
})

export type Workspace = z.infer<typeof workspaceSchema>

export type WorkspaceDetail = z.infer<typeof workspaceDetailSchema>

/** What is known about a workspace besides its ledger: its folder, and the state of its supervisor. */
export interface WorkspaceFacts {
  readonly id: string
  readonly name: string
  readonly tags?: readonly string[]
  readonly path: string
  readonly agentId: string | null
  readonly trust: Workspace['trust']
  readonly standing: Standing
  readonly next: {
    /** Epoch ms; `null`: not on a schedule. */
    readonly dueMs: number | null
    readonly state: Workspace['next']['state']
    readonly reason: string
  }
  /** IANA name, or `local`. */
  readonly zone: string
  /** Permission requests that its agents are waiting for. */
  readonly permissions: readonly PermissionRequest[]
  /** Current time by the wall clock; omitted: the time of the last event. */
  readonly nowMs?: number
  /** Notices that don't come from the ledger. */
  readonly notices: readonly Notice[]
}

/** Returns a workspace at a glance. */
export function workspaceView(state: WorkspaceState, facts: WorkspaceFacts): Workspace {
  const { id, name, tags = [], path, agentId, trust, standing, next, zone } = facts
  // A cycle with no recorded end stays open in the ledger until the next one begins, but it isn't running.
  const running = next.state === 'running' ? state.running : null
  const at = next.dueMs === null ? null : timestamp(next.dueMs, zone)
  return {
    id,
    name,
    tags: [...tags],
    path,
    agentId,
    trust,
    paused: state.paused && { since: state.paused.since, until: state.paused.until },
    suspended: state.suspended,
    running: running && { cycle: running.cycle, startedAt: running.startedAt, attempt: running.attempt },
    score: scoreView(id, state, standing, next.dueMs, zone),
    shield: shieldOf(state, standing.level),
    standingMessage: standingWords(state, standing),
    standingSteps: standingSteps(state.rules),
    counts: countsView(state),
    next: { at, state: next.state, reason: next.reason },
    pace: paceOf(state, facts.nowMs ?? Date.parse(state.at ?? ''), zone),
    notices: allNotices(state, facts.notices),
    needs: needs(state, facts),
    ...proposedFiles(state),
    unreviewed: state.unreviewed.waiting.length,
    unreviewedOthers: countOthers(state.unreviewed.waiting),
    lastIntervention: lastInterventionView(state),
  }
}

/** Returns everything that one workspace's screen shows; `beside` is what its files contain now. */
export function workspaceDetailView(
  state: WorkspaceState,
  facts: WorkspaceFacts,
  beside: Pick<WorkspaceDetail, 'tasks' | 'diagnostics' | 'trustDetail' | 'agent' | 'marks'>,
): WorkspaceDetail {
  return {
    ...workspaceView(state, facts),
    ...beside,
    attempts: state.attempts.filter(({ day }) => day === state.score.today.date).map(attemptView),
    heartbeats: heartbeatViews(state),
    history: historyView(state),
    thumbPoints: { up: state.rules.thumbsUp, down: state.rules.thumbsDown },
    verdictPoints: {
      required: operatorPoints(true, state.rules),
      optional: operatorPoints(false, state.rules),
    },
    held: heldViews(state),
    contradictions: unreviewedViews(state),
    notes: [...state.notes],
  }
}

/** Returns the points for each verdict that the operator can give; none of them includes a contradiction. */
function operatorPoints(required: boolean, rules: ScoringRules): Record<Verdict, number> {
  const points = (verdict: Verdict) =>
    pointsFor({ verdict, groundTruthContradiction: false, required }, rules)
  return { verified: points('verified'), not_verified: points('not_verified'), unclear: points('unclear') }
}

/**
 * Returns the shield. A suspension, which only the operator can end, comes before a pause, which they chose, and both before the
 * standing.
 */
function shieldOf(state: WorkspaceState, level: Standing['level']): Workspace['shield'] {
  if (state.suspended !== null) return 'suspended'
  return state.paused === null ? shieldOfDay(state, level) : 'paused'
}

/** Returns the number of tasks in each state. */
export function countsView(state: WorkspaceState): Workspace['counts'] {
  const counts = { open: 0, verified: 0, failed: 0, skipped: 0, blocked: 0 }
  for (const task of Object.values(state.progress.tasks)) {
    if (task.status === 'pending') counts.open++
    else counts[task.status]++
    if (isBlocked(task)) counts.blocked++
  }
  return counts
}

/** Returns the most serious intervention of the latest moment with any: feedback is recorded together with its cause. */
function lastInterventionView({ interventions }: WorkspaceState): Workspace['lastIntervention'] {
  const latest = interventions.filter(({ at }) => at === interventions[0]?.at)
  const gravest = SEVERITIES.flatMap((severity) =>
    latest.filter(({ intervention }) => intervention.severity === severity),
  )[0]
  if (gravest === undefined) return null
  const { id, timestamp: at, task_id, event_type, severity } = interventionView(gravest)
  return { id, timestamp: at, task_id, event_type, severity }
}

function proposedFiles({ proposals }: WorkspaceState): { proposed?: CustodyFile[] } {
  const files = proposals.filter(({ state }) => state === 'pending').map(({ file }) => file)
  return files.length === 0 ? {} : { proposed: [...new Set(files)] }
}
