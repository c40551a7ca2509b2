import type { Hint } from '../contract/hint.ts'
import { findClaimedValues, type ValueFinding } from '../verification/comparisons.ts'
import { haveProbesMoved, isFalseCompletion } from '../verification/completion.ts'
import { checkWithCriteria } from '../verification/criteria-checks.ts'
import type { HintCheck } from '../verification/hint-checks.ts'
import type { FileClaimFinding, VerdictInput } from '../verification/types.ts'
import type { Fault } from '../vocabulary/fault.ts'
import type { Verdict } from '../vocabulary/verdict.ts'

/** The facts that the rows of the table need, computed once. */
export interface VerdictFacts {
  readonly input: VerdictInput
  readonly values: readonly ValueFinding[]
  readonly contradictedValues: readonly ValueFinding[]
  readonly missingFiles: readonly FileClaimFinding[]
  /** The combined result of the checks of the task and its criteria. */
  readonly hintCheck: HintCheck
  readonly heldBefore: boolean
  readonly falseCompletion: boolean
}

/** The decision of one row of the table. */
export interface RowDecision {
  readonly verdict: Verdict | null
  readonly fault: Fault | null
  readonly reasons: readonly string[]
  /** For the agent; see `VerdictDecision`. */
  readonly findings?: readonly string[]
  readonly contradiction?: boolean
  readonly scoresNothing?: boolean
  /** It passed before, whatever the expressions measured. */
  readonly heldBefore?: boolean
  readonly skipped?: boolean
  readonly remedy?: string | null
}

/** A row of the table: returns its decision if it applies, otherwise null. */
export type VerdictRow = (facts: VerdictFacts) => RowDecision | null

/** Computes what the rows need. Pure; never throws. */
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

/**
 * Returns whether every expression that checks the task and its criteria passed before the attempt. An expression that calls `changed()`
 * never did as a whole; if only white space changed and its probes read the same, the rest of it did.
 */
function heldBefore(input: VerdictInput): boolean {
  const measured = [input, ...(input.criteria ?? []).filter(({ hint }) => hint.kind === 'expression')]
  return measured.every(({ hint, before, after }) => {
    if (before?.expression?.kind !== 'value') return false
    return (
      before.expression.holds ||
      (input.isBlank === true && asksForChange(hint) && !haveProbesMoved(before, after))
    )
  })
}

/** Returns whether a check is an expression that calls `changed()`. */
export function asksForChange(hint: Hint): boolean {
  return hint.kind === 'expression' && hint.functions.includes('changed')
}
