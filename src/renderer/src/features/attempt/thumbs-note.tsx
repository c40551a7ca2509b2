import { type FormEvent, useState } from 'react'
import { toProblem } from '../../api-client/problem.ts'
import type { Feedback } from '../../store/feedback.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './attempt-panel.module.css'

const explain = (error: unknown) => toProblem(error).message

/** What the operator has to say with a thumb that was given; it stands on the timeline and counts no second time. */
export function ThumbsNote({
  workspaceId,
  attemptId,
  feedback,
  note,
}: {
  workspaceId: string
  attemptId: string
  feedback: Feedback
  note: string | null
}) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const [open, setOpen] = useState(false)
  const [text, setText] = useState(note ?? '')
  const { busy, problem, submit } = useSubmit(explain)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    void submit(async () => {
      await api.score.feedback({ workspace: workspaceId, attemptId, feedback, note: text.trim() })
      await refresh()
      setOpen(false)
    })
  }
  if (!open) {
    return (
      <>
        {note !== null && (
          <q className={styles.overruled} dir="auto">
            {note}
          </q>
        )}
        <Button look="quiet" onClick={() => setOpen(true)}>
          {note === null ? 'Add a note…' : 'Change the note…'}
        </Button>
      </>
    )
  }
  return (
    <form className={styles.form} onSubmit={save}>
      <label className={styles.reason}>
        Note on your thumbs {feedback}
        <textarea
          value={text}
          maxLength={2000}
          dir="auto"
          placeholder="Recorded with the thumb"
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" aria-disabled={busy || text.trim() === ''}>
          Save the note
        </Button>
        <Button look="quiet" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
