import { mayChangeBy } from '../custody/may-change.ts'
import { protectionBy } from '../custody/protected.ts'
import type { VerdictDecision, VerdictInput } from '../verification/types.ts'
import { type Asking, ask } from './asking.ts'
import type { WorkCase } from './case.ts'
import { type GuardedChange, runsChecks, type SortedChanges } from './decide-custody.ts'
import { earlierAttempts } from './earlier-answers.ts'
import type { Setting } from './questions.ts'

/**
 * Returns the sources that the task may not change but whose own tests changed since the task was last verified; nothing else
 * protects those tests.
 */
export function* findOwnTests(
  { task, difference, policy, history }: WorkCase,
  input: VerdictInput,
  { verdict }: VerdictDecision,
): Asking<readonly string[]> {
  if (verdict !== 'verified' || !runsChecks(input)) return []
  const attemptIds = sinceVerified({ task, history })
  const { modified, deleted, renamed } = difference
  if (modified.length + deleted.length + renamed.length + attemptIds.length === 0) return []
  const mayChange = mayChangeBy(task?.asked.mayChange ?? [])
  const isProtected = protectionBy(policy.interventions.protected)
  const paths = yield* ask({ kind: 'own-tests', attemptIds })
  return paths.filter((path) => !isProtected(path) && !mayChange(path))
}

/** Returns the changes, plus the tests inside these sources. */
export function withOwnTests(changes: SortedChanges, paths: readonly string[]): SortedChanges {
  const own = paths.map((path): GuardedChange => {
    const isGuarded = { isInstrument: false, isGates: false, isProtected: true }
    return { path, kind: 'modified', ...isGuarded, attemptId: null, ownTests: true }
  })
  return { ...changes, protectedFiles: [...changes.protectedFiles, ...own] }
}

/** Returns the setting with all disputed files as in the baseline; a source that contains tests only has its tests reset. */
export function settingOf(
  subject: Pick<WorkCase, 'history' | 'task'>,
  disputed: readonly GuardedChange[],
): Setting & { readonly room: readonly string[] } {
  const pathsOf = (changes: readonly GuardedChange[]): readonly string[] => changes.map(({ path }) => path)
  const own = pathsOf(disputed.filter(({ ownTests }) => ownTests === true))
  return {
    room: pathsOf(disputed.filter(({ ownTests }) => ownTests !== true)),
    earlier:
      own.length === 0 ? null : { kind: 'former-tests', only: own, attemptIds: sinceVerified(subject) },
  }
}

function sinceVerified({ history, task }: Pick<WorkCase, 'history' | 'task'>): readonly string[] {
  return earlierAttempts(history, task?.id ?? '').attemptIds
}
