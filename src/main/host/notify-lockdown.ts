import { lockdownMessage } from '../../core/read-model/lockdown-message.ts'
import { resolveStanding } from '../../core/scoring/standing.ts'
import type { Ledger, RecordingStep } from '../ports/ledger.ts'
import type { Notifier } from '../ports/notifier.ts'

/**
 * Notifies of a lockdown that starts between heartbeats, through feedback, an overruled verdict or a review. One that a heartbeat causes is
 * notified at its end.
 */
export function notifyLockdowns(
  ledger: Pick<Ledger, 'state'>,
  { id, name }: { readonly id: string; readonly name: string },
  notifier: Notifier,
): RecordingStep {
  // The interval is arbitrary, because no penalty depends on it.
  const standing = () => resolveStanding(ledger.state.score, ledger.state.rules, 15)
  const watch = () => {
    const before = standing().penalty
    const wasRunning = ledger.state.running !== null
    return () => {
      const after = standing()
      const isNew = after.penalty === 'lockdown' && before !== 'lockdown'
      if (isNew && !wasRunning && ledger.state.running === null)
        notifier.notify({
          key: `lockdown:${id}:after-${ledger.state.seq}`,
          about: 'lockdown',
          workspaceId: id,
          ...lockdownMessage(name, ledger.state, after),
        })
    }
  }
  return { watch }
}
