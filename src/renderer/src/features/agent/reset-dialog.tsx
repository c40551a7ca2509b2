import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './agent.module.css'

/** Asks for confirmation before deleting profiles and circuit breaker states, which cannot be undone. */
export function ResetDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const showToast = useApp((state) => state.showToast)
  const { busy, problem, submit } = useSubmit()
  const reset = () =>
    submit(async () => {
      await api.interventions.reset({ workspace: workspaceId })
      showToast({
        tone: 'plain',
        text: 'Profiles, circuit breakers and waiting feedback are forgotten; nothing is suspended.',
        undo: null,
      })
      onClose()
      await refresh()
    })
  return (
    <Dialog title="Reset profiles and circuit breakers?" onClose={onClose}>
      <p>
        The profiles of all agents of this workspace start at zero, their circuit breakers are OK again,
        feedback that waits for the next prompts is dropped, and a suspension ends. Interventions, verdicts
        and the daily figures are kept. This cannot be undone.
      </p>
      <ProblemNote text={problem} />
      <div className={styles.dialogButtons}>
        <Button onClick={onClose}>Keep them</Button>
        <Button look="primary" aria-disabled={busy} onClick={() => void reset()}>
          {busy ? 'Resetting…' : 'Reset'}
        </Button>
      </div>
    </Dialog>
  )
}
