import type { FleetArrivals, FleetEntry, FleetEntryFilter, FleetEntryPlace } from '../../core/fleet/view.ts'
import type { TimelineEntry } from '../../core/record/timeline-entry.ts'
import { isLetThrough } from '../../core/record/timeline-filter.ts'
import type { FleetTimeline } from '../ports/fleet.ts'
import { recordKey } from './record-key.ts'
import type { EntriesOf, StoredEntries, StoredEntry } from './stored-entries.ts'

/** How many entries to read before yielding; takes some milliseconds. */
const AT_ONCE = 500

/** The timeline of all hosts, filtered and paged. */
export class CentreTimeline implements FleetTimeline {
  readonly #stored: StoredEntries
  readonly #nameOf: (entry: StoredEntry) => string
  readonly #placesOf: (filter: FleetEntryFilter) => EntriesOf

  /** `placesOf`: returns the workspaces whose entries may match a filter. Text and kinds are filtered here. */
  constructor(
    stored: StoredEntries,
    nameOf: (entry: StoredEntry) => string,
    placesOf: (filter: FleetEntryFilter) => EntriesOf,
  ) {
    this.#stored = stored
    this.#nameOf = nameOf
    this.#placesOf = placesOf
  }

  async page(
    filter: FleetEntryFilter,
    cursor: string | null,
    limit: number,
    signal?: AbortSignal,
  ): Promise<FleetEntry[]> {
    const found: FleetEntry[] = []
    const places = this.#placesOf(filter)
    const meant = this.#meantBy(filter, places)
    let looked = 0
    for (const stored of this.#stored.behind(cursor, places)) {
      const entry = meant(stored)
      if (entry !== null) found.push(entry)
      if (found.length === limit) break
      looked += 1
      if (looked % AT_ONCE > 0) continue
      await new Promise((resolve) => setImmediate(resolve))
      if (signal?.aborted === true) break
    }
    return found
  }

  arrivals(filter: FleetEntryFilter, after: number | null): FleetArrivals {
    const last = this.#stored.last()
    if (after === null) return { entries: [], arrival: last, reach: 'all' }
    if (after > last || after < this.#stored.knownFrom()) return { entries: [], arrival: last, reach: 'lost' }
    const came = this.#stored.since(after, AT_ONCE)
    const meant = this.#meantBy(filter, this.#placesOf(filter))
    const newest = came.at(-1)
    return {
      entries: came.flatMap((stored) => meant(stored) ?? []),
      arrival: newest === undefined ? after : this.#stored.arrivalOf(newest.cursor),
      reach: came.length < AT_ONCE ? 'all' : 'part',
    }
  }

  entry({ host, workspace, id }: FleetEntryPlace): FleetEntry | null {
    const stored = this.#stored.find(host, workspace, id)
    return stored === null ? null : this.#entryOf(stored)
  }

  /** Returns the entry if the filter matches it, else `null`. */
  #meantBy(
    filter: FleetEntryFilter,
    { hosts, workspaces }: EntriesOf,
  ): (stored: StoredEntry) => FleetEntry | null {
    const ofHosts = hosts === null ? null : new Set(hosts)
    const ofWorkspaces = workspaces === null ? null : new Set(workspaces.map(recordKey))
    return (stored) => {
      if (ofHosts?.has(stored.host) === false) return null
      if (ofWorkspaces?.has(recordKey(stored)) === false) return null
      const found = this.#entryOf(stored)
      return isLetThrough(found.entry, filter) ? found : null
    }
  }

  #entryOf(stored: StoredEntry): FleetEntry {
    const { host, workspace, json, cursor } = stored
    // Safe: this program wrote it from a value of this type, in the same version.
    const entry = JSON.parse(json) as TimelineEntry
    return { host, workspace, name: this.#nameOf(stored), entry, cursor }
  }
}
