import { FolderX } from 'lucide-react'
import { useState } from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import type { Tab } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useWorkspaceActions } from '../workspace-menu/use-workspace-actions.ts'
import { LocateDialog } from './locate-dialog.tsx'
import styles from './workspace.module.css'

/** For a workspace whose folder does not exist: what is missing, where it was, and three ways to proceed. */
export function FolderMissing({ detail }: { detail: WorkspaceDetail }) {
  const refresh = useApp((state) => state.refresh)
  const { remove } = useWorkspaceActions()
  const [isLocating, setIsLocating] = useState(false)
  return (
    <section aria-label="The folder is missing">
      <Banner
        tone="problem"
        icon={<FolderX size={16} />}
        action={
          <div className={styles.buttons}>
            <Button look="quiet" onClick={() => void refresh()}>
              Check again
            </Button>
            <Button acts onClick={() => setIsLocating(true)}>
              Locate…
            </Button>
            <Button acts onClick={() => void remove(detail)}>
              Remove the workspace
            </Button>
          </div>
        }
      >
        <strong>The folder is missing.</strong> <bdi className={styles.missing}>{detail.path}</bdi> was
        deleted, moved or is not mounted. Bring it back or locate it, and everything continues as before; the
        record is kept either way.
      </Banner>
      {isLocating && <LocateDialog workspace={detail} onClose={() => setIsLocating(false)} />}
    </section>
  )
}

/** Shown instead of a screen whose file is in the missing folder. */
export function FileMissing({ tab }: { tab: Extract<Tab, 'today' | 'contract' | 'setup'> }) {
  return (
    <p className="quiet">
      {tab === 'setup' ? (
        <>
          The setup is kept in the folder’s <code>pulseward.toml</code>: it shows here once the folder is
          back.
        </>
      ) : (
        <>
          The tasks are kept in the folder’s <code>HEARTBEAT.md</code>: they show here once the folder is
          back.
        </>
      )}
    </p>
  )
}
