import { useCallback, useEffect, useState } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import { type Problem, toProblem } from '../../api-client/problem.ts'
import type { InterventionSeverity, InterventionType } from '../../format/intervention.ts'
import { useApp } from '../../store/use-app.ts'
import { useFetched } from '../../store/use-fetched.ts'
import { type TimelinePages, withNewest, withOlder } from './pages.ts'

/** Entries fetched at once. */
const PAGE = 30

export interface TimelineFilter {
  readonly type?: InterventionType
  readonly severity?: InterventionSeverity
}

/** The interventions of a workspace, kept fresh at the top and loaded further down on demand. `filter` has to be memoised. */
export function useTimeline(workspaceId: string, filter: TimelineFilter) {
  const api = useApp((state) => state.api)
  const freshness = useApp((state) => state.details[workspaceId])
  const [pages, setPages] = useState<TimelinePages | null>(null)
  const [older, setOlder] = useState<{ busy: boolean; problem: Problem | null }>({
    busy: false,
    problem: null,
  })
  const load = useCallback(
    (client: ApiClient, signal: AbortSignal) =>
      client.interventions.list({ workspace: workspaceId, last: PAGE, ...filter }, { signal }),
    [workspaceId, filter],
  )
  const { value, problem, retry } = useFetched(load, freshness)
  useEffect(() => {
    if (value !== null) setPages((loaded) => withNewest(loaded, value))
  }, [value])
  const loadOlder = async () => {
    const cursor = pages?.nextCursor
    if (typeof cursor !== 'string' || older.busy) return
    setOlder({ busy: true, problem: null })
    try {
      const page = await api.interventions.list({ workspace: workspaceId, last: PAGE, cursor, ...filter })
      setPages((loaded) => (loaded === null ? loaded : withOlder(loaded, page)))
      setOlder({ busy: false, problem: null })
    } catch (error) {
      setOlder({ busy: false, problem: toProblem(error) })
    }
  }
  return { pages, problem, retry, older, loadOlder }
}
