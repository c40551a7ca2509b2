import type { ScoringRules } from '../configuration/scoring.ts'
import type { Fault } from '../vocabulary/fault.ts'
import type { Verdict } from '../vocabulary/verdict.ts'

/** What the points of one verdict depend on. */
export interface JudgedAttempt {
  readonly verdict: Verdict
  readonly groundTruthContradiction: boolean
  /** As counted in the attempt: a penalty may have made an optional task required. */
  readonly required: boolean
  /** Who is responsible for the failure. `unclear` costs points only if it is the agent. Omitted: the agent. */
  readonly fault?: Fault | null
  /** Verified with nothing new to pay for, or held. */
  readonly scoresNothing?: boolean
}

/**
 * Returns the points of one verdict, signed. A contradiction's points are added to those of the verdict. The operator's verdict includes no
 * contradiction: overruling changes the score by `pointsFor({ verdict, groundTruthContradiction: false, required })` minus the attempt's
 * old points.
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
