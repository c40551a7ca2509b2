import { NO_CLAIM } from '../../../core/claims/types.ts'
import type { ScoringRules } from '../../../core/configuration/scoring.ts'
import { DEFAULT_SCORING } from '../../../core/configuration/scoring.ts'
import { timestamp } from '../../../core/pacing/schedule.ts'
import type { AttemptResult, EventBody } from '../../../core/record/events.ts'
import type { RunningCycle } from '../../../core/record/state.ts'
import { pointsFor } from '../../../core/scoring/points.ts'
import { readUsed, type UsedWhenCutOff } from '../run/keep-used.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

const CUT_OFF = 'Pulseward was cut off while the agent ran; the attempt was not judged.'
const KILLED =
  'Pulseward was ended from outside while the agent ran, and the machine went on; the attempt was not judged.'
const KILLED_AGAIN =
  'Pulseward was ended from outside while the agent ran, as at the last attempt of this task, and the machine went on: this time it counts, for nobody may gain by ending the supervisor.'

/**
 * Closes what a crash left open: the attempt that was running ends without a verdict (the environment stopped it, nobody is
 * scored), and the cycle as interrupted. Where only the supervisor died, and at the task's attempt before it too, the attempt counts as
 * unclear by the agent's fault, and the operator is notified. Does nothing where nothing is open.
 */
export async function recoverInterrupted(
  ports: WorkspacePorts,
  zone: string,
  rules: ScoringRules = DEFAULT_SCORING,
): Promise<void> {
  const { running, contract } = ports.ledger.state
  if (running === null) return
  const killed = howItDied(ports, running)
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
        killed,
        rules,
        await readUsed(ports, running.attempt.attemptId),
      ),
    })
  }
  events.push({ type: 'cycle-finished', cycle: running.cycle, ending: 'interrupted' })
  await ports.ledger.append(...events)
  if (killed === 'killed-again' && running.attempt !== null) notifyOfKill(ports, running.attempt.taskId)
  ports.log.warn('The last run of the supervisor was cut off; its open cycle was closed', {
    workspace: ports.id,
    cycle: running.cycle,
  })
}

/** Once is an accident; the machine that goes down takes nobody's side. */
function howItDied(ports: WorkspacePorts, { attempt }: RunningCycle): 'cut-off' | 'killed' | 'killed-again' {
  if (attempt === null || ports.diedAlone !== true) return 'cut-off'
  const last = ports.ledger.state.attempts.find(({ taskId }) => taskId === attempt.taskId)
  const wasKilled = last?.reasons[0] === KILLED || last?.reasons[0] === KILLED_AGAIN
  return wasKilled ? 'killed-again' : 'killed'
}

function notifyOfKill({ notifier, id, name }: WorkspacePorts, taskId: string): void {
  notifier.notify({
    key: `killed:${id}:${taskId}`,
    about: 'trouble',
    workspaceId: id,
    taskId,
    title: `Pulseward was ended again while ${taskId} ran`,
    body: `It happened in ${name}, twice in a row, and the machine went on. Something ends the supervisor: the agent, the system short of memory, or you. The attempt counts.`,
  })
}

function interruptedAttempt(
  running: RunningCycle,
  attempt: NonNullable<RunningCycle['attempt']>,
  description: string,
  verify: string,
  now: string,
  killed: ReturnType<typeof howItDied>,
  rules: ScoringRules,
  used: UsedWhenCutOff | null,
): AttemptResult {
  const counts = killed === 'killed-again'
  const judged = {
    verdict: 'unclear',
    groundTruthContradiction: false,
    required: false,
    fault: 'agent',
  } as const
  return {
    attemptId: attempt.attemptId,
    cycle: running.cycle,
    taskId: attempt.taskId,
    description,
    verify,
    // Only what it used is an agent's.
    agentId: used?.agentId ?? '',
    startedAt: attempt.startedAt,
    durationMs: Math.max(0, Date.parse(now) - Date.parse(attempt.startedAt)),
    timeoutSeconds: attempt.timeoutSeconds,
    outcome: 'error',
    exitCode: null,
    signal: null,
    required: false,
    verdict: counts ? judged.verdict : null,
    groundTruthContradiction: false,
    skipped: false,
    fault: counts ? judged.fault : 'environment',
    reasons: [counts ? KILLED_AGAIN : killed === 'killed' ? KILLED : CUT_OFF],
    comparisons: [],
    remedy: null,
    heldBefore: false,
    points: counts ? pointsFor(judged, rules) : 0,
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
    activity: used?.activity ?? null,
    reconciliation: null,
    findings: [],
    restsOn: [],
    answered: [],
    held: null,
  }
}
