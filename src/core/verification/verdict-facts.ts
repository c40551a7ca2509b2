import type { Fault } from '../vocabulary/fault.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import { findClaimedValues, type ValueFinding } from './comparisons.ts'
import { isFalseCompletion } from './completion.ts'
import { checkHint, type HintCheck } from './hint-checks.ts'
import type { FileClaimFinding, VerdictInput } from './types.ts'

/** What the rows of the table look at, worked out once. */
export interface VerdictFacts {
  readonly input: VerdictInput
  readonly values: readonly ValueFinding[]
  readonly contradictedValues: readonly ValueFinding[]
  readonly missingFiles: readonly FileClaimFinding[]
  readonly hintCheck: HintCheck
  readonly heldBefore: boolean
  readonly falseCompletion: boolean
}

/** What one row of the table says. */
export interface RowDecision {
  readonly verdict: Verdict | null
  readonly fault: Fault | null
  readonly reasons: readonly string[]
  readonly contradiction?: boolean
  readonly skipped?: boolean
  readonly remedy?: string | null
}

/** A row of the table: its decision where it applies, else null. */
export type VerdictRow = (facts: VerdictFacts) => RowDecision | null

/** Works out what the rows look at. Pure; never throws. */
export function findFacts(input: VerdictInput): VerdictFacts {
  const values = findClaimedValues(input)
  const heldBefore = input.before?.expression
  return {
    input,
    values,
    contradictedValues: values.filter(({ relation }) => relation === 'differs'),
    missingFiles: input.fileClaims.filter(({ finding }) => finding === 'missing'),
    hintCheck: checkHint(input.hint, input.after, values, input.difference),
    heldBefore: heldBefore?.kind === 'value' && heldBefore.holds,
    falseCompletion: isFalseCompletion(input),
  }
}
