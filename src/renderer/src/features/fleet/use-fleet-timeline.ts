import { useCallback, useEffect, useRef, useState } from 'react'
import type { FleetEntry, FleetFilter } from '../../../../core/fleet/view.ts'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { type Problem, toProblem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'
import type { LoadedEntries } from '../timeline/loaded-entries.ts'
import { type FleetEntries, isBeyond, NO_ENTRIES, newerOf, withOlder, withOnTop } from './fleet-entries.ts'

/** Entries fetched at once. */
const PAGE = 100

interface FleetTimelineView {
  /** `null`: the first page is on its way. */
  readonly loaded: LoadedEntries | null
  readonly problem: Problem | null
  retry(): void
  /** Entries that have come since and wait to be let in. */
  readonly waiting: number
  showWaiting(): Promise<void>
  /** Loads on where the end of what is loaded comes into sight. */
  need(from: number, to: number): void
  /** Whose entry it is. */
  whoseOf(entry: TimelineEntry): FleetEntry | undefined
}

/** The timeline of the fleet as far as it is looked at; `filter` has to be memoised, and another one needs another component. */
export function useFleetTimeline(filter: FleetFilter, isAtTop: () => boolean): FleetTimelineView {
  const api = useApp((state) => state.api)
  const changes = useApp((state) => state.fleetChanges)
  const [entries, setEntries] = useState<FleetEntries | null>(null)
  const [waiting, setWaiting] = useState<readonly FleetEntry[]>([])
  // So much has come that the list begins anew with it.
  const begunAnew = useRef(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const current = useRef(entries)
  current.current = entries
  const busy = useRef(false)

  const older = useCallback(async () => {
    if (busy.current || current.current?.isComplete === true) return
    busy.current = true
    try {
      const cursor = current.current?.list.at(-1)?.cursor
      const page = await api.fleet.timeline({
        ...filter,
        limit: PAGE,
        ...(cursor !== undefined && { cursor }),
      })
      setEntries((now) => withOlder(now ?? NO_ENTRIES, page, page.length < PAGE))
      setProblem(null)
    } catch (error) {
      setProblem(toProblem(error))
    }
    busy.current = false
  }, [api, filter])
  useEffect(() => void older(), [older])

  const checkTop = useRef(isAtTop)
  checkTop.current = isAtTop
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of changes is what says that something has come
  useEffect(() => {
    if (current.current === null) return
    const abort = new AbortController()
    api.fleet.timeline({ ...filter, limit: PAGE }, { signal: abort.signal }).then(
      (page) => {
        if (abort.signal.aborted || current.current === null) return
        const newer = newerOf(current.current, page)
        begunAnew.current = isBeyond(current.current, page, PAGE)
        if (newer.length > 0 && checkTop.current()) {
          setEntries(withNewer(newer, begunAnew.current))
          setWaiting([])
        } else setWaiting(newer)
      },
      // The connection says so by itself, and the next change asks again.
      () => undefined,
    )
    return () => abort.abort()
  }, [api, filter, changes])

  const showWaiting = useCallback(async () => {
    setEntries(withNewer(waiting, begunAnew.current))
    setWaiting([])
  }, [waiting])
  return {
    loaded: entries,
    problem,
    retry: () => void older(),
    waiting: waiting.length,
    showWaiting,
    need: useCallback(
      (_from, to) => {
        if (to >= (current.current?.total ?? 0) - 1) void older()
      },
      [older],
    ),
    whoseOf: ({ id }) => entries?.byId.get(id),
  }
}

function withNewer(
  newer: readonly FleetEntry[],
  isAnew: boolean,
): (now: FleetEntries | null) => FleetEntries | null {
  return (now) => {
    if (now === null) return null
    return isAnew ? withOlder(NO_ENTRIES, newer, false) : withOnTop(now, newer)
  }
}
