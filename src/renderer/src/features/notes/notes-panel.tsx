import type { Note } from '../../../../core/record/note.ts'
import { routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import { useOpener } from '../../ui/use-opener.ts'
import { NoteForm } from './note-form.tsx'
import styles from './notes.module.css'

/** Delivered ones are also on the timeline. */
const SHOWN = 5

/**
 * Messages to the agent: those waiting for its next prompt, those already delivered, and a field for more. With `taskId`, only those of
 * that task.
 */
export function NotesPanel({
  workspaceId,
  agentId,
  taskId = null,
}: {
  workspaceId: string
  agentId: string | null
  taskId?: string | null
}) {
  const all = useApp((state) => state.details[workspaceId]?.notes)
  const notes = (all ?? []).filter((note) => taskId === null || note.taskId === taskId)
  // Waiting messages come first, so that delivered ones don't hide them.
  const ordered = [...notes.filter(isWaiting), ...notes.filter((note) => !isWaiting(note))]
  const { shown, more } = useLongList(ordered, SHOWN)
  const { open, setOpen, opener } = useOpener()
  const whose = agentId ?? 'the agent'
  return (
    <section
      className="stack small"
      aria-label={taskId === null ? 'Messages to the agent' : `Messages to the agent about ${taskId}`}
    >
      <div className="row flow spread">
        {taskId === null && <h2 className={styles.heading}>Messages to the agent</h2>}
        {!open && (
          <Button look="quiet" ref={opener} onClick={() => setOpen(true)}>
            <span>
              Message to <bdi>{whose}</bdi>…
            </span>
          </Button>
        )}
      </div>
      {open && (
        <NoteForm workspaceId={workspaceId} whose={whose} taskId={taskId} onClose={() => setOpen(false)} />
      )}
      {shown.length > 0 && (
        <ul className="stack">
          {shown.map((note) => (
            <NoteLine key={note.id} note={note} workspaceId={workspaceId} isTaskNamed={taskId === null} />
          ))}
        </ul>
      )}
      {more}
    </section>
  )
}

function isWaiting({ deliveredIn }: Note): boolean {
  return deliveredIn === null
}

const SAID: Readonly<Record<Note['from'], string>> = {
  note: '',
  thumb: 'with a thumb, ',
  unblock: 'on unblocking, ',
  overrule: 'on overruling, ',
  refusal: 'on refusing held work, ',
}

function NoteLine({
  note: { text, taskId, from, at, deliveredIn },
  workspaceId,
  isTaskNamed,
}: {
  note: Note
  workspaceId: string
  isTaskNamed: boolean
}) {
  return (
    <li className={styles.note} data-waiting={deliveredIn === null}>
      <p className={styles.text} dir="auto">
        {text}
      </p>
      <p className={styles.quiet}>
        {isTaskNamed && taskId !== null && (
          <>
            About <bdi>{taskId}</bdi>,{' '}
          </>
        )}
        {SAID[from]}
        <RelativeTime at={at} />.{' '}
        {deliveredIn === null ? (
          <strong>Not sent yet: added to the next prompt.</strong>
        ) : (
          <>
            Delivered in <a href={routeTo(workspaceId, 'attempt', deliveredIn)}>this attempt</a>.
          </>
        )}
      </p>
    </li>
  )
}
