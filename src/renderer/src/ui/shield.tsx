import { SHIELD_ROWS, type ShieldLevel, UNREVIEWED_NOTCH } from '../../../core/vocabulary/standing.ts'
import { shieldDrawn } from '../../../core/vocabulary/unreviewed.ts'
import styles from './shield.module.css'
import { standingColour } from './standing-colour.ts'

/**
 * The shield in its standing's color and glyph, with a ≠ notch while contradictions are unreviewed. Decorative: the standing and the count
 * are next to it as text.
 */
export function Shield({
  level,
  unreviewed = 0,
  size = 20,
}: {
  level: ShieldLevel
  /** How many contradictions have not been reviewed. */
  unreviewed?: number
  size?: number
}) {
  const drawn = shieldDrawn(level, unreviewed)
  const { lines = [], areas = [] } = SHIELD_ROWS[drawn].glyph[24]
  const notch = UNREVIEWED_NOTCH[24]
  return (
    <svg
      className={styles.shield}
      data-level={level}
      data-drawn={drawn}
      data-unreviewed={unreviewed > 0}
      style={{ color: standingColour(drawn) }}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path
        className={styles.body}
        d="M12 1.3c2.6 1.7 5.3 2.6 8.6 2.8v7c0 5.3-3.3 9.4-8.6 11.6-5.3-2.2-8.6-6.3-8.6-11.6v-7c3.3-.2 6-1.1 8.6-2.8Z"
      />
      <g className={styles.glyph}>
        {lines.map((path) => (
          <path key={path} d={path} />
        ))}
        {areas.map((path) => (
          <path key={path} d={path} className={styles.filled} />
        ))}
      </g>
      {unreviewed > 0 && (
        <g className={styles.notch}>
          <circle cx={notch.x} cy={notch.y} r={notch.radius} />
          <path d={notch.sign} strokeWidth={notch.lineWidth} />
        </g>
      )}
    </svg>
  )
}
