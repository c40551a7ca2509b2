import { useEffect, useState } from 'react'
import styles from './app.module.css'
import { AddFolderDialog } from './features/add-folder/add-folder-dialog.tsx'
import { Connecting } from './features/connection/connecting.tsx'
import { ConnectionBanner } from './features/connection/connection-banner.tsx'
import { Rail } from './features/rail/rail.tsx'
import { Welcome } from './features/welcome/welcome.tsx'
import { WorkspaceScreen } from './features/workspace/workspace-screen.tsx'
import { pageTitle } from './page-title.ts'
import { useRoute } from './route/use-route.ts'
import { useApp } from './store/use-app.ts'
import { Toasts } from './ui/toasts.tsx'

/** The page: the rail of workspaces, and the screen of one of them. */
export function App() {
  const workspaces = useApp((state) => state.workspaces)
  const answered = useApp((state) => state.version !== null)
  const toasts = useApp((state) => state.toasts)
  const dismissToast = useApp((state) => state.dismissToast)
  const shownId = useShownWorkspace()
  const [adding, setAdding] = useState(false)
  const addFolder = () => setAdding(true)
  useEffect(() => {
    document.title = pageTitle(workspaces)
  }, [workspaces])
  return (
    <div className={styles.app}>
      <button type="button" className={styles.skip} onClick={skipToContent}>
        Skip to the workspace
      </button>
      {workspaces.length > 0 && <Rail shownId={shownId} onAddFolder={addFolder} />}
      <main id="content" className={styles.main} tabIndex={-1}>
        <ConnectionBanner />
        {!answered ? (
          <Connecting />
        ) : shownId === null ? (
          <Welcome onAddFolder={addFolder} />
        ) : (
          <WorkspaceScreen key={shownId} id={shownId} />
        )}
      </main>
      {adding && <AddFolderDialog onClose={() => setAdding(false)} />}
      <Toasts toasts={toasts} onDismiss={dismissToast} />
    </div>
  )
}

/** The workspace that the address names, else the first; the store keeps it fresh. */
function useShownWorkspace(): string | null {
  const { workspaceId } = useRoute()
  const workspaces = useApp((state) => state.workspaces)
  const watch = useApp((state) => state.watch)
  const named = workspaces.find((workspace) => workspace.id === workspaceId)
  const shownId = (named ?? workspaces[0])?.id ?? null
  useEffect(() => watch(shownId), [shownId, watch])
  return shownId
}

/** A button, not a link: the address after `#` is the route. */
function skipToContent(): void {
  document.getElementById('content')?.focus()
}
