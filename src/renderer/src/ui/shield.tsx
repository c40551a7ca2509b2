import { SHIELD_ROWS, type ShieldLevel } from '../../../core/vocabulary/standing.ts'
import styles from './shield.module.css'
import { standingColour } from './standing-colour.ts'

/** The shield in its standing's colour and glyph. Decorative: beside it the standing is said in words. */
export function Shield({ level, size = 20 }: { level: ShieldLevel; size?: number }) {
  const { lines = [], areas = [] } = SHIELD_ROWS[level].glyph[24]
  return (
    <svg
      className={styles.shield}
      data-level={level}
      style={{ color: standingColour(level) }}
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
    </svg>
  )
}
