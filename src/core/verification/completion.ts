import type { Claim } from '../claims/types.ts'
import { changedPaths } from './difference.ts'
import type { FileDifference, Measurement, VerdictInput } from './types.ts'

/** Whether the agent claims to have completed the task: status `done`, or `EXIT_SIGNAL: true` without another status. */
export function claimsCompletion(claim: Pick<Claim, 'status' | 'exitSignal'>): boolean {
  return claim.status === 'done' || (claim.status === null && claim.exitSignal === true)
}

/**
 * Whether the snapshot shows that nothing at all changed; false where it could not see everything. Single paths that it is not
 * sure of do not count: what an agent did there, it can claim.
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
 * Whether completion is claimed with no files written, no state change and no progress. Progress is a probe or an expression,
 * the task's or one of its criteria's, reading differently than before the attempt. A claimed file that cannot be measured may be
 * the work that was done, so it excuses; a bare probe asks for a value, and some tasks write no files: of them it cannot be said.
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

/** Where nothing measures the task, "it is so already" with what shows it can be neither confirmed nor refuted. */
function isAlreadyTrue({ claim, hint }: VerdictInput): boolean {
  return claim.alreadyTrue === true && hint.kind === 'words'
}

/** Whether a probe or an expression, the task's or one of its criteria's, reads differently than before the attempt. Pure. */
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
