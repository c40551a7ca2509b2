import { counted } from '../../format/counted.ts'
import { useUnsaid } from '../../store/use-unsaid.ts'
import { Button } from '../../ui/button.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { WordsField, WordsForm } from '../../ui/words-form.tsx'
import { useDecide } from './use-decide.ts'

/** Resumes workspaces that were suspended for one reason, with what the operator found: kept in the record of each. */
export function ResumeAll({ workspaces, onClose }: { workspaces: readonly string[]; onClose: () => void }) {
  const { resumeSuspended } = useDecide()
  const { text, isEmpty, write, forget, cancel, leave } = useUnsaid(
    `resume ${workspaces.join(' ')}`,
    onClose,
    'What you found',
  )
  const { busy, problem, submit } = useSubmit()
  const resume = () => {
    if (isEmpty) return
    void submit(async () => {
      await resumeSuspended(workspaces, text.trim())
      forget()
      onClose()
    })
  }
  return (
    <WordsForm
      onSubmit={resume}
      onClose={leave}
      problem={problem}
      buttons={
        <>
          <Button
            type="submit"
            aria-disabled={busy || isEmpty}
            title={isEmpty ? 'Write a few words to resume' : undefined}
          >
            Resume {counted(workspaces.length, 'workspace')}
          </Button>
          <Button look="quiet" onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      <WordsField
        label="What you found"
        value={text}
        onChange={write}
        placeholder="A few words to resume; kept in the record of each"
        opensFocused
      />
    </WordsForm>
  )
}
