import { useCallback, useEffect, useRef, useState } from 'react'
import { toProblem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'
import { inputOf, type ShownFilter } from './filter.ts'
import { firstPage, type LoadedEntries, type TimelineView, withNewer, withPage } from './loaded-entries.ts'

/** How many entries are fetched at once. */
const PAGE = 100
/** The pause between two calls while the host is still counting. */
const COUNTING_MS = 50

/** The position of the entry in the address. */
type Found = 'looking' | 'missing' | number

/** Where a list begins, if not at its newest entry. */
export interface Wanted {
  /** Its id. */
  readonly entry?: string
  /** For example, `2026-11-20`. */
  readonly day?: string
}

interface WorkspaceTimeline extends TimelineView {
  readonly waiting: number
  /** The position of `wanted`; `null` if there is none. */
  readonly found: Found | null
  /** The requested day, if it has no entries. */
  readonly missedDay: string | null
}

/**
 * The timeline of a workspace, loaded as far as it is viewed. `filter` must be memoized. `wanted` is the entry or day in the address when
 * the list was opened; `isAtTop` returns whether new entries may be shown at once.
 */
export function useTimeline(
  workspaceId: string,
  filter: ShownFilter,
  wanted: Wanted | null,
  isAtTop: () => boolean,
): WorkspaceTimeline {
  const freshness = useApp((state) => state.details[workspaceId]?.marks.timeline)
  const list = useList(workspaceId, filter)
  const [shown, setShown] = useState<Shown>({
    loaded: null,
    problem: null,
    waiting: 0,
    found: wanted === null ? null : 'looking',
    missedDay: null,
  })
  const [round, setRound] = useState(0)
  useFirstPages(list, wanted, round, setShown)
  const current = useRef(shown.loaded)
  current.current = shown.loaded
  const need = useNeed(list, current, setShown)

  const showWaiting = useCallback(async () => {
    const list0 = current.current
    if (list0 === null) return
    const page = await list({ after: list0.head })
    setShown(({ loaded, ...rest }) => ({
      ...rest,
      loaded: loaded?.head === list0.head ? withNewer(loaded, page) : loaded,
      waiting: 0,
    }))
  }, [list])

  const checkTop = useRef(isAtTop)
  checkTop.current = isAtTop
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mark is what says that something has come
  useEffect(() => {
    const list0 = current.current
    if (list0 === null) return
    const abort = new AbortController()
    list({ after: list0.head, limit: 1 }, abort.signal).then(
      ({ total }) => {
        if (abort.signal.aborted || total === 0) return
        if (checkTop.current()) void showWaiting()
        else setShown((now) => ({ ...now, waiting: total }))
      },
      // The connection banner reports this, and the next change asks again.
      () => undefined,
    )
    return () => abort.abort()
  }, [freshness, list, showWaiting])

  return { ...shown, retry: () => setRound((n) => n + 1), showWaiting, need }
}

type Shown = Pick<WorkspaceTimeline, 'loaded' | 'problem' | 'waiting' | 'found' | 'missedDay'>
type Change = (change: (shown: Shown) => Shown) => void
type List = ReturnType<typeof useList>

function useList(workspaceId: string, filter: ShownFilter) {
  const api = useApp((state) => state.api)
  return useCallback(
    (
      input: { offset?: number; upTo?: number; after?: number; at?: string; limit?: number },
      signal?: AbortSignal,
    ) => api.timeline.list({ workspace: workspaceId, limit: PAGE, ...inputOf(filter), ...input }, { signal }),
    [api, workspaceId, filter],
  )
}

/** Starts a new list for each filter and round: with the newest entries, or the first time with those around the entry in the address. */
function useFirstPages(list: List, wanted: Wanted | null, round: number, change: Change): void {
  const target = useRef(wanted)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter or round begins a new list
  useEffect(() => {
    const abort = new AbortController()
    // The newest entries are shown at once; an entry in the address has to be found first.
    const { entry, day } = target.current ?? {}
    change((now) => ({ ...now, problem: null }))
    void (async () => {
      const ofDay = day === undefined ? null : await entryOfDay(list, day, abort.signal)
      const at = ofDay?.id ?? entry
      let page = await list(at === undefined ? {} : { at }, abort.signal)
      while (at !== undefined && page.foundAt === null && !page.complete && !abort.signal.aborted)
        page = await list({ at }, abort.signal)
      if (abort.signal.aborted) return
      target.current = null
      const { foundAt, head: upTo } = page
      change(({ found, ...rest }) => ({
        ...rest,
        loaded: firstPage(page),
        waiting: 0,
        found: at === undefined ? found : (foundAt ?? 'missing'),
        missedDay: day !== undefined && ofDay?.day !== day ? day : null,
      }))
      for (let complete = page.complete; !complete && !abort.signal.aborted; ) {
        await new Promise((resolve) => setTimeout(resolve, COUNTING_MS))
        const next = await list({ upTo, offset: 0 }, abort.signal)
        if (abort.signal.aborted) return
        complete = next.complete
        change((now) => ({ ...now, loaded: now.loaded === null ? null : withPage(now.loaded, next) }))
      }
    })().catch(
      (error: unknown) => !abort.signal.aborted && change((now) => ({ ...now, problem: toProblem(error) })),
    )
    return () => abort.abort()
  }, [list, round])
}

/**
 * Returns the newest entry of a day, or of the last earlier day that has any; the oldest entry if all are newer, `null` if there are none.
 */
async function entryOfDay(list: List, day: string, signal: AbortSignal) {
  const first = await list({ offset: 0, limit: 1 }, signal)
  const upTo = first.head
  let { complete, total } = first
  while (!complete) ({ complete, total } = await list({ upTo, offset: 0, limit: 1 }, signal))
  const entryAt = async (offset: number) =>
    (await list({ upTo, offset, limit: 1 }, signal)).entries[0] ?? null
  // Entries are sorted newest first: search how many are newer than the day.
  let [newer, end] = [0, total]
  while (newer < end) {
    const middle = Math.floor((newer + end) / 2)
    const entry = await entryAt(middle)
    if (entry !== null && entry.day > day) newer = middle + 1
    else end = middle
  }
  return total === 0 ? null : entryAt(Math.min(newer, total - 1))
}

/** Loads what is missing between two positions, without loading a page twice at the same time. */
function useNeed(
  list: List,
  current: { readonly current: LoadedEntries | null },
  change: Change,
): TimelineView['need'] {
  const asked = useRef(new Set<string>())
  return useCallback(
    (from, to) => {
      const list0 = current.current
      if (list0 === null) return
      for (let offset = Math.floor(from / PAGE) * PAGE; offset <= to; offset += PAGE) {
        if (isLoaded(list0, offset, Math.min(offset + PAGE, list0.total))) continue
        const key = `${list0.head} ${offset}`
        if (asked.current.has(key)) continue
        asked.current.add(key)
        list({ upTo: list0.head, offset })
          .then(
            (page) =>
              change((now) => ({ ...now, loaded: now.loaded === null ? null : withPage(now.loaded, page) })),
            (error: unknown) => change((now) => ({ ...now, problem: toProblem(error) })),
          )
          .finally(() => asked.current.delete(key))
      }
    },
    [list, current, change],
  )
}

function isLoaded({ entries }: LoadedEntries, from: number, to: number): boolean {
  for (let place = from; place < to; place += 1) if (!entries.has(place)) return false
  return true
}
