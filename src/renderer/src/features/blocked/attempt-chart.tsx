import { LockOpen } from 'lucide-react'
import { durationWords } from '../../../../core/pacing/duration-words.ts'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { OUTCOME_WORDS } from '../../../../core/vocabulary/outcome.ts'
import { counted } from '../../format/counted.ts'
import { attemptBars, type PastAttempt } from './attempt-bars.ts'
import styles from './attempt-chart.module.css'

type PastEntry = BlockedTask['history'][number]

/** How much of its time each attempt took, oldest first, with the unblocks in between. The list below has the figures. */
export function AttemptChart({ history }: { history: readonly PastEntry[] }) {
  const attempts = history.filter((entry) => entry.kind === 'attempt').reverse()
  // There is nothing to compare if there is only one, or all are equal: the rows say everything.
  if (attempts.length < 2 || areAlike(attempts)) return null
  const bars = attemptBars(history)
  const longest = Math.max(...attempts.map(({ timeoutSeconds }) => timeoutSeconds))
  return (
    <figure className={styles.figure}>
      <div className={styles.chart} role="img" aria-label={inWords(attempts)}>
        {history.toReversed().map((entry) =>
          entry.kind === 'unblock' ? (
            <span key={`unblock ${entry.at}`} className={styles.unblock} title="Unblocked">
              <LockOpen size={10} aria-hidden />
            </span>
          ) : (
            <Column key={entry.attemptId} attempt={entry} bar={bars.get(entry.attemptId)} />
          ),
        )}
      </div>
      <figcaption className={styles.legend} aria-hidden>
        <span className={styles.keyTaken} /> taken <span className={styles.keyTimeout} /> timeout, at most{' '}
        {durationWords(longest * 1000)}
      </figcaption>
    </figure>
  )
}

function areAlike([first, ...others]: readonly PastAttempt[]): boolean {
  return others.every(
    ({ outcome, timeoutSeconds, durationMs }) =>
      outcome === first?.outcome &&
      timeoutSeconds === first.timeoutSeconds &&
      Math.abs(durationMs - first.durationMs) < timeoutSeconds * 100,
  )
}

function Column({
  attempt,
  bar,
}: {
  attempt: PastAttempt
  bar: { readonly timeout01: number; readonly duration01: number } | undefined
}) {
  return (
    <span className={styles.column} title={oneInWords(attempt)}>
      <span className={styles.timeout} style={{ blockSize: `${(bar?.timeout01 ?? 1) * 100}%` }} />
      <span
        className={styles.taken}
        data-outcome={attempt.outcome}
        style={{ blockSize: `${(bar?.duration01 ?? 0) * 100}%` }}
      />
    </span>
  )
}

function inWords(attempts: readonly PastAttempt[]): string {
  return `${counted(attempts.length, 'attempt')}, the oldest first: ${attempts.map(oneInWords).join('; ')}.`
}

function oneInWords({ outcome, durationMs, timeoutSeconds }: PastAttempt): string {
  return `${OUTCOME_WORDS[outcome]} after ${durationWords(durationMs)} of ${durationWords(timeoutSeconds * 1000)}`
}
