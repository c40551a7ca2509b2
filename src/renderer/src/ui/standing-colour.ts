import { SHIELD_ROWS, type ShieldLevel } from '../../../core/vocabulary/standing.ts'

/** Returns a standing's color as a CSS value for light and dark. */
export function standingColour(level: ShieldLevel): string {
  return `light-dark(${SHIELD_ROWS[level].colours.join(', ')})`
}
