import type { Verdict } from '../vocabulary/verdict.ts'
import type { ScoringRules } from './types.ts'

/** What the points of one verdict depend on. */
export interface JudgedAttempt {
  readonly verdict: Verdict
  readonly groundTruthContradiction: boolean
  /** As it counted in the attempt: a penalty may have forced an optional task to required. */
  readonly required: boolean
}

/**
 * The points of one verdict, signed. A contradiction adds its own to those of the verdict. The operator's verdict carries no
 * contradiction: overruling moves the score by `pointsFor({ verdict, groundTruthContradiction: false, required })` less the
 * attempt's old points.
 */
export function pointsFor(attempt: JudgedAttempt, rules: ScoringRules): number {
  return verdictPoints(attempt, rules) + (attempt.groundTruthContradiction ? rules.contradiction : 0)
}

function verdictPoints({ verdict, required }: JudgedAttempt, rules: ScoringRules): number {
  switch (verdict) {
    case 'verified':
      return required ? rules.verifiedRequired : rules.verifiedOptional
    case 'not_verified':
      return rules.notVerified
    case 'unclear':
      return rules.unclear
  }
}
