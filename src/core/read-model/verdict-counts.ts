import type { Score } from './score.ts'

/** A day's verdicts by category; the categories do not overlap. */
export interface VerdictCounts {
  readonly verified: number
  readonly contradictions: number
  /** Without the contradictions. */
  readonly notVerified: number
  readonly unclear: number
}

/** Returns a day's verdicts, each counted once. */
export function verdictCounts({
  verified,
  failed,
  contradictions,
  unclear,
}: Pick<Score, 'verified' | 'failed' | 'contradictions' | 'unclear'>): VerdictCounts {
  return { verified, contradictions, notVerified: Math.max(0, failed - contradictions), unclear }
}
