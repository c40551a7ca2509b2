import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TrustReview } from '../trust/trust-review.tsx'
import type { Draft } from './use-draft.ts'
import styles from './workspace-settings.module.css'

/** Shows what saving would allow before it happens: exactly this text is written and approved. */
export function SaveDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const save = async (approve: boolean) => {
    if (busy) return
    setBusy(true)
    const isSaved = await draft.save(approve)
    setBusy(false)
    if (isSaved) onClose()
    else setFailed(true)
  }
  return (
    <Dialog title="Save and approve?" onClose={onClose}>
      <TrustReview workspaceId={null} trust={draft.report.trust} />
      <div className={styles.dialogActions}>
        <Button acts look="primary" aria-disabled={busy} onClick={() => void save(true)}>
          {busy ? 'Saving…' : 'Save and approve'}
        </Button>
        <Button acts aria-disabled={busy} onClick={() => void save(false)}>
          Save only
        </Button>
        <p className={styles.note}>If you only save, the approved version keeps running.</p>
      </div>
      {failed && (
        <p className={styles.failure} role="alert">
          {draft.theirs !== null
            ? 'Not saved: pulseward.toml has since changed on disk. Close this and choose which one to keep.'
            : (draft.problem ?? 'Not saved.')}
        </p>
      )}
    </Dialog>
  )
}
