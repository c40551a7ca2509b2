import { findClaimedValues } from './comparisons.ts'
import { checkWithCriteria } from './criteria-checks.ts'
import type { FileClaimFinding, VerdictInput } from './types.ts'

const LEFT_EARLIER = 'an earlier attempt left it as it is'
const FINISHED_ELSEWHERE = 'it was written in an attempt at another task'

/**
 * The findings, with files that an earlier refuted attempt of the task left counted as what cannot be measured where this attempt has
 * shown work of its own: what the task asks for holds now, or another file that it names did change. Who sums up the whole task names
 * them too; who has done nothing more, or nothing that helped, says again what was refuted. What an earlier attempt deleted counts so
 * where what the task asks for holds: else nobody knows who took it away since. What was finished in an attempt at another task may have
 * been this one's work, done ahead, unless what the task asks for does not hold. Pure; never throws.
 */
export function settleLeftEarlier(input: VerdictInput): readonly FileClaimFinding[] {
  const { fileClaims } = input
  const earlier = fileClaims.filter(isEarlier)
  if (earlier.length === 0) return fileClaims
  const check = checkWithCriteria(input, findClaimedValues(input)).kind
  const holds = check === 'holds'
  const hasWorked = holds || fileClaims.some(({ finding }) => finding === 'shown')
  const isExcused = ({ goneEarlier, finishedElsewhere }: FileClaimFinding): boolean => {
    if (goneEarlier === true) return holds
    return finishedElsewhere === true ? check !== 'refuted' || asksOnlyWhatChanged(input) : hasWorked
  }
  return fileClaims.map((claim) =>
    isEarlier(claim) && isExcused(claim)
      ? { path: claim.path, finding: 'unmeasurable', reason: reasonOf(claim) }
      : claim,
  )
}

/** Nothing of the state is asked, which may hold what was done ahead. */
function asksOnlyWhatChanged({ hint, criteria = [] }: VerdictInput): boolean {
  return [hint, ...criteria.map((one) => one.hint)].every(
    (one) =>
      one.kind === 'expression' &&
      one.probes.length === 0 &&
      one.functions.every((name) => name === 'changed'),
  )
}

function reasonOf({ finishedElsewhere }: FileClaimFinding): string {
  return finishedElsewhere === true ? FINISHED_ELSEWHERE : LEFT_EARLIER
}

function isEarlier({ finding, leftEarlier, goneEarlier, finishedElsewhere }: FileClaimFinding): boolean {
  return finding === 'missing' && [leftEarlier, goneEarlier, finishedElsewhere].includes(true)
}
