import { useCallback } from 'react'
import { toProblem } from '../api-client/problem.ts'
import { useApp } from './use-app.ts'

/** Opens a file of a workspace at a line in the operator's editor; what goes wrong is said at the foot of the page. Never rejects. */
export function useOpenFile(workspace: string): (path: string, line: number) => Promise<void> {
  const api = useApp((state) => state.api)
  const showToast = useApp((state) => state.showToast)
  return useCallback(
    async (path, line) => {
      try {
        await api.desktop.edit({ workspace, path, line })
      } catch (error) {
        showToast({ tone: 'problem', text: toProblem(error).message, undo: null })
      }
    },
    [api, showToast, workspace],
  )
}
