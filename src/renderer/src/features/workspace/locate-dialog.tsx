import { type FormEvent, useState } from 'react'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FolderField } from '../../ui/folder-field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './workspace.module.css'

/** Asks where a workspace's folder is after it was moved or renamed. */
export function LocateDialog({
  workspace,
  onClose,
}: {
  workspace: Pick<Workspace, 'id' | 'name' | 'path'>
  onClose: () => void
}) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const [path, setPath] = useState(workspace.path)
  const { busy, problem, submit } = useSubmit()
  const save = (event: FormEvent) => {
    event.preventDefault()
    void submit(async () => {
      await api.workspaces.move({ id: workspace.id, path: path.trim() })
      await refresh()
      onClose()
    })
  }
  return (
    <Dialog title={`Locate ${workspace.name}`} onClose={onClose}>
      <form className="stack gap-4" onSubmit={save}>
        <FolderField
          value={path}
          problem={problem}
          hint="Where the same folder is now, with its HEARTBEAT.md. Score, record and approval are kept."
          onChange={setPath}
        />
        <div className={styles.buttons}>
          <Button type="submit" look="primary" aria-disabled={busy}>
            Use this folder
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
