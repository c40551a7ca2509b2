import { findClaimedValues } from './comparisons.ts'
import { claimsCompletion, hasMeasuredProgress, isUnchanged } from './completion.ts'
import { checkWithCriteria } from './criteria-checks.ts'
import type { VerdictInput } from './types.ts'

/**
 * Whether an agent that was refused a tool found another way: it says that it is done, and it changed files, or what its task asks for holds
 * and did not before, or it gave the very value that it was asked for. Then the refusal did not stop it, and what it did is judged like
 * any other work. Pure; never throws.
 */
export function workedOnAfterRefusal(input: VerdictInput): boolean {
  if (!claimsCompletion(input.claim)) return false
  if (!isUnchanged(input.work ?? input.difference)) return true
  const holds = checkWithCriteria(input, findClaimedValues(input)).kind === 'holds'
  return holds && (input.hint.kind === 'probe' || hasMeasuredProgress(input))
}
