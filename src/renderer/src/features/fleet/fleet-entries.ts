import { newestFirst, placeOf } from '../../../../core/fleet/cursor.ts'
import type { FleetEntry } from '../../../../core/fleet/view.ts'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import type { LoadedEntries } from '../timeline/loaded-entries.ts'

/** The loaded part of the fleet's timeline, newest first and without gaps, in the form that a timeline draws. */
export interface FleetEntries extends LoadedEntries {
  readonly list: readonly FleetEntry[]
  readonly byId: ReadonlyMap<string, FleetEntry>
  /** There are no older entries. */
  readonly isComplete: boolean
}

export const NO_ENTRIES: FleetEntries = entriesOf([], false, 0)

/** Returns the entries with a page of older ones appended, skipping those already there. */
export function withOlder(
  entries: FleetEntries,
  page: readonly FleetEntry[],
  isComplete: boolean,
): FleetEntries {
  const older = page.filter((each) => !entries.byId.has(idOf(each)))
  return entriesOf([...entries.list, ...older], isComplete, entries.added)
}

/**
 * Returns the arrived entries that belong among the loaded ones; older ones are found below when loaded. `newest`: entries before this one
 * don't belong.
 */
export function belongingTo(
  entries: FleetEntries,
  came: readonly FleetEntry[],
  newest?: FleetEntry,
): readonly FleetEntry[] {
  const oldest = entries.list.at(-1)
  return came.filter(
    (each) =>
      !entries.byId.has(idOf(each)) &&
      (entries.isComplete || oldest === undefined || inOrder(each, oldest) < 0) &&
      (newest === undefined || inOrder(newest, each) < 0),
  )
}

/** Returns the entries with new ones sorted in: a host that was offline sends entries older than other hosts' newest. */
export function withArrived(entries: FleetEntries, came: readonly FleetEntry[]): FleetEntries {
  const fresh = belongingTo(entries, came)
  const list = [...fresh, ...entries.list].toSorted(inOrder)
  return entriesOf(list, entries.isComplete, entries.added + fresh.length)
}

/** Returns an id unique among all hosts: two may have entries with the same number. */
export function idOf({ host, workspace, entry }: FleetEntry): string {
  return `${host}/${workspace}/${entry.id}`
}

function inOrder(one: FleetEntry, other: FleetEntry): number {
  return newestFirst(placeOf(one.cursor), placeOf(other.cursor))
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
