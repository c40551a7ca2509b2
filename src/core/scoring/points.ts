import type { ScoringRules } from '../configuration/scoring.ts'
import type { Fault } from '../vocabulary/fault.ts'
import type { Verdict } from '../vocabulary/verdict.ts'

/** What the points of one verdict depend on. */
export interface JudgedAttempt {
  readonly verdict: Verdict
  readonly groundTruthContradiction: boolean
  /** As it counted in the attempt: a penalty may have forced an optional task to required. */
  readonly required: boolean
  /** Whose it is that it did not succeed: `unclear` costs only what is the agent's. Left out: the agent's. */
  readonly fault?: Fault | null
  /** Verified with nothing new to pay for, or held. */
  readonly scoresNothing?: boolean
}

/**
 * The points of one verdict, signed. A contradiction adds its own to those of the verdict. The operator's verdict carries no
 * contradiction: overruling moves the score by `pointsFor({ verdict, groundTruthContradiction: false, required })` less the
 * attempt's old points.
 */
export function pointsFor(attempt: JudgedAttempt, rules: ScoringRules): number {
  return verdictPoints(attempt, rules) + (attempt.groundTruthContradiction ? rules.contradiction : 0)
}

function verdictPoints(
  { verdict, required, fault = 'agent', scoresNothing = false }: JudgedAttempt,
  rules: ScoringRules,
): number {
  if (scoresNothing) return 0
  switch (verdict) {
    case 'verified':
      return required ? rules.verifiedRequired : rules.verifiedOptional
    case 'not_verified':
      return rules.notVerified
    case 'unclear':
      return fault === 'agent' ? rules.unclear : 0
  }
}
