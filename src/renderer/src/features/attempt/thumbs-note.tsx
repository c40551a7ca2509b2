import { THUMBS, type Thumb } from '../../../../core/vocabulary/task.ts'
import { useApp } from '../../store/use-app.ts'
import { useUnsaid } from '../../store/use-unsaid.ts'
import { Button } from '../../ui/button.tsx'
import { useOpener } from '../../ui/use-opener.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { WordsField, WordsForm } from '../../ui/words-form.tsx'
import styles from './attempt-panel.module.css'

/** A thumb with the operator's comment. Every thumb counts, so the one already given is not offered again. */
export function ThumbsNote({
  workspaceId,
  attemptId,
  feedback,
  note,
}: {
  workspaceId: string
  attemptId: string
  /** The last thumb given. */
  feedback: Thumb | null
  note: string | null
}) {
  const { open, setOpen, opener } = useOpener()
  if (open) {
    return (
      <NoteForm
        workspaceId={workspaceId}
        attemptId={attemptId}
        choices={THUMBS.filter((each) => each !== feedback)}
        onClose={() => setOpen(false)}
      />
    )
  }
  return (
    <>
      {note !== null && (
        <q className={styles.overruled} dir="auto">
          {note}
        </q>
      )}
      <Button look="quiet" ref={opener} onClick={() => setOpen(true)}>
        Thumbs with a note…
      </Button>
    </>
  )
}

function NoteForm({
  workspaceId,
  attemptId,
  choices,
  onClose,
}: {
  workspaceId: string
  attemptId: string
  choices: readonly Thumb[]
  onClose: () => void
}) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const { text, isEmpty, write, forget, cancel, leave } = useUnsaid(
    `thumb ${workspaceId} ${attemptId}`,
    onClose,
  )
  const { busy, problem, submit } = useSubmit()
  const hindered = busy || isEmpty
  const give = (feedback: Thumb) => {
    if (hindered) return
    void submit(async () => {
      await api.score.feedback({ workspace: workspaceId, attemptId, feedback, note: text.trim() })
      forget()
      await refresh()
      onClose()
    })
  }
  return (
    <WordsForm
      onClose={leave}
      problem={problem}
      buttons={
        <>
          {choices.map((feedback) => (
            <Button key={feedback} aria-disabled={hindered} onClick={() => give(feedback)}>
              Thumbs {feedback} with this note
            </Button>
          ))}
          <Button look="quiet" onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      <WordsField
        label="Note"
        value={text}
        onChange={write}
        placeholder="Recorded with the thumb, and added to the agent’s next prompt"
        opensFocused
      />
    </WordsForm>
  )
}
