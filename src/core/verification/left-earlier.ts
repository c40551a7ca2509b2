import { findClaimedValues } from './comparisons.ts'
import { checkWithCriteria } from './criteria-checks.ts'
import type { FileClaimFinding, VerdictInput } from './types.ts'

const LEFT_EARLIER = 'an earlier attempt left it as it is'

/**
 * The findings, with files that an earlier refuted attempt of the task left counted as what cannot be measured where this attempt has
 * shown work of its own: what the task asks for holds now, or another file that it names did change. Who sums up the whole task names
 * them too; who has done nothing more, or nothing that helped, says again what was refuted. Pure; never throws.
 */
export function settleLeftEarlier(input: VerdictInput): readonly FileClaimFinding[] {
  const { fileClaims } = input
  if (!fileClaims.some(({ finding, leftEarlier }) => finding === 'missing' && leftEarlier === true))
    return fileClaims
  const hasWorked =
    fileClaims.some(({ finding }) => finding === 'shown') ||
    checkWithCriteria(input, findClaimedValues(input)).kind === 'holds'
  if (!hasWorked) return fileClaims
  return fileClaims.map((claim) =>
    claim.finding === 'missing' && claim.leftEarlier === true
      ? { path: claim.path, finding: 'unmeasurable', reason: LEFT_EARLIER }
      : claim,
  )
}
