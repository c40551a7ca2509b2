import {
  checkCostInWords,
  checkInWords,
  costParts,
  longestChecks,
} from '../../../../core/read-model/cost-words.ts'
import type { AttemptCosts } from '../../../../core/record/costs.ts'
import { harmlessLine } from '../../../../core/text/harmless.ts'
import styles from './attempt-costs.module.css'

/** How an attempt spent its time, as text and as a bar, and the checks that took longest. */
export function AttemptCostsView({ costs }: { costs: AttemptCosts }) {
  const parts = costParts(costs)
  const checks = longestChecks(costs)
  return (
    <>
      <div className={styles.bar} aria-hidden>
        {parts.map(({ phase, ms }) => (
          <span key={phase} data-phase={phase} style={{ flexGrow: ms }} />
        ))}
      </div>
      <ul className={styles.parts}>
        {parts.map(({ phase, words }) => (
          <li key={phase}>
            <span className={styles.key} data-phase={phase} aria-hidden />
            {words}
          </li>
        ))}
      </ul>
      {checks.length > 0 && (
        <ul className={styles.checks} aria-label="Checks that took longest">
          {checks.map((cost) => (
            <li key={`${cost.kind} ${cost.name}`}>
              <bdi>{harmlessLine(checkInWords(cost))}</bdi>: {checkCostInWords(cost)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
