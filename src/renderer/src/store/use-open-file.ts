import { useCallback } from 'react'
import { toProblem } from '../api-client/problem.ts'
import { useApp } from './use-app.ts'

/** Returns a function that opens a workspace file at a line in the operator's editor; a failure is shown as a message. It never rejects. */
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
