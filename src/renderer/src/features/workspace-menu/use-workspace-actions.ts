import { useMemo } from 'react'
import { UNDO_SECONDS } from '../../../../core/pacing/unblock.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { toProblem } from '../../api-client/problem.ts'
import { parseRoute, routeTo, START_ADDRESS } from '../../route/route.ts'
import { navigate, replaceAddress } from '../../route/use-route.ts'
import type { AppState } from '../../store/app-state.ts'
import { useApp } from '../../store/use-app.ts'
import { copyText } from '../../ui/copy-text.ts'
import { fileName, saveFile } from '../../ui/save-file.ts'

type Named = Pick<Workspace, 'id' | 'name' | 'path'>

/** Actions on a workspace. Each shows a message that says what it did, or why it failed; none rejects. */
interface WorkspaceActions {
  openFolder(workspace: Named): Promise<void>
  openInEditor(workspace: Named): Promise<void>
  copyPath(workspace: Named): Promise<void>
  /** Everything recorded about it, as JSON. */
  exportRecord(workspace: Named): Promise<void>
  /** Keeps its folder; can be undone, including its record. */
  remove(workspace: Named): Promise<void>
}

export function useWorkspaceActions(): WorkspaceActions {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const showToast = useApp((state) => state.showToast)
  return useMemo(() => actionsOf({ api, refresh, showToast }), [api, refresh, showToast])
}

function actionsOf({ api, refresh, showToast }: Pick<AppState, 'api' | 'refresh' | 'showToast'>) {
  const said = (text: string): void => showToast({ tone: 'plain', text, undo: null })
  const attempt = async (does: () => Promise<void>): Promise<void> => {
    try {
      await does()
    } catch (error) {
      showToast({ tone: 'problem', text: toProblem(error).message, undo: null })
    }
  }
  const restore = ({ id, name }: Named, wasShown: boolean): Promise<void> =>
    attempt(async () => {
      await api.workspaces.restore({ id })
      await refresh()
      if (wasShown) navigate(routeTo(id))
      said(`${name} is supervised again, with its record.`)
    })
  return {
    openFolder: ({ id }) =>
      attempt(async () => {
        await api.desktop.openPath({ target: { kind: 'workspace', workspace: id } })
      }),
    openInEditor: ({ id }) =>
      attempt(async () => {
        await api.desktop.edit({ workspace: id })
      }),
    async copyPath({ path }) {
      if (await copyText(path)) said('The path is on the clipboard.')
      else showToast({ tone: 'problem', text: `It could not be copied. The path is ${path}`, undo: null })
    },
    exportRecord: ({ id, name }) =>
      attempt(async () => {
        const pieces: Blob[] = []
        for await (const piece of await api.timeline.export({ workspace: id, format: 'json' }))
          pieces.push(new Blob([piece]))
        saveFile(new Blob(pieces, { type: 'application/json' }), `${fileName(name)}-record.json`)
      }),
    remove: (workspace) =>
      attempt(async () => {
        await api.workspaces.remove({ id: workspace.id })
        const wasShown = isShown(workspace.id)
        // Leave its dead address without a message: the operator has just removed it.
        if (wasShown) replaceAddress(START_ADDRESS)
        showToast({
          tone: 'plain',
          text: `${workspace.name} is no longer supervised. Its folder is unchanged, and its record is kept.`,
          undo: () => void restore(workspace, wasShown),
          undoUntilMs: Date.now() + UNDO_SECONDS * 1000,
        })
        await refresh()
      }),
  } satisfies WorkspaceActions
}

function isShown(id: string): boolean {
  const route = parseRoute(location.hash)
  return route.screen === 'workspace' && route.workspaceId === id
}
