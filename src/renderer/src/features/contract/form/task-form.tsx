import { DragDropProvider, type DragEndEvent, PointerSensor } from '@dnd-kit/react'
import { Plus } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { applyEdit } from '../../../../../core/contract/edit.ts'
import type { Diagnostic, TaskDefinition } from '../../../../../core/contract/types.ts'
import { Button } from '../../../ui/button.tsx'
import { useLongList } from '../../../ui/use-long-list.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { freeId } from '../problems/quick-fixes.ts'
import type { ContractSession } from '../session/contract-session.ts'
import type { SessionState } from '../session/session-state.ts'
import styles from './form.module.css'
import { nameOf, TaskRow } from './task-row.tsx'

/**
 * The contract's tasks as a form over the same text. The task with the cursor is open; opening a row moves the cursor there, so that both
 * views show the same task.
 */
export function TaskForm({
  session,
  state,
  workspaceId,
}: {
  session: ContractSession
  state: SessionState
  workspaceId: string
}) {
  const { contract, currentTask, world } = state
  const { tasks } = contract
  const problems = useMemo(() => byLine(contract.diagnostics), [contract])
  const { open, setOpen } = useOpenTask(session, currentTask)
  const { move, said } = useMove(session, tasks)
  const { shown, more } = useLongList(tasks)
  const list = useRef<HTMLOListElement>(null)
  const [target, setTarget] = useState<number | null>(null)
  const add = () => {
    const id = freeId(session.snapshot().contract, 'new_task')
    const task = { id, description: 'What the agent should do' }
    const refused = session.edit((source) => applyEdit(source, { kind: 'add', task }))
    if (refused === null) session.showTask(session.findTask(id) ?? 0)
  }
  return (
    <div className={styles.form}>
      <DragDropProvider
        // Its plugins style the dragged element with a style element, which the page's policy forbids.
        plugins={[]}
        sensors={[PointerSensor]}
        onDragMove={({ operation }) => setTarget(rowAt(list.current, operation.position.current.y))}
        onDragEnd={(event) => {
          setTarget(null)
          dropped(event, list.current, move)
        }}
      >
        {tasks.length > 0 && (
          <ol className={styles.list} aria-label="Tasks of the contract" ref={list}>
            {shown.map((task, index) => {
              const found = problems.get(task.line) ?? NONE
              return (
                <TaskRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: ids may be empty, doubled, or just being written
                  key={index}
                  session={session}
                  workspaceId={workspaceId}
                  task={task}
                  index={index}
                  count={tasks.length}
                  isOpen={index === open}
                  isTarget={index === target}
                  problems={found}
                  world={world}
                  onMove={move}
                  onOpen={setOpen}
                  stamp={stampOf(task, found)}
                />
              )
            })}
          </ol>
        )}
      </DragDropProvider>
      {more}
      {tasks.length === 0 && (
        <p className={styles.empty}>
          No task yet. A task is one thing to do, and how to check that it is done.
        </p>
      )}
      {!state.isReadOnly && (
        <Button onClick={add}>
          <Plus size={14} aria-hidden /> Add a task
        </Button>
      )}
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
    </div>
  )
}

const NONE: readonly Diagnostic[] = []

function byLine(diagnostics: readonly Diagnostic[]): ReadonlyMap<number, readonly Diagnostic[]> {
  const lines = new Map<number, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    const { line } = diagnostic.range.start
    const found = lines.get(line)
    if (found === undefined) lines.set(line, [diagnostic])
    else found.push(diagnostic)
  }
  return lines
}

function stampOf(task: TaskDefinition, problems: readonly Diagnostic[]): string {
  const { id, description, required, checked, line } = task
  return JSON.stringify([
    id,
    description,
    required,
    checked,
    id === '' ? line : 0,
    problems.length,
    problems[0]?.severity,
  ])
}

/** Returns the index of the task with the cursor, unless the user has closed it. */
function useOpenTask(session: ContractSession, currentTask: number | null) {
  const [closed, setClosed] = useState<number | null>(null)
  useEffect(() => setClosed((before) => (before === currentTask ? before : null)), [currentTask])
  const setOpen = useCallback(
    (index: number | null) => {
      setClosed(index === null ? session.snapshot().currentTask : null)
      if (index !== null) session.showTask(index)
    },
    [session],
  )
  return { open: closed === currentTask ? null : currentTask, setOpen }
}

/** Moves a task, keeps the focus on it, and announces its new place. */
function useMove(session: ContractSession, tasks: readonly TaskDefinition[]) {
  const [said, setSaid] = useState('')
  const latest = useRef(tasks)
  latest.current = tasks
  const move = useCallback(
    (from: number, to: number) => {
      const task = latest.current[from]
      const hadFocus = document.activeElement?.getAttribute('data-handle') === String(from)
      const refused = session.edit((source) => applyEdit(source, { kind: 'move', task: from, to }))
      const name = task === undefined ? 'The task' : nameOf(task)
      setSaid(refused ?? `${name} is now number ${to + 1} of ${latest.current.length}.`)
      if (refused !== null) return
      if (session.snapshot().currentTask !== null) session.showTask(to)
      if (hadFocus)
        requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-handle="${to}"]`)?.focus())
    },
    [session],
  )
  return { move, said }
}

/** Returns the row at a height in the window; the first or last row if the height is above or below all. */
function rowAt(list: HTMLElement | null, y: number): number | null {
  const rows = [...(list?.children ?? [])].map((row) => row.getBoundingClientRect())
  if (rows.length === 0) return null
  const index = rows.findIndex(({ bottom }) => y < bottom)
  return index < 0 ? rows.length - 1 : index
}

function dropped(
  { operation, canceled }: DragEndEvent,
  list: HTMLElement | null,
  move: (from: number, to: number) => void,
): void {
  const from: unknown = operation.source?.data?.index
  const to = rowAt(list, operation.position.current.y)
  if (!canceled && typeof from === 'number' && to !== null && from !== to) move(from, to)
}
