import type { ShieldLevel } from './standing.ts'

/** What stays unreviewed until the operator has seen it. */
export const UNREVIEWED_CAUSES = ['contradiction', 'check_rigged', 'supervisor_touched'] as const

export type UnreviewedCause = (typeof UNREVIEWED_CAUSES)[number]

/**
 * "2 contradictions and 1 other finding"; empty for none. `others` of the `count` are rigged checks and refused requests: no claim
 * of theirs is counted among the contradictions of a day, and a refused request may have been the operator's.
 */
export function findingsInWords(count: number, others = 0): string {
  const lies = count - others
  const finding = lies === 0 ? 'finding' : 'other finding'
  const parts = [
    ...(lies === 0 ? [] : [lies === 1 ? '1 contradiction' : `${lies} contradictions`]),
    ...(others === 0 ? [] : [others === 1 ? `1 ${finding}` : `${others} ${finding}s`]),
  ]
  return parts.join(' and ')
}

/** "2 contradictions and 1 other finding, not reviewed"; empty for none. */
export function unreviewedCount(count: number, others = 0): string {
  return count === 0 ? '' : `${findingsInWords(count, others)}, not reviewed`
}

/** Returns how many of these are not contradictions. */
export function countOthers(waiting: readonly { readonly because: UnreviewedCause }[]): number {
  return waiting.filter(({ because }) => because !== 'contradiction').length
}

/**
 * Returns the level of the glyph to draw: while contradictions are unreviewed, no check mark and no star; the ≠ notch beside it says why.
 */
export function shieldDrawn(level: ShieldLevel, unreviewed: number): ShieldLevel {
  const isReward = level === 'good' || level === 'excellent' || level === 'outstanding'
  return unreviewed > 0 && isReward ? 'none' : level
}
