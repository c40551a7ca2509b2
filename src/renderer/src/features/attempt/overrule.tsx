import { useState } from 'react'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import { VERDICT_WORDS, VERDICTS, type Verdict } from '../../../../core/vocabulary/verdict.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { useApp } from '../../store/use-app.ts'
import { useUnsaid } from '../../store/use-unsaid.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useOpener } from '../../ui/use-opener.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { WordsField, WordsForm } from '../../ui/words-form.tsx'
import styles from './attempt-panel.module.css'

/** Lets the operator overrule a verdict; the overruled one stays visible. */
export function Overrule({ workspaceId, attempt }: { workspaceId: string; attempt: AttemptRow }) {
  const { open, setOpen, opener } = useOpener()
  const { overruled } = attempt
  return (
    <>
      {!open && (
        <Button acts look="quiet" ref={opener} onClick={() => setOpen(true)}>
          Overrule…
        </Button>
      )}
      {overruled !== null && (
        <p className={styles.overruled}>
          Overruled <RelativeTime at={overruled.at} />, before:{' '}
          {overruled.from === null ? 'no verdict' : VERDICT_WORDS[overruled.from].title.toLowerCase()}
          {overruled.points !== undefined && `, ${formatSignedPoints(overruled.points)} points`}.{' '}
          <q dir="auto">{overruled.reason}</q>
        </p>
      )}
      {open && <OverruleForm workspaceId={workspaceId} attempt={attempt} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Shows how confirming would change the score. */
function Effect({
  workspaceId,
  attempt: { required, points: before },
  verdict,
}: {
  workspaceId: string
  attempt: AttemptRow
  verdict: Verdict
}) {
  const after = useApp(
    (state) =>
      state.details[workspaceId]?.verdictPoints?.[required ? 'required' : 'optional'][verdict] ?? null,
  )
  if (after === null) return null
  return (
    <p className={styles.overruled} role="status">
      {formatSignedPoints(before)} points become {formatSignedPoints(after)}: the score of its day moves by{' '}
      {formatSignedPoints(after - before)}.
    </p>
  )
}

function OverruleForm({
  workspaceId,
  attempt,
  onClose,
}: {
  workspaceId: string
  attempt: AttemptRow
  onClose: () => void
}) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const choices = VERDICTS.filter((verdict) => verdict !== attempt.verdict)
  const [verdict, setVerdict] = useState(choices[0] ?? 'unclear')
  const {
    text: reason,
    isEmpty,
    write,
    forget,
    cancel,
    leave,
  } = useUnsaid(`overrule ${workspaceId} ${attempt.attemptId}`, onClose)
  const { busy, problem, submit } = useSubmit()
  const overrule = () => {
    if (isEmpty) return
    void submit(async () => {
      await api.attempts.overrule({
        workspace: workspaceId,
        id: attempt.attemptId,
        verdict,
        reason: reason.trim(),
      })
      forget()
      await refresh()
      onClose()
    })
  }
  return (
    <WordsForm
      onClose={leave}
      onSubmit={overrule}
      problem={problem}
      buttons={
        <>
          <Button type="submit" aria-disabled={busy || isEmpty}>
            Overrule the verdict
          </Button>
          <Button look="quiet" onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      <fieldset className={styles.choices}>
        <legend>Your verdict</legend>
        {choices.map((choice) => (
          <label key={choice} className="row gap-icon">
            <input
              type="radio"
              name={`verdict-${attempt.attemptId}`}
              checked={choice === verdict}
              onChange={() => setVerdict(choice)}
            />
            {VERDICT_WORDS[choice].title}
          </label>
        ))}
      </fieldset>
      <Effect workspaceId={workspaceId} attempt={attempt} verdict={verdict} />
      <WordsField
        label="Reason"
        value={reason}
        onChange={write}
        placeholder="Recorded with the verdict, and added to the agent’s next prompt"
      />
    </WordsForm>
  )
}
