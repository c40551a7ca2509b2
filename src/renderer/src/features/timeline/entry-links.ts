import type { ReactNode } from 'react'
import { routeTo } from '../../route/route.ts'

/** Where the ways on from an entry lead; `null`: nowhere from this page. */
export interface EntryLinks {
  readonly attempt: (attemptId: string) => string | null
  readonly contract: string | null
  /** The entry itself. */
  readonly entry: string | null
  /** Its workspace, if the entries are from several. */
  readonly where: ReactNode
}

/** Of an entry on the timeline of a workspace of this host. */
export function linksOfWorkspace(workspaceId: string, entryId: string): EntryLinks {
  return {
    attempt: (attemptId) => routeTo(workspaceId, 'attempt', attemptId),
    contract: routeTo(workspaceId, 'contract'),
    entry: routeTo(workspaceId, 'timeline', entryId),
    where: null,
  }
}
