import type { Claim } from '../claims/types.ts'
import { changedPaths } from './difference.ts'
import type { FileDifference, Measurement, VerdictInput } from './types.ts'

/** Returns whether the agent claims to have completed the task: status `done`, or `EXIT_SIGNAL: true` without another status. */
export function claimsCompletion(claim: Pick<Claim, 'status' | 'exitSignal'>): boolean {
  return claim.status === 'done' || (claim.status === null && claim.exitSignal === true)
}

/**
 * Returns whether the snapshot shows that nothing at all changed; false if it could not see everything. Single paths that it is unsure of
 * don't count: the agent can claim what it did there.
 */
export function isUnchanged(difference: FileDifference): boolean {
  return (
    changedPaths(difference).length === 0 &&
    (difference.otherwiseChanged ?? []).length === 0 &&
    (difference.ignored ?? []).length === 0 &&
    difference.headMoved === null &&
    (difference.asked ?? []).length === 0 &&
    difference.incomplete === null
  )
}

/**
 * Returns whether completion is claimed with no files written, no state change and no progress. Progress means that a probe or an
 * expression, the task's or a criterion's, reads differently than before the attempt. False if a claimed file can't be measured (it may be
 * the work), if the check is a bare probe (it only asks for a value), or if the task writes no files.
 */
export function isFalseCompletion(input: VerdictInput): boolean {
  return (
    claimsCompletion(input.claim) &&
    input.hasNoTask !== true &&
    input.hint.kind !== 'probe' &&
    input.writesNoFiles !== true &&
    isUnchanged(input.work ?? input.difference) &&
    !input.fileClaims.some(({ finding }) => finding === 'unmeasurable') &&
    !isAlreadyTrue(input) &&
    !hasMeasuredProgress(input)
  )
}

/** Returns whether the agent says "it is so already" and nothing measures the task: that can be neither confirmed nor refuted. */
function isAlreadyTrue({ claim, hint }: VerdictInput): boolean {
  return claim.alreadyTrue === true && hint.kind === 'words'
}

/** Returns whether a probe or an expression, the task's or a criterion's, reads differently than before the attempt. Pure. */
export function hasMeasuredProgress(input: Pick<VerdictInput, 'before' | 'after' | 'criteria'>): boolean {
  return [input, ...(input.criteria ?? [])].some(({ before, after }) => showsProgress(before, after))
}

function showsProgress(before: Measurement | null, after: Measurement): boolean {
  if (before === null) return false
  const [was, is] = [before.expression, after.expression]
  if (was?.kind === 'value' && is?.kind === 'value' && was.holds !== is.holds) return true
  return haveProbesMoved(before, after)
}

/** Returns whether a probe reads differently than before the attempt. */
export function haveProbesMoved(before: Measurement, after: Measurement): boolean {
  return after.probes.some((reading) => {
    // A probe read only afterwards (because the agent claimed a value for it) shows no change.
    const earlier = before.probes.find(({ name }) => name === reading.name)
    if (earlier === undefined || reading.kind !== 'value') return false
    return earlier.kind !== 'value' || JSON.stringify(earlier.value) !== JSON.stringify(reading.value)
  })
}
