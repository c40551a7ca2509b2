import { type FormEvent, useState } from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { sentence } from '../../format/sentence.ts'
import { routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Shield } from '../../ui/shield.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './suspension.module.css'

/** Shown at the top of a suspended workspace: what happened, where to look, and how to resume. Shows nothing if it is not suspended. */
export function SuspensionPanel({
  workspace,
  isFolded = false,
}: {
  workspace: WorkspaceDetail
  /** Folded to one line with a link to the details. */
  isFolded?: boolean
}) {
  const { id, suspended, agentId } = workspace
  if (suspended === null) return null
  if (isFolded) {
    return (
      <section className={styles.line} aria-label="Suspension">
        <Shield level="suspended" size={20} />
        <p dir="auto">
          <strong>Suspended for your review.</strong> <Prose text={ended(sentence(suspended.reason))} />
        </p>
        <a href={routeTo(id)}>Review</a>
      </section>
    )
  }
  return (
    <section className={styles.panel} aria-label="Suspension">
      <Shield level="suspended" size={40} />
      <div className={styles.body}>
        <h2 className={styles.title}>Suspended for your review</h2>
        <p dir="auto">
          <strong>
            <Prose text={ended(sentence(suspended.reason))} />
          </strong>{' '}
          Suspended <RelativeTime at={suspended.since} />; nothing has run here since.
        </p>
        <p className={styles.quiet}>
          Review what {agentId === null ? 'the agent' : <bdi>{agentId}</bdi>} claimed and what was measured in
          the <a href={routeTo(id, 'timeline')}>timeline</a>. Resuming resets the count and keeps the history.
        </p>
        <LiftForm id={id} />
      </div>
    </section>
  )
}

function LiftForm({ id }: { id: string }) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const [reason, setReason] = useState('')
  const { busy, problem, submit } = useSubmit()
  const lift = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return
    void submit(async () => {
      await api.heartbeat.liftSuspension({ workspace: id, reason: reason.trim() })
      await refresh()
      // The form disappears with the panel: without this, the focus would fall to the page.
      document.getElementById('content')?.focus()
    })
  }
  return (
    <form className={styles.form} onSubmit={lift}>
      <TextField
        label="What you found"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        maxLength={2000}
        required
        autoComplete="off"
        hint={
          reason.trim() === ''
            ? 'Write a few words to resume: they are kept in the record.'
            : 'Kept in the record.'
        }
      />
      <Button
        type="submit"
        look="primary"
        aria-disabled={busy || reason.trim() === ''}
        title={reason.trim() === '' ? 'Write a few words to resume' : undefined}
      >
        {busy ? 'Resuming…' : 'Resume'}
      </Button>
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

function ended(words: string): string {
  return /[.!?]$/u.test(words) ? words : `${words}.`
}
