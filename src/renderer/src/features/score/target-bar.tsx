import { formatPoints } from '../../../../core/scoring/format.ts'
import type { ShieldLevel } from '../../../../core/vocabulary/standing.ts'
import { standingColour } from '../../ui/standing-colour.ts'
import styles from './score.module.css'

/** Shows how much of the target is reached, in the standing's color; empty below zero. */
export function TargetBar({
  score,
  target,
  percent,
  level,
  steps,
}: {
  score: number
  target: number
  percent: number
  level: ShieldLevel
  /** Percentages of the target at which a standing begins; marked so that the next one is visible in advance. */
  steps: readonly number[]
}) {
  const shown = Math.min(100, Math.max(0, percent))
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label="Progress toward the target"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(shown)}
      aria-valuetext={`${formatPoints(score)} of ${formatPoints(target)}`}
    >
      <div className={styles.fill} style={{ inlineSize: `${shown}%`, background: standingColour(level) }} />
      {steps.map((step) => (
        <span key={step} className={styles.step} style={{ insetInlineStart: `${step}%` }} />
      ))}
    </div>
  )
}
