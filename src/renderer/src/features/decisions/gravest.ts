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
  return lies.toSorted(graverFirst)[0] ?? null
}

/** The gravest contradiction of several workspaces, and whose it is. */
export function gravestAmong(
  workspaces: readonly Pick<WorkspaceDetail, 'id' | 'name' | 'attempts' | 'tasks'>[],
): Gravest | null {
  const each = workspaces.flatMap((workspace) => {
    const attempt = gravestOf(workspace)
    return attempt === null ? [] : [{ id: workspace.id, name: workspace.name, attempt }]
  })
  return each.toSorted((a, b) => graverFirst(a.attempt, b.attempt))[0] ?? null
}

export interface Gravest {
  /** Of the workspace. */
  readonly id: string
  readonly name: string
  readonly attempt: AttemptRow
}

function graverFirst(a: AttemptRow, b: AttemptRow): number {
  return a.points - b.points || Date.parse(b.startedAt) - Date.parse(a.startedAt)
}
