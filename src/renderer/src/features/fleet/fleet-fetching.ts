import type { ApiClient } from '../../../../api/client.ts'
import type { TimelineFilterInput } from '../../../../api/schemas/timeline.ts'
import type { FleetEntry, FleetEntryPlace, FleetFilter } from '../../../../core/fleet/view.ts'
import { toProblem } from '../../api-client/problem.ts'

/** Entries fetched at once. */
export const PAGE = 100
/** Where more has come since, the list begins anew rather than being mended. */
const MOST_ARRIVED = 1_000

/** What is fetched of the timeline of the fleet. */
export interface FleetFetching {
  /** Behind a cursor; without one, the newest. */
  page(cursor: string | undefined): Promise<readonly FleetEntry[]>
  /** `null`: it is not there. */
  wanted(place: FleetEntryPlace): Promise<FleetEntry | null>
  /** What came since the list began or this was asked last, however old it is; `null`: too much, or nobody knows what. */
  arrived(): Promise<readonly FleetEntry[] | null>
}

export function fleetFetching(api: ApiClient, filter: FleetFilter & TimelineFilterInput): FleetFetching {
  /** The number of the arrival up to which all is known. */
  let mark: number | null = null
  return {
    page: async (cursor) => {
      // Before the page: what comes between the two is in both, and shown once.
      if (mark === null || cursor === undefined) mark = (await api.fleet.arrivals({})).arrival
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
      while (mark !== null) {
        const { entries, arrival, reach } = await api.fleet.arrivals({ ...filter, after: mark })
        mark = arrival
        came.push(...entries)
        if (reach === 'all') break
        if (reach === 'lost' || came.length > MOST_ARRIVED) return null
      }
      return came
    },
  }
}
