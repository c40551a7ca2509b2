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
  /** What the operator calls it, else the folder's name. */
  name: z.string(),
  /** By which the operator groups it. */
  tags: z.array(z.string()).default([]),
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
  /** For the operator, in sentences; empty without a standing. */
  standingMessage: z.string(),
  /** Percent of the target at which a standing begins or ends, by the rules in effect; ascending. */
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
  /** What its day has used, with what it comes to by midnight; `null`: nothing was reported. */
  pace: paceSchema.nullable().optional(),
  notices: z.array(noticeSchema),
  /** What asks for the operator, the most urgent first. */
  needs: z.array(needSchema),
  /** Contradictions that the operator has not reviewed, with rigged checks and refused requests. */
  unreviewed: z.int().min(0).default(0),
  /** How many of them are rigged checks and refused requests; absent: none. */
  unreviewedOthers: z.int().min(0).optional(),
  /** The gravest of those raised last; `null` where none ever was. */
  lastIntervention: interventionSchema
    .pick({ id: true, timestamp: true, task_id: true, event_type: true, severity: true })
    .nullable(),
})

/** What a part of the screen shows that is fetched for itself. */
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

/** Of each part another string once what it shows may have changed: it is fetched again then, and only then. Empty: it has nothing to show. */
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
  /** Points a thumb gives or takes, by the rules in effect. */
  thumbPoints: z.record(thumbSchema, z.number()),
  /** Points that the operator's verdict over an attempt would give, by the rules in effect. */
  verdictPoints: z
    .object({
      required: z.record(verdictSchema, z.number()),
      optional: z.record(verdictSchema, z.number()),
    })
    .optional(),
  /** Work held for review, oldest first. */
  held: z.array(heldWorkSchema).default([]),
  /** Contradictions not reviewed, the gravest first, at most 20. */
  contradictions: z.array(unreviewedSchema).default([]),
  /** The operator's words to the agent, newest first, at most 100. */
  notes: z.array(noteSchema).default([]),
  agent: agentLineSchema.nullable().default(null),
  marks: marksSchema.default({}),
})

export type Workspace = z.infer<typeof workspaceSchema>

export type WorkspaceDetail = z.infer<typeof workspaceDetailSchema>

/** What is known of a workspace besides its ledger: its folder, and the state of its supervisor. */
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
  /** What its agents wait for. */
  readonly permissions: readonly PermissionRequest[]
  /** By the wall clock; left out: when the last event was. */
  readonly nowMs?: number
  /** What stands beside what the ledger says. */
  readonly notices: readonly Notice[]
}

/** A workspace at a glance. */
export function workspaceView(state: WorkspaceState, facts: WorkspaceFacts): Workspace {
  const { id, name, tags = [], path, agentId, trust, standing, next, zone } = facts
  // One whose end could not be recorded stays open in the ledger until the next begins; it does not run.
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
    unreviewed: state.unreviewed.waiting.length,
    unreviewedOthers: countOthers(state.unreviewed.waiting),
    lastIntervention: lastInterventionView(state),
  }
}

/** Everything that one workspace's screen shows; `beside` is what its files say now. */
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

/** What each verdict of the operator's gives; it carries no contradiction. */
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

/** How many tasks stand where. */
export function countsView(state: WorkspaceState): Workspace['counts'] {
  const counts = { open: 0, verified: 0, failed: 0, skipped: 0, blocked: 0 }
  for (const task of Object.values(state.progress.tasks)) {
    if (task.status === 'pending') counts.open++
    else counts[task.status]++
    if (isBlocked(task)) counts.blocked++
  }
  return counts
}

/** The gravest intervention of the last moment in which any was raised: feedback is noted beside what it is about. */
function lastInterventionView({ interventions }: WorkspaceState): Workspace['lastIntervention'] {
  const latest = interventions.filter(({ at }) => at === interventions[0]?.at)
  const gravest = SEVERITIES.flatMap((severity) =>
    latest.filter(({ intervention }) => intervention.severity === severity),
  )[0]
  if (gravest === undefined) return null
  const { id, timestamp: at, task_id, event_type, severity } = interventionView(gravest)
  return { id, timestamp: at, task_id, event_type, severity }
}
