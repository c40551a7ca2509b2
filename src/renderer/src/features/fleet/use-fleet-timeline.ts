import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { TimelineFilterInput } from '../../../../api/schemas/timeline.ts'
import type { FleetEntry, FleetEntryPlace, FleetFilter } from '../../../../core/fleet/view.ts'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { type Problem, toProblem } from '../../api-client/problem.ts'
import { coalesced } from '../../store/coalesced.ts'
import { useApp } from '../../store/use-app.ts'
import type { TimelineView } from '../timeline/loaded-entries.ts'
import { belongingTo, type FleetEntries, NO_ENTRIES, withArrived, withOlder } from './fleet-entries.ts'
import { type FleetFetching, fleetFetching, PAGE } from './fleet-fetching.ts'

interface FleetTimelineView extends TimelineView {
  readonly loaded: FleetEntries | null
  /** Returns the fleet entry, which names host and workspace. */
  whoseOf(entry: TimelineEntry): FleetEntry | undefined
  /** `entry`: the list begins with the entry in the address, and newer ones are not shown; `missing`: that entry does not exist. */
  readonly found: Found
}

type Found = 'entry' | 'missing' | null

/** What has arrived since; `null`: so much that the list has to start over. */
type Arrived = readonly FleetEntry[] | null

/**
 * Loads the fleet's timeline as the user scrolls. A different filter, or restarting with the newest entries, needs a new component. `from`
 * is the entry in the address when the list was opened.
 */
export function useFleetTimeline(
  filter: FleetFilter & TimelineFilterInput,
  from: FleetEntryPlace | null,
  isAtTop: () => boolean,
  beginAnew: () => void,
): FleetTimelineView {
  const api = useApp((state) => state.api)
  const [given] = useState({ filter, from })
  const fetching = useMemo(() => fleetFetching(api, given.filter), [api, given])
  const [entries, setEntries] = useState<FleetEntries | null>(null)
  const current = useRef(entries)
  current.current = entries
  const { older, problem, found } = useOlder(fetching, given.from, current, setEntries)
  const [came, setCame] = useArrivals(fetching, entries !== null)

  const waiting = useMemo(() => {
    if (entries === null || came === null) return []
    // Entries newer than the one in the address are not adjacent to the shown ones.
    const newest = found === 'entry' ? entries.list[0] : undefined
    return belongingTo(entries, came, newest)
  }, [entries, came, found])
  const latest = useRef({ isAtTop, beginAnew })
  latest.current = { isAtTop, beginAnew }
  const showWaiting = useCallback(async () => {
    if (came === null) return latest.current.beginAnew()
    setEntries((before) => (before === null ? null : withArrived(before, waiting)))
    // Keep what arrived since, and what is older than everything loaded: a page below may still be loading.
    const letIn = new Set(waiting)
    setCame((before) => before?.filter((each) => !letIn.has(each)) ?? null)
  }, [came, waiting, setCame])
  useEffect(() => {
    if ((came === null || waiting.length > 0) && latest.current.isAtTop()) void showWaiting()
  }, [came, waiting, showWaiting])
  return {
    loaded: entries,
    problem,
    found,
    retry: () => void older(),
    waiting: came === null ? null : waiting.length,
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

/** Loads the first page, and with each call another one. */
function useOlder(
  fetching: FleetFetching,
  from: FleetEntryPlace | null,
  current: RefObject<FleetEntries | null>,
  setEntries: (change: (now: FleetEntries | null) => FleetEntries) => void,
) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const [found, setFound] = useState<Found>(null)
  const busy = useRef(false)
  const older = useCallback(async () => {
    if (busy.current || current.current?.isComplete === true) return
    busy.current = true
    try {
      const last = current.current?.list.at(-1)
      const wanted = last === undefined && from !== null ? await fetching.wanted(from) : null
      const page = await fetching.page((last ?? wanted)?.cursor)
      if (last === undefined && from !== null) setFound(wanted === null ? 'missing' : 'entry')
      const list = wanted === null ? page : [wanted, ...page]
      setEntries((now) => withOlder(now ?? NO_ENTRIES, list, page.length < PAGE))
      setProblem(null)
    } catch (error) {
      setProblem(toProblem(error))
    }
    busy.current = false
  }, [fetching, from, current, setEntries])
  useEffect(() => void older(), [older])
  return { older, problem, found }
}

/** Returns what has arrived since the list was loaded and is not shown yet. A change during a request is fetched after it. */
function useArrivals(fetching: FleetFetching, isLoaded: boolean) {
  const changes = useApp((state) => state.fleetChanges)
  const [came, setCame] = useState<Arrived>([])
  const ask = useMemo(
    () =>
      coalesced(async () => {
        try {
          const more = await fetching.arrived()
          setCame((before) => (before === null || more === null ? null : [...before, ...more]))
        } catch {
          // The connection banner reports this, and the next change asks again.
        }
      }),
    [fetching],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of changes is what says that something has come
  useEffect(() => {
    if (isLoaded) void ask()
  }, [ask, changes, isLoaded])
  return [came, setCame] as const
}
