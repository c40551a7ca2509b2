import { ORPCError } from '@orpc/client'
import type { ApiClient } from '../../src/api/client.ts'
import type { LiveEvent } from '../../src/api/schemas/live-event.ts'
import { cursorOf, newestFirst, placeOf } from '../../src/core/fleet/cursor.ts'
import type { FleetEntry } from '../../src/core/fleet/view.ts'
import { isLetThrough } from '../../src/core/record/timeline-filter.ts'
import { iso } from './past.ts'

/** An entry that arrives, sent by a test as the window's event `fleet-came`. */
export interface FleetCame {
  readonly title: string
  readonly atMs: number
  /** The center has restarted, so what arrived since is unknown. */
  readonly isLost?: boolean
}

const CAME = 'fleet-came'
let changes = 0
let tell: () => void = () => {}

/** Yields an event each time a test lets an entry arrive. */
export async function* fleetChanges(): AsyncGenerator<LiveEvent> {
  for (let seen = 0; ; ) {
    if (seen === changes)
      await new Promise<void>((resolve) => {
        tell = resolve
      })
    seen = changes
    yield { type: 'fleet-changed' }
  }
}

type Calls = Pick<ApiClient['fleet'], 'timeline' | 'arrivals' | 'entry'>

/** Returns an in-memory timeline of a fleet; `entries` are in order of arrival. */
export function fleetFeed(entries: readonly FleetEntry[]): Calls {
  const came = [...entries]
  let knownFrom = 0
  addEventListener(CAME, (event) => {
    const { title, atMs, isLost = false } = (event as CustomEvent<FleetCame>).detail
    const [like] = entries
    if (like === undefined) throw new Error('A fleet needs entries.')
    const row = 1_000_000 + came.length
    const entry = { ...like.entry, id: `came-${row}`, seq: row, at: iso(atMs), title, taskId: null }
    came.push({ ...like, entry, cursor: cursorOf({ atMs, row }) })
    if (isLost) knownFrom = came.length
    changes += 1
    tell()
  })
  const meant = (list: readonly FleetEntry[], { host, kinds }: Parameters<Calls['timeline']>[0]) =>
    list
      .filter((each) => host === undefined || each.host === host)
      .filter(({ entry }) => isLetThrough(entry, { ...(Array.isArray(kinds) && { kinds }) }))
  return {
    timeline: async ({ cursor, limit, ...filter }) => {
      const inOrder = meant(came, filter).toSorted((a, b) =>
        newestFirst(placeOf(a.cursor), placeOf(b.cursor)),
      )
      const from = cursor === undefined ? null : placeOf(cursor)
      return inOrder
        .filter((each) => from === null || newestFirst(from, placeOf(each.cursor)) < 0)
        .slice(0, Number(limit))
    },
    arrivals: async ({ after, ...filter }) => {
      const arrival = came.length
      if (after === undefined) return { entries: [], arrival, reach: 'all' }
      if (Number(after) < knownFrom) return { entries: [], arrival, reach: 'lost' }
      return { entries: meant(came.slice(Number(after)), filter), arrival, reach: 'all' }
    },
    entry: async ({ host, workspace, id }) => {
      const found = came.find(
        (each) => each.host === host && each.workspace === workspace && each.entry.id === id,
      )
      if (found === undefined) throw new ORPCError('NOT_FOUND', { message: `No entry ${id}.` })
      return found
    },
  }
}
