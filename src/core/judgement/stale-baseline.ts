import { newlyFailing } from '../reports/lost-names.ts'
import type { VerdictInput } from '../verification/types.ts'
import { type Asking, ask } from './asking.ts'
import { type RememberedTests, reportsOf } from './baseline-reports.ts'
import type { WorkCase } from './case.ts'
import type { GuardedChange, RoomRun, SortedChanges } from './decide-custody.ts'
import { isByExitCodeAlone } from './exit-code-alone.ts'
import type { Setting } from './questions.ts'
import { measureIn } from './room-measuring.ts'
import { decideVerdict } from './verdict.ts'

/** Work whose check passes in place, and the result with the baseline's files. */
export interface Disputed {
  readonly subject: WorkCase
  readonly input: VerdictInput
  readonly remembered: RememberedTests
  readonly room: RoomRun | null
  readonly changes: SortedChanges
}

/**
 * Returns whether the baseline's files did not pass together before this work either, although the tree did: the operator
 * changed some of them, and verified work changed others that belong with them. If so, and nothing else fails with them now,
 * the tests from before this work are used instead, and have to pass.
 */
export function* isBaselineStale({ subject, input, remembered, room, changes }: Disputed): Asking<boolean> {
  if (room?.kind !== 'ran' || room.decision.verdict === 'verified' || isByExitCodeAlone(input)) return false
  const own = ownOf(changes)
  const left = changes.protectedFiles.filter((change) => !own.includes(change))
  if (changes.instruments.length > 0 || own.some(({ ownTests }) => ownTests === true)) return false
  if (left.length === 0 || !left.every(isLeftByVerified(subject.history))) return false
  const before = reportsOf([subject.task?.before ?? null])
  const failsAsBefore = [...(room.reports ?? [])].every(([check, now]) => {
    const base = remembered.base.get(check)
    const isGreenInTree = before.get(check)?.failed === 0
    return isGreenInTree && base !== undefined && base.failed > 0 && newlyFailing(base, now)?.length === 0
  })
  if (!failsAsBefore || (room.reports?.size ?? 0) === 0) return false
  if (own.length === 0) return true
  const only = own.map(({ path }) => path)
  const setting: Setting = { room: [], earlier: { kind: 'before-work', only } }
  if ((yield* ask({ kind: 'room', setting })).kind === 'none') return false
  const measured = yield* measureIn(subject, setting, input, reportsOf([subject.task?.before ?? null]))
  return decideVerdict(measured.input).verdict === 'verified'
}

/** Returns the protected files that this work changed. */
function ownOf({ protectedFiles }: SortedChanges): readonly GuardedChange[] {
  return protectedFiles.filter(({ attemptId }) => attemptId === null)
}

/** Returns a test for files that were left by a verified attempt. */
function isLeftByVerified({ attempts }: WorkCase['history']): (change: GuardedChange) => boolean {
  const verified = new Set(
    attempts.filter(({ verdict }) => verdict === 'verified').map(({ attemptId }) => attemptId),
  )
  return ({ attemptId }) => attemptId !== null && verified.has(attemptId)
}
