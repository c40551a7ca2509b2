import { createContext, use, useMemo } from 'react'
import { useStore } from 'zustand'
import type { WorkspaceDetail } from '../../../core/read-model/workspace.ts'
import type { AppState, AppStore } from './app-state.ts'
import { withPendingFeedback } from './feedback.ts'

export const AppStoreContext = createContext<AppStore | null>(null)

/** Returns what `selector` picks from the store; the component renders again when that changes. */
export function useApp<T>(selector: (state: AppState) => T): T {
  const store = use(AppStoreContext)
  if (store === null)
    throw new Error('useApp needs an AppStoreContext above it: mount the page with mountApp.')
  return useStore(store, selector)
}

/** Returns a full workspace, including pending thumbs; `undefined` until it is loaded. */
export function useWorkspaceDetail(id: string): WorkspaceDetail | undefined {
  const detail = useApp((state) => state.details[id])
  const pending = useApp((state) => state.pendingFeedback)
  return useMemo(
    () => (detail === undefined ? undefined : withPendingFeedback(detail, pending)),
    [detail, pending],
  )
}
