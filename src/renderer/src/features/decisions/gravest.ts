import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { shownVerdict } from '../../../../core/vocabulary/verdict.ts'
import type { AttemptRow } from '../../format/verdict.ts'

/**
 * The contradiction that a screen opens with: of the tasks whose latest attempt of today is one, the one that cost most, of equals the
 * latest. `null` where none is, or nothing of it can be set side by side.
 */
export function gravestOf({
  attempts,
  tasks,
}: Pick<WorkspaceDetail, 'attempts' | 'tasks'>): AttemptRow | null {
  const latest = tasks.flatMap(({ id }) => attempts.find(({ taskId }) => taskId === id) ?? [])
  const lies = latest.filter(
    (attempt) =>
      shownVerdict(attempt) === 'contradiction' &&
      attempt.overruled === null &&
      attempt.comparisons.some(({ agrees }) => agrees === false),
  )
  const [gravest] = lies.toSorted(
    (a, b) => a.points - b.points || Date.parse(b.startedAt) - Date.parse(a.startedAt),
  )
  return gravest ?? null
}
