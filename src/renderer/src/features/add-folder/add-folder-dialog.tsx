import { type FormEvent, useId, useState } from 'react'
import { toProblem } from '../../api-client/problem.ts'
import { routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './add-folder.module.css'

const explain = (error: unknown) => toProblem(error).message

/** Asks for a folder to supervise; what is wrong with it is said below the field. */
export function AddFolderDialog({ onClose }: { onClose: () => void }) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const [path, setPath] = useState('')
  const { busy, problem, submit } = useSubmit(explain)
  const fieldId = useId()
  const noteId = useId()
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() === '') return
    void submit(async () => {
      const workspace = await api.workspaces.add({ path: path.trim() })
      await refresh()
      navigate(routeTo(workspace.id))
      onClose()
    })
  }
  return (
    <Dialog title="Add a folder" onClose={onClose}>
      <form onSubmit={add}>
        <div className={styles.field}>
          <label htmlFor={fieldId}>Folder</label>
          <input
            id={fieldId}
            value={path}
            onChange={(event) => setPath(event.target.value)}
            placeholder="/home/you/src/backend"
            spellCheck={false}
            autoComplete="off"
            aria-invalid={problem !== null}
            aria-describedby={noteId}
          />
          <p id={noteId} className={problem === null ? styles.hint : styles.error} aria-live="polite">
            {problem ??
              'Its HEARTBEAT.md holds the tasks. Nothing runs before you have approved the commands.'}
          </p>
        </div>
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" aria-disabled={busy || path.trim() === ''}>
            {busy ? 'Adding…' : 'Add folder'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
