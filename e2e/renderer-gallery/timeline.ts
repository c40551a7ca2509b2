import type { ApiClient } from '../../src/api/client.ts'
import type { TimelinePageView } from '../../src/api/schemas/timeline.ts'
import { timelineEntries } from '../../src/core/record/timeline.ts'
import type { TimelineEntry } from '../../src/core/record/timeline-entry.ts'
import { hasText } from '../../src/core/record/timeline-filter.ts'
import { attempt, compared, LIE, recordedMoments } from './past.ts'

/** An in-memory timeline, newest first. */
export interface Timeline {
  readonly count: number
  entry(place: number): TimelineEntry | undefined
}

type Query = Omit<Parameters<ApiClient['timeline']['list']>[0], 'workspace'>

/** Returns a page of the entries that pass the filter, as the host's reader would. */
export function pageOf(timeline: Timeline, query: Query): TimelinePageView {
  const { at, kinds, severity, task, text = '' } = query
  const limit = Number(query.limit ?? 50)
  const isOnlyNew = Number(query.after ?? 0) > 0
  const all = Array.from({ length: timeline.count }, (_, place) => place)
  const isFiltered = kinds ?? severity ?? task ?? query.text
  const isMeant = (entry: TimelineEntry) =>
    (kinds?.includes(entry.kind) ?? true) &&
    (severity ?? entry.severity) === entry.severity &&
    (task ?? entry.taskId) === entry.taskId &&
    hasText(entry, text.toLowerCase())
  const entriesAt = (places: readonly number[]) => places.flatMap((place) => timeline.entry(place) ?? [])
  const places = isFiltered === undefined ? all : all.filter((place) => entriesAt([place]).some(isMeant))
  const foundAt = at === undefined ? -1 : places.findIndex((place) => timeline.entry(place)?.id === at)
  const offset = foundAt >= 0 ? Math.max(0, foundAt - Math.floor(limit / 2)) : Number(query.offset ?? 0)
  return {
    entries: isOnlyNew ? [] : entriesAt(places.slice(offset, offset + limit)),
    offset,
    total: isOnlyNew ? 0 : places.length,
    complete: true,
    foundAt: foundAt < 0 ? null : foundAt,
    head: timeline.count,
    nextCursor: null,
  }
}

/** Returns a timeline of many entries, each created on request; one in five has a contradiction. */
export function aLongTimeline(count: number, nowMs: number): Timeline {
  return {
    count,
    entry: (place) => {
      const number = count - place
      const isLie = number % 5 === 0
      const body = attempt(`task_${number % 7}`, Math.ceil(number / 7), isLie ? LIE : {}, {
        attemptId: `a${number}`,
        comparisons: [compared('email_count', String(number), isLie ? '0' : String(number))],
      })
      const [event] = recordedMoments([[place * 3, body]], nowMs)
      return event === undefined ? undefined : timelineEntries({ ...event, seq: number }).at(-1)
    },
  }
}
