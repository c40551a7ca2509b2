import { type AttemptResult, attemptResultSchema, type EventBody } from '../../../core/record/events.ts'

/** Returns an event that carries `id`, for tests that follow single events. */
export function noteEvent(id: string, taskId: string | null = null): EventBody {
  return { type: 'diagnostic-raised', code: 'hollow-hint', taskId, message: id }
}

/** Returns a finished attempt with all its fields. */
export function finishedAttempt(
  attemptId: string,
  changes: Partial<AttemptResult> = {},
): Extract<EventBody, { type: 'attempt-finished' }> {
  const claim = {
    status: 'done',
    values: { email_count: 3 },
    files: [],
    evidence: [],
    exitSignal: true,
  } as const
  const result = attemptResultSchema.parse({
    attemptId,
    cycle: 1,
    taskId: 'check_email',
    description: 'Check the email',
    agentId: 'claude',
    startedAt: '2026-03-01T10:00:00.000+01:00',
    durationMs: 1200,
    timeoutSeconds: 120,
    outcome: 'completed',
    exitCode: 0,
    signal: null,
    required: true,
    verdict: 'verified',
    groundTruthContradiction: false,
    skipped: false,
    fault: null,
    reasons: ['email_count > 0 holds: 3'],
    comparisons: [{ subject: 'email_count', claimed: '3', measured: '3', agrees: true }],
    remedy: null,
    heldBefore: false,
    complexity: 'medium',
    timeoutReason: '',
    feedbackShown: false,
    evidenceCount: 0,
    criteria: { met: 0, total: 0 },
    gateUnavailable: false,
    tasksInRun: 1,
    points: 10,
    claim: { ...claim, files: [], evidence: [], source: 'report', notes: [] },
    filesChanged: ['notes/inbox.md'],
    filesChangedCount: 1,
    interventions: [],
    verify: 'email_count > 0',
    ...changes,
  })
  return { type: 'attempt-finished', result }
}

/** The operator's feedback on a whole day: it affects the score, so it is announced before it is recorded. */
export const thumb: EventBody = {
  type: 'feedback-given',
  feedback: 'up',
  attemptId: null,
  taskId: null,
  note: null,
  points: 3,
}
