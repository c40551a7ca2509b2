import { useDraggable } from '@dnd-kit/react'
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, GripVertical, Trash2 } from 'lucide-react'
import { type KeyboardEvent, memo } from 'react'
import { applyEdit } from '../../../../../core/contract/edit.ts'
import type { Diagnostic, TaskDefinition } from '../../../../../core/contract/types.ts'
import { Button } from '../../../ui/button.tsx'
import { DefineProbe } from '../probe/define-probe.tsx'
import { definableNames } from '../problems/hint-fixes.ts'
import { ProblemLine } from '../problems/problem-line.tsx'
import type { ContractSession } from '../session/contract-session.ts'
import type { SessionState } from '../session/session-state.ts'
import { TaskTrial } from '../trial/task-trial.tsx'
import { Criteria } from './criteria.tsx'
import styles from './form.module.css'
import { TaskFields } from './task-fields.tsx'

interface TaskRowProps {
  readonly session: ContractSession
  readonly workspaceId: string
  readonly task: TaskDefinition
  readonly index: number
  readonly count: number
  readonly isOpen: boolean
  /** The dragged task would be dropped here. */
  readonly isTarget: boolean
  readonly problems: readonly Diagnostic[]
  readonly world: SessionState['world']
  readonly onMove: (from: number, to: number) => void
  readonly onOpen: (index: number | null) => void
  /** Changes whenever something shown here does. Parsing creates new task objects, so comparing those would not help. */
  readonly stamp: string
}

/** One task: a line to read, drag and check; opened, all its fields. */
export const TaskRow = memo(
  function TaskRow(props: TaskRowProps) {
    const { task, index, isOpen, session } = props
    const { ref, handleRef, isDragging } = useDraggable({ id: `task-${index}`, data: { index } })
    return (
      <li
        ref={ref}
        className={styles.row}
        data-open={isOpen}
        data-dragging={isDragging}
        data-target={props.isTarget && !isDragging}
      >
        <div className={styles.head}>
          <Handle {...props} handleRef={handleRef} />
          <input
            type="checkbox"
            aria-label={`Checked: ${nameOf(task)}`}
            checked={task.checked}
            onChange={() => session.edit((source) => applyEdit(source, { kind: 'toggle', task: index }))}
          />
          <Summary {...props} />
        </div>
        {isOpen && <Opened {...props} />}
      </li>
    )
  },
  (before, after) =>
    before.stamp === after.stamp &&
    before.isOpen === after.isOpen &&
    before.isTarget === after.isTarget &&
    before.count === after.count &&
    before.session === after.session &&
    before.world === after.world &&
    before.onMove === after.onMove &&
    before.onOpen === after.onOpen &&
    // An open task always uses the current text.
    (!after.isOpen || before.task === after.task),
)

export function nameOf(task: TaskDefinition): string {
  return task.id === '' ? `the task of line ${task.line}` : task.id
}

/** The handle for dragging; the arrow keys move the task by one place. */
function Handle({
  task,
  index,
  count,
  onMove,
  handleRef,
}: TaskRowProps & { handleRef: (element: Element | null) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const to = event.key === 'ArrowUp' ? index - 1 : event.key === 'ArrowDown' ? index + 1 : null
    if (to === null) return
    event.preventDefault()
    if (to >= 0 && to < count) onMove(index, to)
  }
  return (
    <button
      type="button"
      ref={handleRef}
      className={styles.handle}
      data-handle={index}
      aria-label={`Move ${nameOf(task)}: place ${index + 1} of ${count}. Drag it, or use the arrow keys.`}
      onKeyDown={onKeyDown}
    >
      <GripVertical size={14} aria-hidden />
    </button>
  )
}

function Summary({ task, index, isOpen, problems, onOpen }: TaskRowProps) {
  const hasError = problems.some(({ severity }) => severity === 'error')
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      className={styles.summary}
      aria-expanded={isOpen}
      onClick={() => onOpen(isOpen ? null : index)}
    >
      <span className={styles.names}>
        <bdi className="strong mono cut">{nameOf(task)}</bdi>
        {task.description !== task.id && (
          <span className="quiet cut" dir="auto">
            {task.description}
          </span>
        )}
      </span>
      {!task.required && <span className={styles.tag}>optional</span>}
      {problems.length > 0 && (
        <span className={styles.tag} data-severity={hasError ? 'error' : 'warning'}>
          {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
        </span>
      )}
      <Chevron size={14} aria-hidden />
    </button>
  )
}

function Opened({ session, workspaceId, task, index, count, problems, world, onMove }: TaskRowProps) {
  const remove = () => {
    session.edit((source) => applyEdit(source, { kind: 'remove', task: index }))
    const next = Math.min(index, count - 2)
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-handle="${next}"]`)?.focus())
  }
  return (
    <div className={styles.opened}>
      {problems.map((diagnostic) => (
        <ProblemLine
          key={`${diagnostic.range.start.offset}:${diagnostic.code}:${diagnostic.message}`}
          session={session}
          diagnostic={diagnostic}
        />
      ))}
      <TaskFields session={session} task={task} index={index} world={world} />
      <Criteria session={session} task={task} index={index} />
      {problems.some(({ code }) => code === 'unknown-probe') &&
        undefinedNames(task, world).map((name) => (
          <DefineProbe key={name} workspaceId={workspaceId} name={name} />
        ))}
      <TaskTrial session={session} workspaceId={workspaceId} taskId={task.id} />
      <div className={styles.actions}>
        <Button
          look="quiet"
          aria-disabled={index === 0}
          onClick={() => index > 0 && onMove(index, index - 1)}
        >
          <ArrowUp size={14} aria-hidden /> Move up
        </Button>
        <Button
          look="quiet"
          aria-disabled={index === count - 1}
          onClick={() => index < count - 1 && onMove(index, index + 1)}
        >
          <ArrowDown size={14} aria-hidden /> Move down
        </Button>
        <Button look="quiet" onClick={remove}>
          <Trash2 size={14} aria-hidden /> Remove
        </Button>
      </div>
    </div>
  )
}

/** Returns the names in the checks of the task and its criteria that nothing measures yet. */
function undefinedNames({ verify, criteria }: TaskDefinition, { probes }: SessionState['world']): string[] {
  const known = probes.map(({ name }) => name)
  const hints = [verify, ...criteria.flatMap((criterion) => criterion.verify ?? [])]
  return [...new Set(hints.flatMap((hint) => definableNames(hint, known)))]
}
