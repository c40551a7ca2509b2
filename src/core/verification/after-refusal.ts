import { findClaimedValues } from './comparisons.ts'
import { claimsCompletion, hasMeasuredProgress, isUnchanged } from './completion.ts'
import { checkWithCriteria } from './criteria-checks.ts'
import type { VerdictInput } from './types.ts'

/**
 * Returns whether an agent that was refused a tool worked on without it: it says that it is done, and it changed files, or its task's check
 * passes and didn't before, or it gave the very value it was asked for. Then its work is judged like any other. Pure; never throws.
 */
export function workedOnAfterRefusal(input: VerdictInput): boolean {
  if (!claimsCompletion(input.claim)) return false
  if (!isUnchanged(input.work ?? input.difference)) return true
  const holds = checkWithCriteria(input, findClaimedValues(input)).kind === 'holds'
  return holds && (input.hint.kind === 'probe' || hasMeasuredProgress(input))
}
