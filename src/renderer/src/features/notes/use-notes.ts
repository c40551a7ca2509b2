import { useCallback } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import { useApp } from '../../store/use-app.ts'
import { type Fetched, useFetched } from '../../store/use-fetched.ts'

export type Note = Awaited<ReturnType<ApiClient['notes']['list']>>[number]

/** What the operator said to the agent of a workspace, newest first, fetched again with the workspace. */
export function useNotes(workspaceId: string): Fetched<readonly Note[]> {
  const freshness = useApp((state) => state.details[workspaceId])
  const load = useCallback(
    (api: ApiClient, signal: AbortSignal) => api.notes.list({ workspace: workspaceId }, { signal }),
    [workspaceId],
  )
  return useFetched(load, freshness)
}
