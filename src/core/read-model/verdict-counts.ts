import type { Score } from './score.ts'

/** How many verdicts of a day came to what; the categories do not overlap. */
export interface VerdictCounts {
  readonly verified: number
  readonly contradictions: number
  /** Without the contradictions. */
  readonly notVerified: number
  readonly unclear: number
}

/** The verdicts of a day, each counted once. */
export function verdictCounts({
  verified,
  failed,
  contradictions,
  unclear,
}: Pick<Score, 'verified' | 'failed' | 'contradictions' | 'unclear'>): VerdictCounts {
  return { verified, contradictions, notVerified: Math.max(0, failed - contradictions), unclear }
}
