import { type FormEvent, useState } from 'react'
import { MAX_UNBLOCK_SECONDS } from '../../../../core/pacing/unblock.ts'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ToggleField } from '../../ui/toggle-field.tsx'
import styles from './blocked-card.module.css'
import type { UnblockWish } from './use-unblock.ts'

/** Unblocks in the operator's own way: with a reason for the record and a timeout for the next attempt, both optional. */
export function UnblockForm({
  task,
  busy,
  onUnblock,
}: {
  task: BlockedTask
  busy: boolean
  onUnblock: (wish: UnblockWish) => Promise<void>
}) {
  const [reason, setReason] = useState('')
  const [timeout, setTimeout] = useState('')
  const [accepted, setAccepted] = useState(false)
  const seconds = timeout === '' ? undefined : Number(timeout)
  const possible =
    seconds === undefined || (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_UNBLOCK_SECONDS)
  const tooLong = seconds !== undefined && possible && seconds > task.maxTimeoutSeconds
  const valid = possible && (!tooLong || accepted)
  const unblock = (event: FormEvent) => {
    event.preventDefault()
    if (!valid || busy) return
    void onUnblock({
      ...(reason.trim() !== '' && { reason: reason.trim() }),
      ...(seconds !== undefined && { timeoutSeconds: seconds }),
    })
  }
  return (
    <form className={styles.form} onSubmit={unblock}>
      <TextField
        label="Reason"
        value={reason}
        maxLength={2000}
        autoComplete="off"
        hint="Recorded in the task’s history, and told to the agent in its next prompt."
        onChange={(event) => setReason(event.target.value)}
      />
      <TextField
        label="Timeout in seconds"
        type="number"
        min={1}
        max={MAX_UNBLOCK_SECONDS}
        step={1}
        value={timeout}
        placeholder={String(task.nextTimeoutSeconds)}
        hint={`Left empty: ${task.nextTimeoutSeconds} s (${task.nextTimeoutReason}).`}
        onChange={(event) => {
          setTimeout(event.target.value)
          // Agreed to was another number.
          setAccepted(false)
        }}
      />
      {tooLong && (
        <ToggleField
          label={`Longer than the settings allow (${task.maxTimeoutSeconds} s): use it all the same`}
          checked={accepted}
          onChange={(event) => setAccepted(event.target.checked)}
        />
      )}
      <Button type="submit" aria-disabled={busy || !valid}>
        {busy ? 'Unblocking…' : 'Unblock'}
      </Button>
    </form>
  )
}
