import { measuredInWords } from '../../../../core/read-model/lie-words.ts'
import type { Task } from '../../../../core/read-model/task.ts'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { type ShownVerdict, shownVerdict } from '../../../../core/vocabulary/verdict.ts'
import type { AttemptRow } from '../../format/verdict.ts'

export type RunningAttempt = NonNullable<NonNullable<WorkspaceDetail['running']>['attempt']>

/** The state that a task's row shows at its start. */
export type RowState = ShownVerdict | 'running' | 'open' | 'waiting' | 'blocked'

export interface TaskRow {
  readonly task: Task
  /** Today's attempts, newest first. */
  readonly attempts: readonly AttemptRow[]
  /** The attempt whose verdict the row shows. */
  readonly latest: AttemptRow | null
  readonly running: RunningAttempt | null
  readonly state: RowState
  /** Whether a notice above the tasks says why the latest attempt could not run. */
  readonly isToldAbove: boolean
}

/** Returns the contract's tasks in order, each with its attempts; with `cycle`, only those that this cycle tried. */
export function taskRows(detail: WorkspaceDetail, cycle: number | null): TaskRow[] {
  const runningAttempt = detail.running?.attempt ?? null
  const rows = detail.tasks.map((task) => {
    const all = detail.attempts.filter((attempt) => attempt.taskId === task.id)
    const attempts = cycle === null ? all : all.filter((attempt) => attempt.cycle === cycle)
    const running = cycle === null && runningAttempt?.taskId === task.id ? runningAttempt : null
    const latest = attempts[0] ?? null
    const isToldAbove = detail.notices.some(
      ({ code, message }) => code === 'backed-off' && message === latest?.reasons[0],
    )
    return { task, attempts, latest, running, state: rowState(task, latest, running), isToldAbove }
  })
  return cycle === null ? rows : rows.filter((row) => row.latest !== null)
}

function rowState(task: Task, latest: AttemptRow | null, running: RunningAttempt | null): RowState {
  if (running !== null) return 'running'
  if (latest !== null) return shownVerdict(latest)
  if (task.waiting === 'review') return 'held'
  if (task.waiting !== null) return 'waiting'
  if (task.blocked) return 'blocked'
  switch (task.status) {
    case 'pending':
      return 'open'
    case 'failed':
      return 'not_verified'
    case 'verified':
    case 'skipped':
      return task.status
  }
}

const ASKS_FOR_THE_OPERATOR: readonly RowState[] = [
  'contradiction',
  'not_verified',
  'held',
  'environment',
  'waiting',
  'blocked',
]

/** Whether the operator should look at this row. */
export function needsAttention({ state, task }: TaskRow): boolean {
  return task.blocked || ASKS_FOR_THE_OPERATOR.includes(state)
}

/** Whether the reason only repeats a comparison shown next to it: `exists("a.md") fails`. */
export function repeatsComparison(reason: string, shown: AttemptRow['comparisons']): boolean {
  // Reasons contain checks in backticks.
  const said = reason.replaceAll('`', '').replace(/\.$/u, '')
  return shown.some(({ subject, measured }) => said === `${subject} ${measuredInWords(measured)}`)
}

/** Returns a row's comparisons: the check's first, failed ones leading, then contradicted claims and the rest; at most `limit`. */
export function rowComparisons(attempt: AttemptRow, limit: number): AttemptRow['comparisons'] {
  const rank = ({ isHint, agrees }: AttemptRow['comparisons'][number]) =>
    (isHint === true ? -3 : 0) + (agrees === false ? 0 : agrees === null ? 1 : 2)
  return attempt.comparisons.toSorted((a, b) => rank(a) - rank(b)).slice(0, limit)
}
