import { NO_CLAIM } from '../../claims/types.ts'
import type { AttemptResult, EventBody, RecordedEvent, RecordedTask } from '../events.ts'

/** Returns events with these bodies: numbered from `firstSeq`, one minute apart, all on `day`. */
export function recorded(bodies: readonly EventBody[], day = '2025-03-10', firstSeq = 1): RecordedEvent[] {
  return bodies.map((body, index) => {
    const minute = String(index % 60).padStart(2, '0')
    return { ...body, seq: firstSeq + index, at: `${day}T10:${minute}:00+01:00`, day }
  })
}

/** Returns a claim of completion that names one written file. */
export function doneClaim(path: string): AttemptResult['claim'] {
  return { ...sampleResult().claim, status: 'done', files: [{ path }], source: 'report' }
}

/** Returns a finished attempt, honest and verified unless changed. */
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

/** Returns a task of a contract, open and required unless changed. */
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

/** Returns the event that a contract with these tasks was read. */
export function contractRead(hash: string, ...taskIds: readonly string[]): EventBody {
  return { type: 'contract-read', hash, tasks: taskIds.map((id) => sampleTask(id)) }
}

/** Returns the start of a scheduled cycle. */
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

/** Returns the start of an attempt in cycle 1. */
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

/** Returns the end of an attempt; see `sampleResult`. */
export function attemptFinished(change: Partial<AttemptResult> = {}): EventBody {
  return { type: 'attempt-finished', result: sampleResult(change) }
}
