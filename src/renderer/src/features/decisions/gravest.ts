import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { shownVerdict } from '../../../../core/vocabulary/verdict.ts'
import type { AttemptRow } from '../../format/verdict.ts'

type Judged = Pick<WorkspaceDetail, 'attempts' | 'tasks' | 'shield'>

/**
 * Returns the contradiction that a screen shows first: among tasks whose latest attempt today is one, the one that cost the most, and the
 * latest among equals. In lockdown, if all were corrected since, one of those that led to it. `null` if there is none, or none can be shown
 * as claim and measurement.
 */
export function gravestOf(workspace: Judged): AttemptRow | null {
  return standing(workspace) ?? madeGood(workspace)
}

/** The attempt that corrected it: a later, verified one at the same task. */
export function madeGoodBy(lie: AttemptRow, attempts: readonly AttemptRow[]): AttemptRow | null {
  const latest = attempts.find(({ taskId }) => taskId === lie.taskId)
  return latest !== undefined && latest.attemptId !== lie.attemptId && shownVerdict(latest) === 'verified'
    ? latest
    : null
}

/** Returns the worst contradiction of several workspaces, and its workspace: unreviewed ones first, corrected ones last. */
export function gravestAmong(
  workspaces: readonly (Judged & Pick<WorkspaceDetail, 'id' | 'name' | 'contradictions'>)[],
): Gravest | null {
  const among = (
    find: (workspace: Judged & Pick<WorkspaceDetail, 'contradictions'>) => AttemptRow | null,
  ): Gravest | null => {
    const each = workspaces.flatMap((workspace) => {
      const attempt = find(workspace)
      return attempt === null ? [] : [{ id: workspace.id, name: workspace.name, attempt }]
    })
    return each.toSorted((a, b) => graverFirst(a.attempt, b.attempt))[0] ?? null
  }
  return (
    among(({ contradictions }) => contradictions[0]?.attempt ?? null) ?? among(standing) ?? among(madeGood)
  )
}

function standing({ attempts, tasks }: Judged): AttemptRow | null {
  return gravestLie(tasks.flatMap(({ id }) => attempts.find(({ taskId }) => taskId === id) ?? []))
}

function madeGood({ attempts, tasks, shield }: Judged): AttemptRow | null {
  if (shield !== 'lockdown') return null
  return gravestLie(attempts.filter(({ taskId }) => tasks.some(({ id }) => id === taskId)))
}

function gravestLie(attempts: readonly AttemptRow[]): AttemptRow | null {
  const lies = attempts.filter(
    (attempt) =>
      shownVerdict(attempt) === 'contradiction' &&
      attempt.overruled === null &&
      attempt.comparisons.some(({ agrees }) => agrees === false),
  )
  return lies.toSorted(graverFirst)[0] ?? null
}

export interface Gravest {
  /** The workspace's id. */
  readonly id: string
  readonly name: string
  readonly attempt: AttemptRow
}

function graverFirst(a: AttemptRow, b: AttemptRow): number {
  return a.points - b.points || Date.parse(b.startedAt) - Date.parse(a.startedAt)
}
