import type { RecordedEvent } from '../../core/record/events.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import type { CycleEnding } from '../../core/vocabulary/heartbeat.ts'
import type { HeartbeatSign } from '../ports/channels.ts'
import type { Ledger, RecordingStep } from '../ports/ledger.ts'

/** Signals each heartbeat to an uptime monitor once it is on disk. */
export function notifyElsewhere(
  ledger: Pick<Ledger, 'state'>,
  workspace: string,
  heartbeat: (sign: HeartbeatSign) => void,
): RecordingStep {
  const signal = (recorded: readonly RecordedEvent[]): void => {
    for (const event of recorded) {
      const sign = signOf(event, ledger.state)
      if (sign !== null) heartbeat({ workspace, ...sign })
    }
  }
  return { watch: () => signal }
}

/** An ending that needs attention is a failure; an expected one is only logged. */
const SIGN_OF: Readonly<Record<CycleEnding, HeartbeatSign['sign']>> = {
  completed: 'success',
  environment: 'fail',
  interrupted: 'fail',
  suspended: 'fail',
  budget: 'log',
  idle: 'success',
  stopped: 'log',
  elsewhere: 'log',
}

function signOf(event: RecordedEvent, state: WorkspaceState): Pick<HeartbeatSign, 'sign' | 'text'> | null {
  if (event.type === 'cycle-started') return { sign: 'start', text: `Heartbeat ${event.cycle} began.` }
  if (event.type === 'heartbeat-skipped' && event.reason === 'idle') {
    return { sign: 'success', text: `Nothing to do: ${event.why ?? ''}` }
  }
  if (event.type !== 'cycle-finished') return null
  const { score, target } = state.score.today
  return {
    sign: state.backoff?.isParked === true ? 'log' : SIGN_OF[event.ending],
    text: `Heartbeat ${event.cycle} ended: ${event.ending}. ${score} of ${target} points today.`,
  }
}
