import type { ShieldLevel } from './standing.ts'

/** What stays unreviewed until the operator has seen it. */
export const UNREVIEWED_CAUSES = ['contradiction', 'check_rigged', 'supervisor_touched'] as const

export type UnreviewedCause = (typeof UNREVIEWED_CAUSES)[number]

/** "2 contradictions, not reviewed"; empty for none. */
export function unreviewedCount(count: number): string {
  if (count === 0) return ''
  return count === 1 ? '1 contradiction, not reviewed' : `${count} contradictions, not reviewed`
}

/** The shield's glyph while contradictions are unreviewed: no check and no star; the ≠ notch beside it says why. */
export function shieldDrawn(level: ShieldLevel, unreviewed: number): ShieldLevel {
  const isReward = level === 'good' || level === 'excellent' || level === 'outstanding'
  return unreviewed > 0 && isReward ? 'none' : level
}
