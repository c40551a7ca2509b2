import { NO_CLAIM } from '../../claims/types.ts'
import type { AttemptResult, EventBody, RecordedEvent, RecordedTask } from '../events.ts'

/** Envelopes for these bodies: numbered from 1, one minute apart, all on `day`. */
export function recorded(bodies: readonly EventBody[], day = '2025-03-10', firstSeq = 1): RecordedEvent[] {
  return bodies.map((body, index) => {
    const minute = String(index % 60).padStart(2, '0')
    return { ...body, seq: firstSeq + index, at: `${day}T10:${minute}:00+01:00`, day }
  })
}

/** The claim to have done it, with the file that was written. */
export function doneClaim(path: string): AttemptResult['claim'] {
  return { ...sampleResult().claim, status: 'done', files: [{ path }], source: 'report' }
}

/** A finished attempt, honest and verified unless changed. */
function sampleResult(change: Partial<AttemptResult> = {}): AttemptResult {
  return {
    attemptId: 'a1',
    cycle: 1,
    taskId: 'mail',
    description: 'Read the mail',
    agentId: 'claude',
    startedAt: '2025-03-10T10:00:00+01:00',
    durationMs: 1000,
    costs: null,
    timeoutSeconds: 120,
    outcome: 'completed',
    exitCode: 0,
    signal: null,
    required: true,
    verdict: 'verified',
    groundTruthContradiction: false,
    skipped: false,
    fault: null,
    reasons: ['claimed email_count = 3, measured 3'],
    comparisons: [],
    remedy: null,
    heldBefore: false,
    points: 10,
    claim: { ...NO_CLAIM, values: {}, files: [], evidence: [], notes: [] },
    filesChanged: ['notes/inbox.md'],
    filesChangedCount: 1,
    interventions: [],
    verify: 'email_count',
    complexity: 'medium',
    timeoutReason: '',
    feedbackShown: false,
    evidenceCount: 0,
    criteria: { met: 0, total: 0 },
    tasksInRun: 1,
    activity: null,
    reconciliation: null,
    findings: [],
    restsOn: [],
    answered: [],
    held: null,
    gateUnavailable: false,
    ...change,
  }
}

/** A task of a contract, open and required unless changed. */
export function sampleTask(id: string, change: Partial<RecordedTask> = {}): RecordedTask {
  return {
    id,
    description: `Do ${id}`,
    required: true,
    verify: 'task_completed',
    maxAttempts: 3,
    checked: false,
    criteria: [],
    line: 3,
    ...change,
  }
}

/** A contract with these tasks. */
export function contractRead(hash: string, ...taskIds: readonly string[]): EventBody {
  return { type: 'contract-read', hash, tasks: taskIds.map((id) => sampleTask(id)) }
}

/** The begin of a scheduled cycle. */
export function cycleStarted(
  cycle: number,
  change: Partial<Extract<EventBody, { type: 'cycle-started' }>> = {},
): EventBody {
  return {
    type: 'cycle-started',
    cycle,
    trigger: 'schedule',
    dueAt: null,
    contractHash: 'h1',
    forceAllRequired: false,
    contradictedTasks: [],
    ...change,
  }
}

/** The begin of an attempt of cycle 1. */
export function attemptStarted(attemptId: string, taskId: string): EventBody {
  return {
    type: 'attempt-started',
    attemptId,
    cycle: 1,
    taskId,
    agentId: 'claude',
    timeoutSeconds: 120,
    required: true,
  }
}

/** The end of an attempt; see `sampleResult`. */
export function attemptFinished(change: Partial<AttemptResult> = {}): EventBody {
  return { type: 'attempt-finished', result: sampleResult(change) }
}
