import { useEffect, useRef } from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { routeTo } from '../../route/route.ts'
import { navigate, replaceAddress } from '../../route/use-route.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import styles from './trust.module.css'
import { TrustReview } from './trust-review.tsx'
import { useApprove } from './use-approve.ts'

/** Replaces the Today screen while nothing may run: shows what would run, and the button that allows it. */
export function TrustPanel({
  detail,
  isAsked,
}: {
  detail: WorkspaceDetail
  /** The user came here to approve. */
  isAsked: boolean
}) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isAsked) return
    // The user should read what would be approved first, so the focus does not start at the button.
    title.current?.focus()
    replaceAddress(routeTo(detail.id))
  }, [isAsked, detail.id])
  const { approve, allowed, busy, problem } = useApprove(detail, () => {})
  const { trustDetail } = detail
  if (trustDetail.state === 'missing') {
    return (
      <section className={styles.panel} aria-label="Configuration">
        <h2 className={styles.title}>There is no configuration yet</h2>
        <p className={styles.lead} dir="auto">
          {trustDetail.reason ?? 'The folder has no pulseward.toml.'}
        </p>
        <p className={styles.lead}>
          It names the agent and how its work is measured. Nothing runs until you approve it.
        </p>
        <div className={styles.missing}>
          <Button look="primary" onClick={() => navigate(routeTo(detail.id, 'setup'))}>
            Create one
          </Button>
        </div>
      </section>
    )
  }
  return (
    <section className={styles.panel} aria-label="Approval">
      <h2 className={styles.title} ref={title} tabIndex={-1}>
        Nothing runs here until you approve it
      </h2>
      <p className={styles.lead}>
        The folder’s <code>pulseward.toml</code> names commands. They run as you, on this machine; approve
        them only if you trust the file’s author.
      </p>
      <TrustReview workspaceId={detail.id} trust={trustDetail} />
      <Approval busy={busy} problem={problem} allowed={allowed} onApprove={approve} />
    </section>
  )
}

/** The button, with the reason below it if approving failed. */
export function Approval({
  busy,
  problem,
  allowed,
  onApprove,
}: {
  busy: boolean
  problem: string | null
  allowed: boolean
  onApprove: () => void
}) {
  return (
    <div className={styles.approval}>
      <Button acts look="primary" aria-disabled={!allowed || busy} onClick={() => allowed && onApprove()}>
        {busy ? 'Approving…' : 'Approve these commands'}
      </Button>
      <ProblemNote text={problem} />
    </div>
  )
}
