import { mayChangeBy } from '../../../core/custody/may-change.ts'
import { movedData } from '../../../core/custody/moved-data.ts'
import { protectionBy } from '../../../core/custody/protected.ts'
import { testsToRemove } from '../../../core/custody/removed-tests.ts'
import { guardedDifference, wordsOf } from '../../../core/judgement/task-words.ts'
import type { RaisedIntervention } from '../../../core/record/events.ts'
import { namesFile } from '../../../core/text/names-path.ts'
import { findWeakenedFiles } from '../../../core/verification/protected-files.ts'
import type { FileDifference } from '../../../core/verification/types.ts'
import type { ProtectedFiles } from '../../ports/snapshotter.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'
import { operatorsTask } from './operators-task.ts'

/** How many findings the ledger keeps; the count says how many there were. */
const MAX_FINDINGS = 20

/**
 * Returns one critical `protected_files_changed` if a run weakened files that the operator protects. It changes no verdict: a task may ask
 * for fewer tests, and only the operator can tell. Ignores a file that a task of the run names or covers with `may_change`. Tests in a
 * repository or work tree inside this one don't weaken it when they are removed, nor make up for its own when they are added.
 */
export async function compareProtected(
  context: CycleContext,
  attempts: readonly PlannedAttempt[],
  before: ProtectedFiles,
  difference: FileDifference,
): Promise<readonly RaisedIntervention[]> {
  const { ports, cycle, config } = context
  const asked = attempts.map(({ task }) => operatorsTask(context, task))
  const isProtected = protectionBy(config.interventions.protected)
  const isAllowed = mayChangeBy(
    asked.flatMap((task) => [...task.mayChange, ...testsToRemove(task, difference, isProtected)]),
  )
  const texts = asked.map(wordsOf)
  const mayChange = (path: string): boolean =>
    isAllowed(path) || texts.some((text) => namesFile(text, path, ports.directory))
  const changes = await ports.snapshotter.protectedChanges(
    before,
    guardedDifference(difference, asked, config.interventions.protected),
  )
  const moved = movedData(difference)
  const findings = findWeakenedFiles(changes, mayChange, (path) => moved.has(path))
  if (findings.length === 0) return []
  ports.notifier.notify({
    key: `protected-files:${ports.id}:${cycle}`,
    about: 'contractWeakened',
    workspaceId: ports.id,
    title: `${ports.name}: protected files were weakened`,
    body: `${findings.slice(0, 3).join('; ')}. Look at the changes before you rely on these files.`,
  })
  return [
    {
      event_type: 'protected_files_changed',
      severity: 'critical',
      details: {
        files: findings.slice(0, MAX_FINDINGS),
        files_count: findings.length,
        note: 'Counted before and after the run, over the files under `protected`; edits by anyone else during the run cannot be told apart.',
      },
    },
  ]
}
