import { formatPoints } from '../../../core/scoring/format.ts'

/** Formats a share as `94 %`, with a real minus sign; a dash if there is none. */
export function shareInWords(share: number | null): string {
  return share === null ? '–' : `${formatPoints(Math.round(share * 100))} %`
}
