import { ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import { routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { classNames } from '../../ui/class-names.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { AttemptHistory } from '../attempt/attempt-history.tsx'
import { Thumbs } from '../attempt/thumbs.tsx'
import { NotesPanel } from '../notes/notes-panel.tsx'
import { Finding } from './finding.tsx'
import { RowGlyph } from './row-glyph.tsx'
import { RunningLine } from './running-line.tsx'
import styles from './task-item.module.css'
import type { TaskRow } from './task-rows.ts'

/** One task: what was claimed and what was measured, its points, thumbs; opens to its attempts. */
export function TaskItem({ row, workspaceId }: { row: TaskRow; workspaceId: string }) {
  const [open, setOpen] = useState(false)
  const panelId = useId()
  const agentId = useApp((state) => state.details[workspaceId]?.agentId ?? null)
  const giveFeedback = useApp((state) => state.giveFeedback)
  const { task, latest, running, state } = row
  const thumbByKey = (event: KeyboardEvent) => {
    const feedback = event.key === '+' ? 'up' : event.key === '-' ? 'down' : null
    const typing = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement
    if (feedback === null || typing || latest === null || latest.feedback === feedback) return
    event.preventDefault()
    void giveFeedback(workspaceId, latest.attemptId, feedback)
  }
  return (
    <li
      className={styles.item}
      data-task-row
      data-row
      data-state={state}
      data-task={task.id}
      data-place={task.id}
      onKeyDown={thumbByKey}
    >
      <div className={classNames(styles.row, open && styles.open)}>
        <RowGlyph state={state} />
        <div className={styles.task}>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={open}
            aria-controls={open ? panelId : undefined}
            data-row-toggle
            data-row-target
            onClick={() => setOpen(!open)}
          >
            <bdi>{task.id}</bdi>
          </button>
          {!task.required && <span className="tag quiet nowrap">optional</span>}
          {task.blocked && (
            <a
              className={classNames('tag nowrap', styles.blocked)}
              href={routeTo(workspaceId, 'blocked')}
              title={`No attempts left (${task.attempts} of ${task.maxAttempts} used). See why and unblock it.`}
            >
              blocked<VisuallyHidden>: unblock {task.id}</VisuallyHidden>
            </a>
          )}
          {task.waiting !== null && <Waiting row={row} workspaceId={workspaceId} />}
          {task.proposed && (
            <a
              className="tag quiet nowrap"
              href={routeTo(workspaceId, 'contract')}
              title="An agent added it. It runs, but doesn’t score until you accept it."
            >
              added by an agent
            </a>
          )}
          {task.description !== task.id && (
            <p className={styles.description} dir="auto" title={task.description}>
              {task.description}
            </p>
          )}
        </div>
        <div className={styles.finding}>
          {running !== null ? (
            <RunningLine running={running} task={task} workspaceId={workspaceId} />
          ) : (
            <Finding row={row} />
          )}
        </div>
        <Points row={row} />
        <div className={styles.thumbs}>
          {latest !== null && <Thumbs workspaceId={workspaceId} attempt={latest} />}
        </div>
        <ChevronRight className={styles.chevron} size={16} aria-hidden />
      </div>
      {open && (
        <div id={panelId} className={styles.panel}>
          <NotesPanel workspaceId={workspaceId} agentId={agentId} taskId={task.id} />
          <AttemptHistory workspaceId={workspaceId} task={task} attempts={row.attempts} running={running} />
        </div>
      )}
    </li>
  )
}

/** What the task is waiting for without being run, with a link to where that is answered. */
function Waiting({ row: { task }, workspaceId }: { row: TaskRow; workspaceId: string }) {
  const isHeld = task.waiting === 'review'
  const address =
    isHeld && task.lastAttemptId !== null
      ? routeTo(workspaceId, 'attempt', task.lastAttemptId)
      : routeTo(workspaceId, isHeld ? 'today' : 'contract', isHeld ? null : task.id)
  return (
    <a
      className={classNames('tag nowrap', styles.blocked)}
      href={address}
      title={
        isHeld
          ? 'It does not run until you accept or refuse the held work.'
          : 'Its check could not be run three times in a row. It does not run until the check is repaired.'
      }
    >
      {isHeld ? 'held for review' : 'check must be repaired'}
      <VisuallyHidden>: {task.id}</VisuallyHidden>
    </a>
  )
}

function Points({ row: { latest, running } }: { row: TaskRow }) {
  if (latest === null || running !== null) return <span className={styles.points} />
  if (latest.verdict === null) {
    return (
      <span className={styles.points} title="Not scored">
        <span aria-hidden>–</span>
        <VisuallyHidden>not scored</VisuallyHidden>
      </span>
    )
  }
  return (
    <span className={styles.points} data-sign={Math.sign(latest.points)}>
      {formatSignedPoints(latest.points)}
      <VisuallyHidden> points</VisuallyHidden>
    </span>
  )
}
