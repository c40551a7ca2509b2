import type { ReactNode } from 'react'
import { routeTo } from '../../route/route.ts'

/** The targets of an entry's links; `null`: none from this page. */
export interface EntryLinks {
  readonly attempt: (attemptId: string) => string | null
  readonly contract: string | null
  /** The entry itself. */
  readonly entry: string | null
  /** The entry's workspace, if entries from several are shown. */
  readonly where: ReactNode
}

/** Returns the links of an entry on the timeline of a workspace of this host. */
export function linksOfWorkspace(workspaceId: string, entryId: string): EntryLinks {
  return {
    attempt: (attemptId) => routeTo(workspaceId, 'attempt', attemptId),
    contract: routeTo(workspaceId, 'contract'),
    entry: routeTo(workspaceId, 'timeline', entryId),
    where: null,
  }
}
