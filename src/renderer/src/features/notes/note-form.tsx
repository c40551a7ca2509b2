import { type FormEvent, useState } from 'react'
import { toProblem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './notes.module.css'

const explain = (error: unknown) => toProblem(error).message

/** Words to the agent for its next prompt; where no task is given, about which one is asked. */
export function NoteForm({
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
