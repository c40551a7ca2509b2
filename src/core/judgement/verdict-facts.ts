import { findClaimedValues, type ValueFinding } from '../verification/comparisons.ts'
import { isFalseCompletion } from '../verification/completion.ts'
import { checkWithCriteria } from '../verification/criteria-checks.ts'
import type { HintCheck } from '../verification/hint-checks.ts'
import type { FileClaimFinding, VerdictInput } from '../verification/types.ts'
import type { Fault } from '../vocabulary/fault.ts'
import type { Verdict } from '../vocabulary/verdict.ts'

/** What the rows of the table look at, worked out once. */
export interface VerdictFacts {
  readonly input: VerdictInput
  readonly values: readonly ValueFinding[]
  readonly contradictedValues: readonly ValueFinding[]
  readonly missingFiles: readonly FileClaimFinding[]
  /** Of the task's hint and of those of its criteria together. */
  readonly hintCheck: HintCheck
  readonly heldBefore: boolean
  readonly falseCompletion: boolean
}

/** What one row of the table says. */
export interface RowDecision {
  readonly verdict: Verdict | null
  readonly fault: Fault | null
  readonly reasons: readonly string[]
  /** For the agent; see `VerdictDecision`. */
  readonly findings?: readonly string[]
  readonly contradiction?: boolean
  readonly scoresNothing?: boolean
  /** It held before, whatever expressions measured. */
  readonly heldBefore?: boolean
  readonly skipped?: boolean
  readonly remedy?: string | null
}

/** A row of the table: its decision where it applies, else null. */
export type VerdictRow = (facts: VerdictFacts) => RowDecision | null

/** Works out what the rows look at. Pure; never throws. */
export function findFacts(input: VerdictInput): VerdictFacts {
  const values = findClaimedValues(input)
  return {
    input,
    values,
    contradictedValues: values.filter(({ relation }) => relation === 'differs'),
    missingFiles: input.fileClaims.filter(({ finding }) => finding === 'missing'),
    hintCheck: checkWithCriteria(input, values),
    heldBefore: heldBefore(input),
    falseCompletion: isFalseCompletion(input),
  }
}

/** Whether all that the task and its criteria check by expressions held before the attempt. */
function heldBefore({ before, criteria = [] }: VerdictInput): boolean {
  const measured = [
    before,
    ...criteria.filter(({ hint }) => hint.kind === 'expression').map((each) => each.before),
  ]
  return measured.every((one) => one?.expression?.kind === 'value' && one.expression.holds)
}
