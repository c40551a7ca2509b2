import { CircleAlert } from 'lucide-react'
import {
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConflictPanel } from './conflict/conflict-panel.tsx'
import styles from './contract.module.css'
import { Divider } from './divider.tsx'
import { EditorSkeleton } from './editor-skeleton.tsx'
import { TaskForm } from './form/task-form.tsx'
import { ProblemList } from './problems/problem-list.tsx'
import type { ContractSession } from './session/contract-session.ts'
import { SessionMessages } from './session/session-messages.tsx'
import { useSession } from './session/use-session.ts'
import { Toolbar } from './toolbar.tsx'

interface Named {
  readonly detail: WorkspaceDetail
  /** The task or line named in the address, if any. */
  readonly taskId: string | null
  readonly line: number | null
}

/** The contract as text and form, its problems, and the controls for saving it. */
export function Workbench({ detail, taskId, line }: Named) {
  const { session, problem, retry, create, restore } = useSession(detail)
  if (session !== null)
    return <Editing key={detail.id} session={session} detail={detail} taskId={taskId} line={line} />
  if (problem === null) return <EditorSkeleton />
  // What becomes of the file is decided there, once.
  const isProposed = detail.proposed?.includes('HEARTBEAT.md') === true
  return (
    <Banner
      tone="problem"
      icon={<CircleAlert size={16} />}
      action={
        <div className="row">
          <Button look="quiet" onClick={retry}>
            Try again
          </Button>
          {!isProposed && <Button onClick={create}>Create</Button>}
          {!isProposed && restore !== null && (
            <Button acts look="primary" onClick={() => void restore()}>
              Restore
            </Button>
          )}
        </div>
      }
    >
      <strong>The contract cannot be shown.</strong> {problem.message}
      {isProposed && ' Revert the change above to bring it back.'}
    </Banner>
  )
}

function Editing({ session, detail, taskId, line }: Named & { session: ContractSession }) {
  const state = useSyncExternalStore(session.subscribe, session.snapshot)
  // Long forms and lists update a moment later than the text, because typing has priority.
  const shown = useDeferredValue(state)
  const [pane, setPane] = useState<'text' | 'tasks'>(line === null ? 'tasks' : 'text')
  const box = useEditor(session, taskId, line)
  const panes = useRef<HTMLDivElement>(null)
  useSaveKey(session)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: undo by key works from wherever the focus is in here
    <div className="stack gap-3" onKeyDown={(event) => undoByKey(event, session)}>
      <Toolbar session={session} state={state} />
      <SessionMessages session={session} state={state} isRunning={detail.running !== null} />
      {state.conflict !== null && (
        <ConflictPanel session={session} conflict={state.conflict} source={state.source} />
      )}
      <fieldset className={styles.switch} aria-label="View">
        <Button look="quiet" aria-pressed={pane === 'tasks'} onClick={() => setPane('tasks')}>
          Tasks
        </Button>
        <Button look="quiet" aria-pressed={pane === 'text'} onClick={() => setPane('text')}>
          Text
        </Button>
      </fieldset>
      <div className={styles.panes} data-pane={pane} ref={panes}>
        <div className={styles.left}>
          <div className={styles.text} ref={box} />
          <div className={styles.problems}>
            <ProblemList session={session} state={shown} />
          </div>
        </div>
        <Divider panes={panes} />
        <div className={styles.form}>
          <TaskForm session={session} state={shown} workspaceId={detail.id} />
        </div>
      </div>
    </div>
  )
}

/** The editor in its box; the cursor starts at the task named in the address. */
function useEditor(session: ContractSession, taskId: string | null, line: number | null) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => (box.current === null ? undefined : session.attach(box.current)), [session])
  useEffect(() => {
    const index = taskId === null ? null : session.findTask(taskId)
    if (index !== null) session.showTask(index, true)
  }, [session, taskId])
  useEffect(() => {
    if (line !== null) session.showLine(line)
  }, [session, line])
  return box
}

/** Saves with Ctrl-S or Cmd-S anywhere on the page, and keeps the browser from saving the page. */
function useSaveKey(session: ContractSession): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key !== 's') return
      event.preventDefault()
      void session.save()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [session])
}

/** Undoes the contract's last change, wherever it was made, because the form's fields have no separate history. */
function undoByKey(event: KeyboardEvent, session: ContractSession): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return
  if (event.target instanceof Element && event.target.closest('.cm-editor') !== null) return
  const key = event.key.toLowerCase()
  if (key !== 'z' && key !== 'y') return
  event.preventDefault()
  if (key === 'y' || event.shiftKey) session.redo()
  else session.undo()
}
