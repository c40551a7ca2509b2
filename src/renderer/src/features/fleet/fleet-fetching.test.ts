import { expect, test } from 'vitest'
import type { ApiClient } from '../../../../api/client.ts'
import type { FleetArrivals, FleetEntry } from '../../../../core/fleet/view.ts'
import { NOTHING_SAID } from '../../../../core/record/timeline-entry.ts'
import { fleetFetching } from './fleet-fetching.ts'

const entry = (number: number): FleetEntry => ({
  host: 'one',
  workspace: 'job',
  name: 'job',
  cursor: `${number}-${number}`,
  entry: {
    ...NOTHING_SAID,
    id: String(number),
    seq: number,
    at: '2026-03-01T10:00:00Z',
    day: '2026-03-01',
    kind: 'notice',
    type: 'note',
    title: `note ${number}`,
  },
})
const entries = (from: number, to: number): FleetEntry[] =>
  Array.from({ length: to - from }, (_, index) => entry(from + index + 1))

const AT_ONCE = 500

/** A center with the entries that arrived, in order; `fails` counts down the requests until one fails. */
function centre() {
  const state = { came: entries(0, 10), isLost: false, fails: Number.POSITIVE_INFINITY }
  const arrivals = async ({ after }: { after?: unknown }): Promise<FleetArrivals> => {
    state.fails -= 1
    if (state.fails === 0) throw new Error('The connection is lost.')
    const last = state.came.length
    if (after === undefined) return { entries: [], arrival: last, reach: 'all' }
    if (state.isLost) return { entries: [], arrival: last, reach: 'lost' }
    const found = state.came.slice(Number(after), Number(after) + AT_ONCE)
    const reach = found.length < AT_ONCE ? 'all' : 'part'
    return { entries: found, arrival: Number(after) + found.length, reach }
  }
  const timeline = async () => state.came.toReversed().slice(0, 100)
  const fleet = { arrivals, timeline, entry: async () => entry(1) } satisfies Partial<ApiClient['fleet']>
  return { state, fetching: fleetFetching({ fleet }, {}) }
}

const idsOf = (came: readonly FleetEntry[] | null) => came?.map(({ entry: { id } }) => Number(id))

test('returns what arrived since the first page once, however many requests that takes', async () => {
  const { state, fetching } = centre()
  expect(await fetching.page(undefined)).toHaveLength(10)
  expect(await fetching.arrived()).toEqual([])
  state.came = entries(0, 610)
  expect(idsOf(await fetching.arrived())).toEqual(idsOf(entries(10, 610)))
  expect(await fetching.arrived()).toEqual([])
})

test('loses nothing that arrived if a request fails in between', async () => {
  const { state, fetching } = centre()
  await fetching.page(undefined)
  state.came = entries(0, 610)
  state.fails = 2
  await expect(fetching.arrived()).rejects.toThrow('lost')
  state.came = entries(0, 611)
  expect(idsOf(await fetching.arrived())).toEqual(idsOf(entries(10, 611)))
})

test('skips nothing that arrived when a page of older entries, or the first page, is fetched again', async () => {
  const { state, fetching } = centre()
  await fetching.page(undefined)
  state.came = entries(0, 12)
  await fetching.page('1-1')
  await fetching.page(undefined)
  expect(idsOf(await fetching.arrived())).toEqual([11, 12])
})

test('answers null for more than a thousand arrivals or unknown ones, and returns what arrives after that', async () => {
  const { state, fetching } = centre()
  await fetching.page(undefined)
  state.came = entries(0, 2_000)
  expect(await fetching.arrived()).toBeNull()
  state.isLost = true
  expect(await fetching.arrived()).toBeNull()
  state.isLost = false
  state.came = entries(0, 2_001)
  expect(idsOf(await fetching.arrived())).toEqual([2_001])
})
