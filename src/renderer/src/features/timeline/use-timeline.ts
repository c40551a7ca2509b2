import { useCallback, useEffect, useRef, useState } from 'react'
import { type Problem, toProblem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'
import { inputOf, type ShownFilter } from './filter.ts'
import { firstPage, type LoadedEntries, withNewer, withPage } from './loaded-entries.ts'

/** Entries fetched at once. */
const PAGE = 100
/** Between two calls while the host is still counting. */
const COUNTING_MS = 50

/** Where an entry that an address names stands. */
type Found = 'looking' | 'missing' | number

interface TimelineView {
  readonly loaded: LoadedEntries | null
  readonly problem: Problem | null
  retry(): void
  /** Entries that have come since and wait to be let in. */
  readonly waiting: number
  showWaiting(): Promise<void>
  /** Loads what is missing between two places of the list. */
  need(from: number, to: number): void
  /** Of `wanted`, or `null` where none is. */
  readonly found: Found | null
}

/**
 * The timeline of a workspace as far as it is looked at. `filter` has to be memoised. `wanted` is the entry the address named when the
 * list was opened; `isAtTop` says whether what comes in may be shown at once.
 */
export function useTimeline(
  workspaceId: string,
  filter: ShownFilter,
  wanted: string | null,
  isAtTop: () => boolean,
): TimelineView {
  const api = useApp((state) => state.api)
  const freshness = useApp((state) => state.details[workspaceId])
  const [loaded, setLoaded] = useState<LoadedEntries | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [waiting, setWaiting] = useState(0)
  const [found, setFound] = useState<Found | null>(wanted === null ? null : 'looking')
  const [round, setRound] = useState(0)
  const list = useCallback(
    (
      input: { offset?: number; upTo?: number; after?: number; at?: string; limit?: number },
      signal?: AbortSignal,
    ) => api.timeline.list({ workspace: workspaceId, limit: PAGE, ...inputOf(filter), ...input }, { signal }),
    [api, workspaceId, filter],
  )

  const target = useRef(wanted)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter or round begins a new list
  useEffect(() => {
    const abort = new AbortController()
    // The newest entries are shown at once; an address with an entry waits for its place, once.
    const at = target.current ?? undefined
    setProblem(null)
    const fail = (error: unknown) => !abort.signal.aborted && setProblem(toProblem(error))
    void (async () => {
      let page = await list(at === undefined ? {} : { at }, abort.signal)
      while (at !== undefined && page.foundAt === null && !page.complete && !abort.signal.aborted)
        page = await list({ at }, abort.signal)
      if (abort.signal.aborted) return
      target.current = null
      setLoaded(firstPage(page))
      setWaiting(0)
      if (at !== undefined) setFound(page.foundAt ?? 'missing')
      const upTo = page.head
      for (let complete = page.complete; !complete && !abort.signal.aborted; ) {
        await new Promise((resolve) => setTimeout(resolve, COUNTING_MS))
        const next = await list({ upTo, offset: 0 }, abort.signal)
        if (abort.signal.aborted) return
        complete = next.complete
        setLoaded((current) => (current === null ? null : withPage(current, next)))
      }
    })().catch(fail)
    return () => abort.abort()
  }, [list, round])

  const asked = useRef(new Set<string>())
  const current = useRef(loaded)
  current.current = loaded
  const need = useCallback(
    (from: number, to: number) => {
      const list0 = current.current
      if (list0 === null) return
      for (let offset = Math.floor(from / PAGE) * PAGE; offset <= to; offset += PAGE) {
        if (isLoaded(list0, offset, Math.min(offset + PAGE, list0.total))) continue
        const key = `${list0.head} ${offset}`
        if (asked.current.has(key)) continue
        asked.current.add(key)
        list({ upTo: list0.head, offset })
          .then(
            (page) => setLoaded((now) => (now === null ? null : withPage(now, page))),
            (error) => setProblem(toProblem(error)),
          )
          .finally(() => asked.current.delete(key))
      }
    },
    [list],
  )

  const showWaiting = useCallback(async () => {
    const list0 = current.current
    if (list0 === null) return
    const page = await list({ after: list0.head })
    setLoaded((now) => (now?.head === list0.head ? withNewer(now, page) : now))
    setWaiting(0)
  }, [list])

  const checkTop = useRef(isAtTop)
  checkTop.current = isAtTop
  // biome-ignore lint/correctness/useExhaustiveDependencies: the workspace as fetched anew is what says that something may have come
  useEffect(() => {
    const list0 = current.current
    if (list0 === null) return
    const abort = new AbortController()
    list({ after: list0.head, limit: 1 }, abort.signal).then(
      ({ total }) => {
        if (abort.signal.aborted || total === 0) return
        if (checkTop.current()) void showWaiting()
        else setWaiting(total)
      },
      // The connection says so by itself, and the next change asks again.
      () => undefined,
    )
    return () => abort.abort()
  }, [freshness, list, showWaiting])

  return { loaded, problem, retry: () => setRound((n) => n + 1), waiting, showWaiting, need, found }
}

function isLoaded({ entries }: LoadedEntries, from: number, to: number): boolean {
  for (let place = from; place < to; place += 1) if (!entries.has(place)) return false
  return true
}
