import type { AttemptResult, RaisedIntervention, RecordedEvent } from '../../core/record/events.ts'
import { RECORDED, VERDICT } from '../ledger/log-witness.ts'
import type { RecordingStep } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'

type Line = readonly [message: string, fields: Readonly<Record<string, unknown>>, level?: 'warn' | 'error']

/** Logs recorded events once they are on disk: ids and numbers, nothing that an agent or a file says. */
export function logEvents(workspace: string, log: Log): RecordingStep {
  const write = (recorded: readonly RecordedEvent[]): void => {
    for (const event of recorded) {
      for (const [message, fields, level = 'info'] of linesOf(event)) {
        log[level](message, { workspace, seq: event.seq, ...RECORDED, ...fields })
      }
    }
  }
  return { watch: () => write }
}

function linesOf(event: RecordedEvent): readonly Line[] {
  switch (event.type) {
    case 'cycle-started':
      return [['A cycle began', { cycle: event.cycle, trigger: event.trigger }]]
    case 'attempt-started': {
      const { cycle, attemptId, taskId, agentId, timeoutSeconds } = event
      return [['An attempt began', { cycle, attemptId, taskId, agentId, timeoutSeconds }]]
    }
    case 'attempt-finished':
      return attemptLines(event.result)
    case 'cycle-finished':
      return [['A cycle ended', { cycle: event.cycle, ending: event.ending }]]
    case 'intervention-raised':
      return [
        interventionLine(event.intervention, { cycle: event.cycle, taskId: event.taskId, agentId: null }),
      ]
    case 'verdict-overruled': {
      const { attemptId, taskId, from, to, pointsDelta } = event
      return [['A verdict was overruled', { attemptId, taskId, from, to, pointsDelta }]]
    }
    case 'task-unblocked': {
      const { taskId, by, timeoutSeconds } = event
      return [['A task was unblocked', { taskId, by, timeoutSeconds }]]
    }
    case 'unblock-undone':
      return [['An unblock was undone', { taskId: event.taskId }]]
    case 'breaker-changed':
      return [
        [
          'The circuit breaker changed',
          { agentId: event.agentId, state: event.state },
          BREAKER_LEVELS[event.state],
        ],
      ]
    case 'suspended':
      return [['The workspace was suspended for manual review', {}, 'error']]
    case 'suspension-lifted':
      return [['The suspension was ended', {}]]
    case 'paused':
      return [['The workspace was paused', { until: event.until }]]
    case 'resumed':
      return [['The workspace was resumed', {}]]
    case 'backed-off':
      return [
        [
          event.byGate ? 'A gate could not be started' : 'The environment stopped the agent',
          { minutes: event.minutes, until: event.until },
          'warn',
        ],
      ]
    default:
      return []
  }
}

function attemptLines(result: AttemptResult): readonly Line[] {
  const { cycle, attemptId, taskId, agentId, outcome, durationMs } = result
  const { verdict, groundTruthContradiction, fault, points, filesChangedCount } = result
  const ids = { cycle, attemptId, taskId, agentId }
  return [
    ['An attempt ended', { ...ids, outcome, durationMs, filesChangedCount }],
    ['A verdict was given', { ...VERDICT, ...ids, verdict, groundTruthContradiction, fault, points }],
    ...result.interventions.map((intervention) => interventionLine(intervention, ids)),
  ]
}

/** Levels that stand out in the log: an agent that was warned, or stopped. */
const BREAKER_LEVELS = { closed: undefined, open: 'warn', tripped: 'error' } as const

/** Returns the log line of an intervention, under the name that other tools look for. */
function interventionLine(
  { event_type, severity }: RaisedIntervention,
  { cycle, taskId, agentId, ...ids }: Readonly<Record<string, unknown>>,
): Line {
  const fields = { iteration: cycle, event_type, severity, task_id: taskId, agent: agentId, ...ids }
  return severity === 'info' ? ['intervention_triggered', fields] : ['intervention_triggered', fields, 'warn']
}
