import type { ReactNode } from 'react'
import { SHIELD_ROWS, type ShieldGlyph, type ShieldLevel } from '../../../core/vocabulary/standing.ts'
import styles from './shield.module.css'
import { standingColour } from './standing-colour.ts'

/** The glyph inside the shield, drawn in strokes on a 24-unit square; the colour alone never says it. */
const GLYPHS: Readonly<Record<ShieldGlyph, ReactNode>> = {
  lock: (
    <>
      <rect x="8.4" y="11" width="7.2" height="5.4" rx="1" className={styles.filled} />
      <path d="M9.9 11V9.2a2.1 2.1 0 0 1 4.2 0V11" />
    </>
  ),
  'two-chevrons': <path d="m8.5 7.6 3.5 3.2 3.5-3.2M8.5 12.4l3.5 3.2 3.5-3.2" />,
  chevron: <path d="m8.3 10 3.7 3.6 3.7-3.6" />,
  exclamation: <path d="M12 6.8v5.7M12 16v.1" />,
  blank: null,
  tick: <path d="m8.2 11.8 2.7 2.7 5-5.3" />,
  'two-ticks': <path d="m6.8 11.8 2.5 2.5 4.2-4.6M12.6 14l.4.4 4.5-4.7" />,
  star: (
    <path
      className={styles.filled}
      d="m12 6.4 1.6 3.3 3.6.5-2.6 2.5.6 3.6-3.2-1.7-3.2 1.7.6-3.6-2.6-2.5 3.6-.5z"
    />
  ),
  bars: <path d="M10 8.5v6.5M14 8.5v6.5" />,
  hand: (
    <path
      className={styles.filled}
      d="M8 12.6V9.2a.7.7 0 0 1 1.4 0v2h.5V7.3a.7.7 0 0 1 1.4 0v3.9h.5V6.8a.7.7 0 0 1 1.4 0v4.4h.5V7.8a.7.7 0 0 1 1.4 0v5.6c0 2.3-1.5 3.8-3.6 3.8-1.9 0-2.8-.9-3.7-2.3l-1.9-2.7a.75.75 0 0 1 1.1-1z"
    />
  ),
}

/** The shield in its standing's colour and glyph. Decorative: beside it the standing is said in words. */
export function Shield({ level, size = 20 }: { level: ShieldLevel; size?: number }) {
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
      <g className={styles.glyph}>{GLYPHS[SHIELD_ROWS[level].glyph]}</g>
    </svg>
  )
}
