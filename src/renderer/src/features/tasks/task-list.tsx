import { useState } from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { counted } from '../../format/counted.ts'
import { Button } from '../../ui/button.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import { TaskItem } from './task-item.tsx'
import styles from './task-list.module.css'
import { needsAttention, taskRows } from './task-rows.ts'

/** With fewer tasks, a filter is only clutter. */
const FILTER_FROM = 8

/** Today's tasks, with claim and measurement side by side; with `cycle`, only what that heartbeat did. */
export function TaskList({
  detail,
  cycle,
  onShowAll,
}: {
  detail: WorkspaceDetail
  cycle: number | null
  onShowAll: () => void
}) {
  const [onlyAttention, setOnlyAttention] = useState(false)
  const rows = taskRows(detail, cycle)
  const asking = rows.filter(needsAttention)
  const filterable = rows.length >= FILTER_FROM && asking.length > 0
  const { shown, more } = useLongList(filterable && onlyAttention ? asking : rows)
  return (
    <section className={styles.section} aria-label="Tasks">
      <div className={styles.head}>
        <h2>
          {cycle === null
            ? counted(rows.length, 'task')
            : `Heartbeat ${cycle}: ${counted(rows.length, 'task')}`}
        </h2>
        {cycle !== null && (
          <Button look="quiet" onClick={onShowAll}>
            Back to today
          </Button>
        )}
        {filterable && (
          <Button look="quiet" aria-pressed={onlyAttention} onClick={() => setOnlyAttention(!onlyAttention)}>
            {onlyAttention ? `Show all ${rows.length}` : `Show ${asking.length} with problems`}
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <p className="empty">{emptyWords(detail, cycle)}</p>
      ) : (
        <div className="card">
          <div className={styles.columns} aria-hidden>
            <span className={styles.claimed}>claimed</span>
            <span className={styles.measured}>measured</span>
            <span className={styles.points}>points</span>
          </div>
          <ul className="divided">
            {shown.map((row) => (
              <TaskItem key={row.task.id} row={row} workspaceId={detail.id} />
            ))}
          </ul>
        </div>
      )}
      {more}
    </section>
  )
}

/** Explains why there is no task to show. */
function emptyWords({ notices }: WorkspaceDetail, cycle: number | null): string {
  if (notices.some(({ code }) => code === 'contract-unreadable'))
    return 'No task of HEARTBEAT.md can be read. The reason is above.'
  return cycle === null
    ? 'No tasks yet. Write them under “## Tasks” in HEARTBEAT.md, one checkbox each.'
    : 'None of this heartbeat’s tasks is still in the contract.'
}
