import { type FormEvent, useState } from 'react'
import { durationWords, secondsOf } from '../../../../core/pacing/duration-words.ts'
import { MAX_UNBLOCK_SECONDS } from '../../../../core/pacing/unblock.ts'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ToggleField } from '../../ui/toggle-field.tsx'
import styles from './blocked-card.module.css'
import type { UnblockWish } from './use-unblock.ts'

/** Unblocks with the operator's own settings: a reason for the record and a timeout for the next attempt, both optional. */
export function UnblockForm({
  task,
  busy,
  isTelling,
  reason,
  onReason,
  onUnblock,
}: {
  task: BlockedTask
  busy: boolean
  /** The form was opened for a message to the agent, so ask for it. */
  isTelling: boolean
  /** Kept by the parent, so that it is still there when the form is reopened. */
  reason: string
  onReason: (reason: string) => void
  onUnblock: (wish: UnblockWish) => Promise<void>
}) {
  const [timeout, setTimeout] = useState('')
  const [accepted, setAccepted] = useState(false)
  const seconds = timeout.trim() === '' ? undefined : secondsOf(timeout)
  const possible =
    seconds === undefined || (seconds !== null && seconds >= 1 && seconds <= MAX_UNBLOCK_SECONDS)
  const tooLong = seconds != null && possible && seconds > task.maxTimeoutSeconds
  const valid = possible && (!tooLong || accepted) && !(isTelling && reason.trim() === '')
  const unblock = (event: FormEvent) => {
    event.preventDefault()
    if (!valid || busy) return
    void onUnblock({
      ...(reason.trim() !== '' && { reason: reason.trim() }),
      ...(seconds != null && { timeoutSeconds: seconds }),
    })
  }
  return (
    <form className={styles.form} onSubmit={unblock}>
      <TextField
        label={isTelling ? 'Message to the agent' : 'Reason'}
        value={reason}
        maxLength={2000}
        autoComplete="off"
        dir="auto"
        autoFocus={isTelling}
        hint="Added to its next prompt and to the task’s history."
        onChange={(event) => onReason(event.target.value)}
      />
      <TextField
        label="Timeout of its next attempt"
        value={timeout}
        autoComplete="off"
        placeholder={durationWords(task.nextTimeoutSeconds * 1000)}
        hint={`Such as 20m, 1h or 20m15s. Left empty: ${durationWords(task.nextTimeoutSeconds * 1000)} (${task.nextTimeoutReason}).`}
        problem={possible ? null : 'A duration such as 20m, 1h, 90s or 20:15, up to 24 hours.'}
        onChange={(event) => {
          setTimeout(event.target.value)
          // The operator agreed to a different number.
          setAccepted(false)
        }}
      />
      {tooLong && (
        <ToggleField
          label={`Allow more than the limit in Setup (${durationWords(task.maxTimeoutSeconds * 1000)})`}
          checked={accepted}
          onChange={(event) => setAccepted(event.target.checked)}
        />
      )}
      <Button type="submit" aria-disabled={busy || !valid}>
        {busy ? 'Unblocking…' : isTelling ? 'Send and unblock' : 'Unblock'}
      </Button>
    </form>
  )
}
