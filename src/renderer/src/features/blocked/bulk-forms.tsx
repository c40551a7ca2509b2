import { type FormEvent, useState } from 'react'
import { MAX_RETRY_ATTEMPTS, MAX_UNBLOCK_MULTIPLIER } from '../../../../core/pacing/unblock.ts'
import { counted } from '../../format/counted.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './blocked.module.css'

/** A usual multiplier for a timeout that was too short. */
const USUAL_MULTIPLIER = '1.5'

/** Unblocks `count` tasks with one reason, each with a multiple of its planned timeout. */
export function BulkForm({
  count,
  busy,
  reason,
  onReason,
  onUnblock,
}: {
  count: number
  busy: boolean
  /** Kept by the parent, so that it is still there when the form is reopened. */
  reason: string
  onReason: (reason: string) => void
  onUnblock: (how: { reason?: string; timeoutMultiplier: number }) => void
}) {
  const [multiplier, setMultiplier] = useState(USUAL_MULTIPLIER)
  const timeoutMultiplier = Number(multiplier)
  const valid = timeoutMultiplier > 0 && timeoutMultiplier <= MAX_UNBLOCK_MULTIPLIER
  const unblock = (event: FormEvent) => {
    event.preventDefault()
    if (!valid || busy) return
    onUnblock({ ...(reason.trim() !== '' && { reason: reason.trim() }), timeoutMultiplier })
  }
  return (
    <form className={styles.form} onSubmit={unblock} aria-label="Unblock several">
      <TextField
        label="Reason"
        value={reason}
        maxLength={2000}
        autoComplete="off"
        hint="Recorded in each task’s history."
        onChange={(event) => onReason(event.target.value)}
      />
      <TextField
        label="Multiply planned timeout by"
        type="number"
        min={0.1}
        max={MAX_UNBLOCK_MULTIPLIER}
        step="any"
        value={multiplier}
        hint="For the next attempt of each task."
        onChange={(event) => setMultiplier(event.target.value)}
      />
      <Button type="submit" aria-disabled={busy || !valid}>
        Unblock {counted(count, 'task')}
      </Button>
    </form>
  )
}

/** Retries all blocked tasks, with as many attempts as the contract allows, or as given here. */
export function RetryForm({
  count,
  busy,
  onRetry,
}: {
  count: number
  busy: boolean
  onRetry: (maxAttempts: number | undefined) => void
}) {
  const [attempts, setAttempts] = useState('')
  const maxAttempts = attempts === '' ? undefined : Number(attempts)
  const valid =
    maxAttempts === undefined ||
    (Number.isInteger(maxAttempts) && maxAttempts >= 1 && maxAttempts <= MAX_RETRY_ATTEMPTS)
  const retry = (event: FormEvent) => {
    event.preventDefault()
    if (valid && !busy) onRetry(maxAttempts)
  }
  return (
    <form className={styles.form} onSubmit={retry} aria-label="Retry all">
      <TextField
        label="Attempts each"
        type="number"
        min={1}
        max={MAX_RETRY_ATTEMPTS}
        step={1}
        value={attempts}
        placeholder="as in the contract"
        hint="Until a task is blocked again. Left empty: its max_attempts. Tasks that were already retried this way are skipped."
        onChange={(event) => setAttempts(event.target.value)}
      />
      <Button type="submit" aria-disabled={busy || !valid}>
        Retry {counted(count, 'task')}
      </Button>
    </form>
  )
}
