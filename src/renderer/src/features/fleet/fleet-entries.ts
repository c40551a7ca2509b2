import type { FleetEntry } from '../../../../core/fleet/view.ts'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import type { LoadedEntries } from '../timeline/loaded-entries.ts'

/** What is loaded of the fleet's timeline, newest first and without a gap; in the form in which a timeline is drawn. */
export interface FleetEntries extends LoadedEntries {
  readonly list: readonly FleetEntry[]
  readonly byId: ReadonlyMap<string, FleetEntry>
  /** There is nothing older. */
  readonly isComplete: boolean
}

export const NO_ENTRIES: FleetEntries = entriesOf([], false, 0)

/** With a page of older ones below; those that are there already are passed over. */
export function withOlder(
  entries: FleetEntries,
  page: readonly FleetEntry[],
  isComplete: boolean,
): FleetEntries {
  const older = page.filter((each) => !entries.byId.has(idOf(each)))
  return entriesOf([...entries.list, ...older], isComplete, entries.added)
}

/** Whether more may have come since than the newest page holds: nothing of it is loaded, so what lies between is not known. */
export function isBeyond(entries: FleetEntries, page: readonly FleetEntry[], pageSize: number): boolean {
  return (
    entries.list.length > 0 && page.length === pageSize && !page.some((each) => entries.byId.has(idOf(each)))
  )
}

/** Those of the newest page that have come since. */
export function newerOf(entries: FleetEntries, page: readonly FleetEntry[]): readonly FleetEntry[] {
  const oldest = entries.list.at(-1)
  return page.filter(
    (each) =>
      !entries.byId.has(idOf(each)) &&
      // Of a host that was behind: it belongs below what is loaded, and is found there.
      (oldest === undefined || Date.parse(each.entry.at) >= Date.parse(oldest.entry.at)),
  )
}

/** With what has come since, each in its place: a host that was away sends what is older than others' newest. */
export function withOnTop(entries: FleetEntries, newer: readonly FleetEntry[]): FleetEntries {
  const fresh = newer.filter((each) => !entries.byId.has(idOf(each)))
  const list = [...fresh, ...entries.list].toSorted((a, b) => Date.parse(b.entry.at) - Date.parse(a.entry.at))
  return entriesOf(list, entries.isComplete, entries.added + fresh.length)
}

/** Two hosts may have entries of the same number. */
function idOf({ host, workspace, entry }: FleetEntry): string {
  return `${host}/${workspace}/${entry.id}`
}

function entriesOf(list: readonly FleetEntry[], isComplete: boolean, added: number): FleetEntries {
  const drawn = list.map((each): [number, TimelineEntry] => [0, { ...each.entry, id: idOf(each) }])
  return {
    list,
    byId: new Map(list.map((each) => [idOf(each), each])),
    isComplete,
    head: 0,
    total: list.length,
    complete: isComplete,
    added,
    entries: new Map(drawn.map(([, entry], index) => [index, entry])),
  }
}
