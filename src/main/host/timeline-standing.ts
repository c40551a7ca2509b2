import { shieldOfDay, standingWords } from '../../core/read-model/standing-words.ts'
import type { RecordedEvent } from '../../core/record/events.ts'
import type { Standing } from '../../core/scoring/types.ts'
import type { Ledger, RecordingStep } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import { createSerializer } from '../process/serialize.ts'

/**
 * Records the standing that the operator sees, after each event that changes it. Uses the state and not the event, so that a change that a
 * crash left unrecorded is recorded with the next event. `standing` returns `null` before the configuration is known.
 */
export function recordStandings(ledger: Ledger, standing: () => Standing | null, log: Log): RecordingStep {
  const recordChange = async (): Promise<void> => {
    const now = standing()
    if (now === null) return
    const { standing: before, standingShown: from = before, running, score } = ledger.state
    const to = shieldOfDay(ledger.state, now.level)
    // Only a change that the operator sees counts: a first contradiction on a day that was merely behind is one, fewer points on such a day
    // are not. A workspace starts without a standing, which is no change.
    if (to === (from ?? 'none')) return
    await ledger.append({
      type: 'standing-changed',
      from: before,
      to: now.level,
      shown: { from, to },
      cycle: running?.cycle ?? null,
      score: score.today.score,
      target: score.today.target,
      intervalMinutes: now.intervalMinutes,
      message: standingWords(ledger.state, now),
    })
  }
  // Serialized, so that two appends don't record the same change.
  const inTurn = createSerializer()
  const follow = async (recorded: readonly RecordedEvent[]): Promise<void> => {
    // Skips its own event.
    if (recorded.every(({ type }) => type === 'standing-changed')) return
    // The requested change is on disk, so the caller must not see an error. The standing is recorded with the next event.
    await inTurn(recordChange).catch((error: unknown) =>
      log.warn('A change of the standing could not be recorded', { error: String(error) }),
    )
  }
  return { watch: () => follow }
}
