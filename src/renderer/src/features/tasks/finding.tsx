import type { AttemptRow } from '../../format/verdict.ts'
import { Equation } from '../attempt/equation.tsx'
import styles from './finding.module.css'
import { rowComparisons, type TaskRow } from './task-rows.ts'

/** Comparisons shown before the row is opened. */
const SHOWN = 3

/** What was claimed beside what was measured; in words where there is nothing to set side by side. */
export function Finding({ row }: { row: TaskRow }) {
  const { latest, task } = row
  if (latest === null) return <Untried row={row} />
  const comparisons = rowComparisons(latest, SHOWN)
  const more = latest.comparisons.length - comparisons.length
  const saysItAll =
    comparisons.length > 0 && (latest.verdict === 'verified' || latest.groundTruthContradiction)
  return (
    <>
      {comparisons.length > 0 && (
        <ul className={styles.equations} aria-label={`Claim and measurement for ${task.id}`}>
          {comparisons.map((comparison) => (
            <Equation key={`${comparison.subject}\n${comparison.claimed}`} comparison={comparison} />
          ))}
        </ul>
      )}
      {more > 0 && <p className={styles.words}>and {more} more</p>}
      {!saysItAll && <Reason attempt={latest} />}
    </>
  )
}

function Reason({ attempt }: { attempt: AttemptRow }) {
  const reason = attempt.reasons[0]
  if (reason === undefined) return null
  return (
    <p className={styles.words} dir="auto">
      {sentence(reason)}
      {attempt.mend !== null && <span className={styles.mend}> {sentence(attempt.mend)}</span>}
    </p>
  )
}

/** Reasons are written to stand in a list; alone they begin like a sentence. */
function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function Untried({ row: { task, state } }: { row: TaskRow }) {
  const words =
    state === 'blocked'
      ? `Blocked after ${task.attempts} of ${task.maxAttempts} attempts.`
      : state === 'open'
        ? 'Not tried yet today.'
        : task.checked
          ? 'Ticked in the file; nothing was checked.'
          : (task.lastResult ?? '')
  return (
    <p className={styles.words} dir="auto">
      {sentence(words)}
    </p>
  )
}
