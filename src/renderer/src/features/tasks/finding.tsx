import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import { VERDICT_WORDS } from '../../../../core/vocabulary/verdict.ts'
import { sentence } from '../../format/sentence.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { Prose } from '../../ui/prose.tsx'
import { Comparisons } from '../attempt/comparisons.tsx'
import styles from './finding.module.css'
import { repeatsComparison, rowComparisons, type TaskRow } from './task-rows.ts'

/** How many comparisons are shown before the row is opened; fewer if all agree. */
const SHOWN = 3
const SHOWN_AGREEING = 2

/** The claim next to the measurement; as text if there is nothing to compare. */
export function Finding({ row }: { row: TaskRow }) {
  const { latest, task } = row
  if (latest === null) return <Untried row={row} />
  const comparisons = rowComparisons(latest, latest.verdict === 'verified' ? SHOWN_AGREEING : SHOWN)
  const more = latest.comparisons.length - comparisons.length
  const saysItAll =
    comparisons.length > 0 && (latest.verdict === 'verified' || latest.groundTruthContradiction)
  return (
    <>
      {comparisons.length > 0 && (
        <Comparisons
          comparisons={comparisons}
          label={`Claim and measurement for ${task.id}`}
          isContradiction={latest.groundTruthContradiction}
          spine
        />
      )}
      {more > 0 && <p className="small quiet breaks pretty">and {more} more</p>}
      {latest.overruled === null ? (
        !saysItAll &&
        (row.isToldAbove ? (
          <p className="small quiet breaks pretty">Did not run: the notice above says why.</p>
        ) : (
          <Reason attempt={latest} shown={comparisons} />
        ))
      ) : (
        <Overruled attempt={latest} />
      )}
    </>
  )
}

/** Who gave the current verdict, what it was before, and how that changed the score. */
function Overruled({ attempt: { overruled, points } }: { attempt: AttemptRow }) {
  if (overruled === null) return null
  const before = overruled.from === null ? 'no verdict' : VERDICT_WORDS[overruled.from].title.toLowerCase()
  const moved =
    overruled.points === undefined || overruled.points === points
      ? ''
      : `, ${formatSignedPoints(overruled.points)} points then and ${formatSignedPoints(points)} now`
  return (
    <p className="small quiet breaks pretty" dir="auto">
      Overruled by you; before: {before}
      {moved}. <q>{overruled.reason}</q>
    </p>
  )
}

function Reason({ attempt, shown }: { attempt: AttemptRow; shown: AttemptRow['comparisons'] }) {
  const reason = attempt.reasons[0]
  if (reason === undefined || (attempt.remedy === null && repeatsComparison(reason, shown))) return null
  return (
    <p className="small quiet breaks pretty" dir="auto">
      <Prose text={sentence(reason)} />
      {attempt.remedy !== null && (
        <span className={styles.remedy}>
          {/[.!?…]$/u.test(reason) ? ' ' : '. '}
          <Prose text={sentence(attempt.remedy)} />
        </span>
      )}
    </p>
  )
}

function Untried({ row: { task, state } }: { row: TaskRow }) {
  const words =
    state === 'blocked'
      ? `Blocked after ${task.attempts} of ${task.maxAttempts} attempts.`
      : state === 'open'
        ? 'Not tried yet today.'
        : task.checked
          ? 'Checked off in the file; its check did not run.'
          : (task.lastResult ?? '')
  return (
    <p className="small quiet breaks pretty" dir="auto">
      {sentence(words)}
    </p>
  )
}
