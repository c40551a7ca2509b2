import { NO_CLAIM } from '../../core/claims/types.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import type { AttemptResult, EventBody } from '../../core/record/events.ts'
import type { RunningCycle } from '../../core/record/state.ts'
import type { WorkspacePorts } from './workspace-ports.ts'

/**
 * Closes what a crash left open: the attempt that was running ends without a verdict (the environment stopped it, nobody is
 * scored), and the cycle as interrupted. Does nothing where nothing is open.
 */
export async function recoverInterrupted(ports: WorkspacePorts, zone: string): Promise<void> {
  const { running, contract } = ports.ledger.state
  if (running === null) return
  const events: EventBody[] = []
  if (running.attempt !== null) {
    const task = contract?.tasks.find((candidate) => candidate.id === running.attempt?.taskId)
    events.push({
      type: 'attempt-finished',
      result: interruptedAttempt(
        running,
        running.attempt,
        task?.description ?? '',
        task?.verify ?? '',
        timestamp(ports.clock.nowMs(), zone),
      ),
    })
  }
  events.push({ type: 'cycle-finished', cycle: running.cycle, ending: 'interrupted' })
  await ports.ledger.append(...events)
  ports.log.warn('The last run of the supervisor was cut off; its open cycle was closed', {
    workspace: ports.id,
    cycle: running.cycle,
  })
}

function interruptedAttempt(
  running: RunningCycle,
  attempt: NonNullable<RunningCycle['attempt']>,
  description: string,
  verify: string,
  now: string,
): AttemptResult {
  return {
    attemptId: attempt.attemptId,
    cycle: running.cycle,
    taskId: attempt.taskId,
    description,
    verify,
    agentId: '',
    startedAt: attempt.startedAt,
    durationMs: Math.max(0, Date.parse(now) - Date.parse(attempt.startedAt)),
    timeoutSeconds: attempt.timeoutSeconds,
    outcome: 'error',
    exitCode: null,
    signal: null,
    required: false,
    verdict: null,
    groundTruthContradiction: false,
    skipped: false,
    fault: 'environment',
    reasons: ['Pulseward was cut off while the agent ran; the attempt was not judged.'],
    comparisons: [],
    remedy: null,
    heldBefore: false,
    points: 0,
    claim: { ...NO_CLAIM, values: {}, files: [], evidence: [], notes: [] },
    filesChanged: [],
    filesChangedCount: 0,
    interventions: [],
    complexity: 'medium',
    timeoutReason: '',
    feedbackShown: false,
    evidenceCount: 0,
    criteria: { met: 0, total: 0 },
    gateUnavailable: false,
    tasksInRun: 1,
    activity: null,
    reconciliation: null,
    findings: [],
    restsOn: [],
    held: null,
  }
}
