import type { AttemptOverview } from '../../api/schemas/attempt.ts'
import type { ContractReport } from '../../api/schemas/contract-document.ts'
import type { HeldWork } from '../../api/schemas/review.ts'
import type { Score, ScoreHistory } from '../../api/schemas/score.ts'
import type { Task } from '../../api/schemas/task.ts'
import type { Trust } from '../../api/schemas/trust.ts'
import type { Heartbeat, Notice, Workspace } from '../../api/schemas/workspace.ts'
import type { Contract, TaskDefinition } from '../../core/contract/types.ts'
import { isBlocked } from '../../core/cycle/progress.ts'
import { interventionEntry } from '../../core/intervention/metrics.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import type { NextTimeout } from '../../core/record/next-timeout.ts'
import type { AttemptSummary, WorkspaceState } from '../../core/record/state.ts'
import type { Standing } from '../../core/scoring/types.ts'
import { SEVERITIES } from '../../core/vocabulary/severity.ts'
import { worstVerdict } from '../../core/vocabulary/verdict.ts'
import type { TrustState } from '../ports/workspace-config.ts'

/*
 * From state to the shapes on the wire. Pure: everything a view needs is an argument.
 */

/** Days shown beside today; design.md section 12. */
const HISTORY_DAYS = 7

export function scoreView(
  workspace: string,
  state: WorkspaceState,
  standing: Standing,
  nextMs: number | null,
  zone: string,
): Score {
  const { today, lifetime } = state.score
  return {
    workspace,
    date: today.date,
    score: today.score,
    target: today.target,
    pointsToTarget: Math.max(0, today.target - today.score),
    percent: Math.round((today.score / today.target) * 1000) / 10,
    verified: today.verifiedCount,
    failed: today.failedCount,
    unclear: today.unclearCount,
    held: state.held.length,
    contradictions: today.contradictionCount,
    thumbsUp: today.thumbsUp,
    thumbsDown: today.thumbsDown,
    streakDays: lifetime.currentStreak,
    penalty: standing.penalty,
    reward: standing.reward,
    intervalMinutes: standing.intervalMinutes,
    nextHeartbeatAt: nextMs === null ? null : timestamp(nextMs, zone),
    lifetime: {
      targetFloor: lifetime.targetFloor,
      totalScore: lifetime.totalPoints,
      daysTracked: lifetime.daysTracked,
      bestScore: lifetime.bestDay,
      verified: lifetime.totalVerified,
      failed: lifetime.totalFailed,
      contradictions: lifetime.totalContradictions,
      longestStreak: lifetime.longestStreak,
    },
  }
}

/** What waits for the operator, oldest first. */
export function heldViews({ held }: WorkspaceState): HeldWork[] {
  return held.map(({ day: _day, files, ...work }) => ({ ...work, files: [...files] }))
}

export function historyView(state: WorkspaceState): ScoreHistory {
  const { today, history, lifetime } = state.score
  return { today, history: history.slice(0, HISTORY_DAYS).reverse(), targetFloor: lifetime.targetFloor }
}

export function contractTaskView(task: TaskDefinition): ContractReport['tasks'][number] {
  return {
    id: task.id,
    description: task.description,
    required: task.required,
    verify: task.verify,
    maxAttempts: task.maxAttempts,
    mayChange: [...task.mayChange],
    writesNoFiles: task.writesNoFiles,
    checked: task.checked,
    criteria: task.criteria.map((criterion) => criterion.text),
    line: task.line,
  }
}

export function contractView(contract: Contract): ContractReport {
  return {
    tasks: contract.tasks.map(contractTaskView),
    context: contract.context,
    diagnostics: contract.diagnostics.map(({ severity, code, message, range }) => ({
      severity,
      code,
      message,
      line: range.start.line,
      column: range.start.column,
    })),
  }
}

/** A task of the contract with its progress; one that no cycle has seen yet is pending. */
export function taskView(task: TaskDefinition, state: WorkspaceState, next: NextTimeout): Task {
  const progress = state.progress.tasks[task.id]
  return {
    ...contractTaskView(task),
    maxAttempts: progress?.attemptLimit ?? task.maxAttempts,
    status: progress?.status ?? (task.checked ? 'verified' : 'pending'),
    attempts: progress?.attempts ?? 0,
    blocked: progress !== undefined && isBlocked(progress),
    timeoutSeconds: next.seconds,
    timeoutReason: next.reason,
    complexity: next.level,
    lastAttemptAt: progress?.lastAttemptAt ?? null,
    lastResult: progress?.lastResult ?? null,
    lastAttemptId: state.attempts.find((attempt) => attempt.taskId === task.id)?.attemptId ?? null,
  }
}

export function countsView(state: WorkspaceState): Workspace['counts'] {
  const counts = { open: 0, verified: 0, failed: 0, skipped: 0, blocked: 0 }
  for (const task of Object.values(state.progress.tasks)) {
    if (task.status === 'pending') counts.open++
    else counts[task.status]++
    if (isBlocked(task)) counts.blocked++
  }
  return counts
}

export function attemptView(attempt: AttemptSummary): AttemptOverview {
  const { seq: _seq, day: _day, feedbackNote: _note, ...view } = attempt
  return { ...view, reasons: [...view.reasons], comparisons: [...view.comparisons] }
}

/** Recent heartbeats, newest first, each with the worst verdict of its attempts. */
export function heartbeatViews(state: WorkspaceState): Heartbeat[] {
  return state.heartbeats.map((heartbeat) => ({
    ...heartbeat,
    worst: worstVerdict(state.attempts.filter((attempt) => attempt.cycle === heartbeat.cycle)),
  }))
}

/** The gravest intervention of the last moment in which any was raised: feedback is noted beside what it is about. */
export function lastInterventionView({ interventions }: WorkspaceState): Workspace['lastIntervention'] {
  const latest = interventions.filter(({ at }) => at === interventions[0]?.at)
  const gravest = SEVERITIES.flatMap((severity) =>
    latest.filter(({ intervention }) => intervention.severity === severity),
  )[0]
  if (gravest === undefined) return null
  const { id, timestamp: at, task_id, event_type, severity } = interventionEntry(gravest)
  return { id, timestamp: at, task_id, event_type, severity }
}

/** What stands against the workspace, the environment's trouble first. */
export function noticeViews(state: WorkspaceState): Notice[] {
  return state.notices.map((notice) => ({
    ...notice,
    remedy: remedyOf(notice.code, state),
  }))
}

function remedyOf(code: string, { backoff }: WorkspaceState): string | null {
  if (code === 'suspended') return 'Look at the interventions, then lift the suspension.'
  if (code === 'budget-reached')
    return 'To go on today, resume it, or raise daily_budget_usd under [agent] in pulseward.toml.'
  if (code === 'budget-not-kept') return "Set a limit with the provider of the agent's model."
  return code === 'backed-off' ? (backoff?.remedy ?? null) : null
}

export function trustView(
  trust: TrustState,
  commandsOf: (text: string, approvedText: string | null) => Trust['commands'],
): Omit<Trust, 'checks'> {
  const none = { commands: [], hash: null, text: null, approvedText: null, problems: [], reason: null }
  switch (trust.kind) {
    case 'missing':
      return { ...none, state: 'missing', reason: trust.reason }
    case 'approved':
      return { ...none, state: 'approved' }
    case 'unapproved':
    case 'changed':
      return {
        state: trust.kind,
        commands: commandsOf(trust.currentText, trust.kind === 'changed' ? trust.approvedText : null),
        hash: trust.currentHash,
        text: trust.currentText,
        approvedText: trust.kind === 'changed' ? trust.approvedText : null,
        problems: [...trust.problems],
        reason: null,
      }
  }
}
