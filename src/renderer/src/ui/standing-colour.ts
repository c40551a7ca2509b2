import { SHIELD_ROWS, type ShieldLevel } from '../../../core/vocabulary/standing.ts'

/** The colour of a standing as CSS has it, for light and for dark. */
export function standingColour(level: ShieldLevel): string {
  return `light-dark(${SHIELD_ROWS[level].colours.join(', ')})`
}
