import type { ApiClient } from '../../../../api/client.ts'
import type { TimelineFilterInput } from '../../../../api/schemas/timeline.ts'
import type { FleetEntry, FleetEntryPlace, FleetFilter } from '../../../../core/fleet/view.ts'
import { toProblem } from '../../api-client/problem.ts'

/** How many entries are fetched at once. */
export const PAGE = 100
/** If more entries have arrived, the list starts over instead of being updated. */
const MOST_ARRIVED = 1_000

/** Fetches the fleet's timeline. */
export interface FleetFetching {
  /** Returns the entries after a cursor; without one, the newest. */
  page(cursor: string | undefined): Promise<readonly FleetEntry[]>
  /** Returns `null` if the entry doesn't exist. */
  wanted(place: FleetEntryPlace): Promise<FleetEntry | null>
  /**
   * Returns what arrived since the list began or since the last call, however old the entries are; `null`: too many, or unknown which.
   * After a rejection, the next call returns the same arrivals again.
   */
  arrived(): Promise<readonly FleetEntry[] | null>
}

type FleetApi = { readonly fleet: Pick<ApiClient['fleet'], 'timeline' | 'arrivals' | 'entry'> }

export function fleetFetching(api: FleetApi, filter: FleetFilter & TimelineFilterInput): FleetFetching {
  /** The number of the last known arrival. */
  let mark: number | null = null
  return {
    page: async (cursor) => {
      // Ask before fetching the page: what arrives in between is in both, and is shown once.
      mark ??= (await api.fleet.arrivals({})).arrival
      return api.fleet.timeline({ ...filter, limit: PAGE, ...(cursor !== undefined && { cursor }) })
    },
    wanted: async (place) => {
      try {
        return await api.fleet.entry(place)
      } catch (error) {
        if (toProblem(error).code === 'NOT_FOUND') return null
        throw error
      }
    },
    arrived: async () => {
      const came: FleetEntry[] = []
      let after = mark
      let isKnown = true
      while (after !== null) {
        const { entries, arrival, reach } = await api.fleet.arrivals({ ...filter, after })
        after = arrival
        came.push(...entries)
        if (reach === 'all') break
        isKnown = reach === 'part' && came.length <= MOST_ARRIVED
        if (!isKnown) break
      }
      mark = after
      return isKnown ? came : null
    },
  }
}
