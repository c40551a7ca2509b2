import { type FormEvent, useState } from 'react'
import { toProblem } from '../../api-client/problem.ts'
import { routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './notes.module.css'
import { type Note, useNotes } from './use-notes.ts'

const explain = (error: unknown) => toProblem(error).message
/** Delivered ones are found on the timeline too. */
const SHOWN = 5

/** Words to the agent: those that wait for its next prompt, those it was given, and a field for more. With `taskId` of one task alone. */
export function NotesPanel({
  workspaceId,
  agentId,
  taskId = null,
}: {
  workspaceId: string
  agentId: string | null
  taskId?: string | null
}) {
  const { value, problem, retry } = useNotes(workspaceId)
  const notes = (value ?? []).filter((note) => taskId === null || note.taskId === taskId)
  // What waits is not lost behind what was said.
  const ordered = [...notes.filter(isWaiting), ...notes.filter((note) => !isWaiting(note))]
  const { shown, more } = useLongList(ordered, SHOWN)
  const [open, setOpen] = useState(false)
  const whose = agentId ?? 'the agent'
  return (
    <section
      className={styles.panel}
      aria-label={taskId === null ? 'Notes to the agent' : `Notes to the agent about ${taskId}`}
    >
      <div className={styles.head}>
        {taskId === null && <h2 className={styles.heading}>Notes to the agent</h2>}
        {!open && (
          <Button look="quiet" onClick={() => setOpen(true)}>
            <span>
              Tell <bdi>{whose}</bdi>…
            </span>
          </Button>
        )}
      </div>
      {open && (
        <NoteForm workspaceId={workspaceId} whose={whose} taskId={taskId} onClose={() => setOpen(false)} />
      )}
      {problem !== null && (
        <p role="alert" className={styles.quiet}>
          The notes could not be loaded. {problem.message}{' '}
          <Button look="quiet" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
      {shown.length > 0 && (
        <ul className={styles.notes}>
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
          <strong>Waits for the next prompt.</strong>
        ) : (
          <>
            Delivered in <a href={routeTo(workspaceId, 'attempt', deliveredIn)}>this attempt</a>.
          </>
        )}
      </p>
    </li>
  )
}

function NoteForm({
  workspaceId,
  whose,
  taskId,
  onClose,
}: {
  workspaceId: string
  whose: string
  taskId: string | null
  onClose: () => void
}) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const tasks = useApp((state) => state.details[workspaceId]?.tasks)
  const [text, setText] = useState('')
  const [about, setAbout] = useState(taskId ?? '')
  const { busy, problem, submit } = useSubmit(explain)
  const isEmpty = text.trim() === ''
  const say = (event: FormEvent) => {
    event.preventDefault()
    if (isEmpty) return
    void submit(async () => {
      await api.notes.add({
        workspace: workspaceId,
        text: text.trim(),
        ...(about !== '' && { taskId: about }),
      })
      await refresh()
      onClose()
    })
  }
  return (
    <form className={styles.form} onSubmit={say}>
      <label className={styles.field}>
        What <bdi>{whose}</bdi> is to know
        <textarea
          value={text}
          maxLength={2000}
          dir="auto"
          // biome-ignore lint/a11y/noAutofocus: the form was opened to write in it
          autoFocus
          placeholder="Stands once in its next prompt, as your word"
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      {taskId === null && tasks !== undefined && tasks.length > 0 && (
        <label className={styles.field}>
          About
          <select value={about} onChange={({ target }) => setAbout(target.value)}>
            <option value="">whichever task is next</option>
            {tasks.map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
      )}
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" aria-disabled={busy || isEmpty}>
          {busy ? 'Keeping…' : 'Tell it'}
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
