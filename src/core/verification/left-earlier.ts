import { findClaimedValues } from './comparisons.ts'
import { checkWithCriteria } from './criteria-checks.ts'
import type { FileClaimFinding, VerdictInput } from './types.ts'

const LEFT_EARLIER = 'an earlier attempt left it as it is'
const FINISHED_ELSEWHERE = 'it was written in an attempt at another task'

/**
 * Returns the findings, treating files left by an earlier refuted attempt at the task as not measurable if this attempt has also done work:
 * the task's check passes now, or another file that it names did change. An agent that sums up the whole task names those files too; one
 * that did nothing more, or nothing that helped, only repeats a contradicted claim. Files that an earlier attempt deleted are treated the
 * same only if the check passes; otherwise it is unknown who removed them. Files finished in an attempt at another task may have been this
 * one's work, done ahead, unless this task's check fails. Pure; never throws.
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

/** Returns whether the checks only ask what changed, not about the state, which may include work done ahead. */
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
