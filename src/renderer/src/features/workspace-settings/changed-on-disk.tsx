import { FileWarning } from 'lucide-react'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextDifference } from '../../ui/text-difference.tsx'
import type { Draft } from './use-draft.ts'
import styles from './workspace-settings.module.css'

/** Shown when someone else saved the file while it was being edited: both texts side by side, and the choice between them. */
export function ChangedOnDisk({ draft }: { draft: Draft }) {
  const { theirs, text } = draft
  if (theirs === null) return null
  return (
    <section className="stack" aria-label="Changed on disk">
      <Banner tone="warning" icon={<FileWarning size={16} />}>
        <strong>pulseward.toml {theirs.hash === null ? 'was deleted' : 'has changed'} on disk</strong> while
        you were editing. Nothing is overwritten: choose which version to keep.
      </Banner>
      <h2 className="small mono">From your draft (−) to what is on disk (+)</h2>
      <TextDifference before={text} after={theirs.text} label="Difference of pulseward.toml" />
      <div className={styles.dialogActions}>
        <Button look="primary" onClick={draft.takeTheirs}>
          Take what is on disk
        </Button>
        <Button onClick={draft.keepMine}>Keep my draft</Button>
      </div>
    </section>
  )
}
