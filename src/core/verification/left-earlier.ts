import { findClaimedValues } from './comparisons.ts'
import { checkWithCriteria } from './criteria-checks.ts'
import type { FileClaimFinding, VerdictInput } from './types.ts'

const LEFT_EARLIER = 'an earlier attempt left it as it is'

/**
 * The findings, with files that an earlier refuted attempt of the task left counted as what cannot be measured where this attempt has
 * shown work of its own: what the task asks for holds now, or another file that it names did change. Who sums up the whole task names
 * them too; who has done nothing more, or nothing that helped, says again what was refuted. What an earlier attempt deleted counts so
 * where what the task asks for holds: else nobody knows who took it away since. Pure; never throws.
 */
export function settleLeftEarlier(input: VerdictInput): readonly FileClaimFinding[] {
  const { fileClaims } = input
  const earlier = fileClaims.filter(isEarlier)
  if (earlier.length === 0) return fileClaims
  const holds = checkWithCriteria(input, findClaimedValues(input)).kind === 'holds'
  const hasWorked = holds || fileClaims.some(({ finding }) => finding === 'shown')
  return fileClaims.map((claim) =>
    isEarlier(claim) && (claim.goneEarlier === true ? holds : hasWorked)
      ? { path: claim.path, finding: 'unmeasurable', reason: LEFT_EARLIER }
      : claim,
  )
}

function isEarlier({ finding, leftEarlier, goneEarlier }: FileClaimFinding): boolean {
  return finding === 'missing' && (leftEarlier === true || goneEarlier === true)
}
