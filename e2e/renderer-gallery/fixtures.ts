import { DEFAULT_SCORING } from '../../src/core/configuration/scoring.ts'
import { needs } from '../../src/core/read-model/need.ts'
import type { Score } from '../../src/core/read-model/score.ts'
import type { Task } from '../../src/core/read-model/task.ts'
import type { Workspace, WorkspaceDetail } from '../../src/core/read-model/workspace.ts'
import { fold } from '../../src/core/record/fold.ts'
import type { WorkspaceState } from '../../src/core/record/state.ts'
import { standingSteps } from '../../src/core/scoring/standing.ts'

/*
 * Small builders of the API's shapes. Each fills in what a scenario does not care about.
 */

export type Attempt = WorkspaceDetail['attempts'][number]
export type Comparison = Attempt['comparisons'][number]
type Day = WorkspaceDetail['history']['today']

/** ISO 8601 with an offset of zero. */
export function iso(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+00:00')
}

export function aScore(some: Partial<Score>, nowMs: number): Score {
  const { score = 0, target = 50 } = some
  return {
    workspace: 'ws',
    date: iso(nowMs).slice(0, 10),
    score,
    target,
    pointsToTarget: Math.max(0, target - score),
    percent: Math.round((score / target) * 1000) / 10,
    verified: 0,
    failed: 0,
    unclear: 0,
    held: 0,
    contradictions: 0,
    thumbsUp: 0,
    thumbsDown: 0,
    streakDays: 0,
    penalty: 'none',
    reward: 'none',
    intervalMinutes: 15,
    nextHeartbeatAt: null,
    lifetime: {
      targetFloor: target,
      totalScore: score,
      daysTracked: 6,
      bestScore: 120,
      verified: 40,
      failed: 6,
      contradictions: 1,
      longestStreak: 3,
    },
    ...some,
  }
}

export function aTask(id: string, description: string, some: Partial<Task> = {}): Task {
  return {
    id,
    description,
    required: true,
    verify: 'task_completed',
    mayChange: [],
    writesNoFiles: false,
    maxAttempts: 3,
    checked: false,
    criteria: [],
    line: 1,
    status: 'pending',
    attempts: 0,
    blocked: false,
    waiting: null,
    proposed: false,
    timeoutSeconds: 180,
    timeoutReason: '120 s × 1.5 for medium',
    complexity: 'medium',
    lastAttemptAt: null,
    lastResult: null,
    lastAttemptId: null,
    ...some,
  }
}

export function anAttempt(taskId: string, cycle: number, startedMs: number, some: Partial<Attempt>): Attempt {
  return {
    attemptId: `${taskId}-${cycle}`,
    cycle,
    taskId,
    startedAt: iso(startedMs),
    durationMs: 41_000,
    timeoutSeconds: 180,
    outcome: 'completed',
    required: true,
    verdict: 'verified',
    groundTruthContradiction: false,
    fault: null,
    points: 10,
    feedback: null,
    review: null,
    overruled: null,
    reasons: ['the hint holds'],
    comparisons: [],
    remedy: null,
    ...some,
  }
}

/** A claimed value or file beside the measured one; they agree where they are the same. */
export function compared(subject: string, claimed: string, measured: string | null): Comparison {
  return { subject, claimed, measured, agrees: measured === null ? null : claimed === measured }
}

function aDay(date: string, score: number, target: number): Day {
  return {
    date,
    score,
    peakScore: Math.max(score, 0),
    lowestScore: Math.min(score, 0),
    verifiedCount: Math.max(0, Math.round(score / 10)),
    failedCount: score < 0 ? 3 : 1,
    targetReached: score >= target,
    target,
    unclearCount: 1,
    contradictionCount: score < 0 ? 1 : 0,
    thumbsUp: 0,
    thumbsDown: 0,
    judgedCount: 12,
    overruledCount: 0,
  }
}

/** The days before today, oldest first, as `[score, target]`. */
export function daysBefore(nowMs: number, days: readonly (readonly [number, number])[]): Day[] {
  return days.map(([score, target], index) =>
    aDay(iso(nowMs - (days.length - index) * 86_400_000).slice(0, 10), score, target),
  )
}

export function aWorkspace(id: string, some: Partial<Workspace>, nowMs: number): Workspace {
  const workspace: Workspace = {
    id,
    name: id,
    path: `~/src/${id}`,
    agentId: 'claude',
    trust: 'approved',
    paused: null,
    suspended: null,
    running: null,
    score: aScore({ workspace: id }, nowMs),
    shield: 'none',
    standingMessage: '',
    standingSteps: standingSteps(DEFAULT_SCORING),
    counts: { open: 0, verified: 0, failed: 0, skipped: 0, blocked: 0 },
    next: {
      at: iso(nowMs + 6 * 60_000),
      state: 'waiting',
      reason: 'The last heartbeat ended at 14:12. Every 20 minutes: 82 of 91 points is 90 % of the target.',
    },
    notices: [],
    needs: [],
    lastIntervention: null,
    ...some,
  }
  return { ...workspace, needs: some.needs ?? needsOf(workspace) }
}

/** What the host would tell from the workspace's state. */
export function needsOf({ id, trust, suspended, notices, counts }: Workspace): Workspace['needs'] {
  const blocked = Array.from({ length: counts.blocked }, (_, index) => [
    `task_${index}`,
    aBlockedProgress(`task_${index}`),
  ])
  const state = { ...fold([]), suspended, notices, progress: { tasks: Object.fromEntries(blocked) } }
  return needs(state as unknown as WorkspaceState, { id, trust, permissions: [], notices: [] })
}

const aBlockedProgress = (taskId: string) => ({ taskId, status: 'failed', attempts: 3, maxAttempts: 3 })

/** The rest of a workspace around what the sidebar shows of it. */
export function aDetail(
  workspace: Workspace,
  some: Partial<WorkspaceDetail>,
  nowMs: number,
): WorkspaceDetail {
  const { score } = workspace
  return {
    ...workspace,
    tasks: [],
    attempts: [],
    heartbeats: [],
    history: {
      today: {
        ...aDay(iso(nowMs).slice(0, 10), score.score, score.target),
        verifiedCount: score.verified,
        failedCount: score.failed,
      },
      history: [],
      targetFloor: score.lifetime.targetFloor,
    },
    diagnostics: [],
    held: [],
    thumbPoints: { up: 3, down: -10 },
    trustDetail: {
      state: workspace.trust,
      commands: [],
      hash: null,
      text: null,
      approvedText: null,
      problems: [],
      checks: [],
      reason: null,
    },
    ...some,
  }
}
