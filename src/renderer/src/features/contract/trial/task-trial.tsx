import { Eye, FlaskConical } from 'lucide-react'
import { useState } from 'react'
import type { HintTrial } from '../../../../../api/schemas/contract-trial.ts'
import { useAnswer } from '../../../store/use-answer.ts'
import { useApp } from '../../../store/use-app.ts'
import { Button } from '../../../ui/button.tsx'
import { useSubmit } from '../../../ui/use-submit.ts'
import type { ContractSession } from '../session/contract-session.ts'
import { HintFinding } from './hint-finding.tsx'
import styles from './trial.module.css'
import { useSettled } from './use-settled.ts'

/** Tries the current text of a task: runs its check on the folder, and shows the prompt of its next attempt. */
export function TaskTrial({
  session,
  workspaceId,
  taskId,
}: {
  session: ContractSession
  workspaceId: string
  taskId: string
}) {
  const api = useApp((state) => state.api)
  const [trial, setTrial] = useState<HintTrial | null>(null)
  const [isPreviewed, setPreviewed] = useState(false)
  const { busy, problem, submit } = useSubmit()
  const tryHint = () =>
    submit(async () => {
      const text = session.snapshot().source
      setTrial(null)
      setTrial(await api.contract.tryHint({ workspace: workspaceId, taskId, text }))
    })
  return (
    <div className="stack">
      <div className="flow">
        <Button aria-disabled={busy} onClick={() => void tryHint()}>
          <FlaskConical size={14} aria-hidden /> {busy ? 'Measuring…' : 'Try this check now'}
        </Button>
        <Button aria-expanded={isPreviewed} onClick={() => setPreviewed(!isPreviewed)}>
          <Eye size={14} aria-hidden /> {isPreviewed ? 'Hide the prompt' : 'Preview the prompt'}
        </Button>
      </div>
      <div role="status">
        {problem !== null && <p className={styles.problem}>{problem}</p>}
        {trial !== null && trial.taskId === taskId && <HintFinding trial={trial} />}
      </div>
      {isPreviewed && <PromptPreview session={session} workspaceId={workspaceId} taskId={taskId} />}
    </div>
  )
}

/** Updates the prompt when typing pauses. */
function PromptPreview({
  session,
  workspaceId,
  taskId,
}: {
  session: ContractSession
  workspaceId: string
  taskId: string
}) {
  const text = useSettled(session)
  const { value, problem } = useAnswer((api) => api.contract.preview, {
    workspace: workspaceId,
    taskId,
    text,
  })
  if (problem !== null) return <p className={styles.problem}>{problem.message}</p>
  if (value === null) return <p className={styles.quiet}>Composing the prompt…</p>
  return (
    <figure className="stack gap-1">
      <figcaption className={styles.quiet}>
        {value.taskIds.length === 1
          ? 'What the agent is told at its next attempt'
          : `One run for ${value.taskIds.length} open tasks`}
        , {value.timeoutSeconds} seconds. How the task is checked is not in it.
      </figcaption>
      <section
        className={styles.prompt}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        aria-label={`Prompt for ${taskId}`}
      >
        <pre className={styles.words} dir="auto">
          {value.prompt}
        </pre>
      </section>
    </figure>
  )
}
