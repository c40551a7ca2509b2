import { useState } from 'react'
import { useApp } from '../../store/use-app.ts'
import { useUnsaid } from '../../store/use-unsaid.ts'
import { Button } from '../../ui/button.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { WordsField, WordsForm, WordsLabel } from '../../ui/words-form.tsx'

/** A form for a message to the agent for its next prompt; if no task is given, the form asks which one it is about. */
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
  const { text, isEmpty, write, forget, cancel, leave } = useUnsaid(
    `note ${workspaceId} ${taskId ?? ''}`,
    onClose,
    `What you wrote to ${whose}`,
  )
  const [about, setAbout] = useState(taskId ?? '')
  const { busy, problem, submit } = useSubmit()
  const say = () => {
    if (isEmpty) return
    void submit(async () => {
      await api.notes.add({
        workspace: workspaceId,
        text: text.trim(),
        ...(about !== '' && { taskId: about }),
      })
      forget()
      await refresh()
      onClose()
    })
  }
  return (
    <WordsForm
      onSubmit={say}
      onClose={leave}
      problem={problem}
      buttons={
        <>
          <Button type="submit" aria-disabled={busy || isEmpty}>
            {busy ? 'Sending…' : 'Send'}
          </Button>
          <Button look="quiet" onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      <WordsField
        label={
          <span>
            Message to <bdi>{whose}</bdi>
          </span>
        }
        value={text}
        onChange={write}
        placeholder="Added to its next prompt"
        opensFocused
      />
      {taskId === null && tasks !== undefined && tasks.length > 0 && (
        <WordsLabel label="About">
          <select value={about} onChange={({ target }) => setAbout(target.value)}>
            <option value="">any task</option>
            {tasks.map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </WordsLabel>
      )}
    </WordsForm>
  )
}
