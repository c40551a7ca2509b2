import { expect, test } from 'vitest'
import type { FleetEntry } from '../../../../core/fleet/view.ts'
import { NOTHING_SAID } from '../../../../core/record/timeline-entry.ts'
import { belongingTo, NO_ENTRIES, withArrived, withOlder } from './fleet-entries.ts'

const entry = (host: string, id: string, minute: number): FleetEntry => ({
  host,
  workspace: 'job',
  name: 'job',
  cursor: `${minute}-${id}`,
  entry: {
    ...NOTHING_SAID,
    id,
    seq: Number(id),
    at: `2026-03-01T10:${String(minute).padStart(2, '0')}:00Z`,
    day: '2026-03-01',
    kind: 'notice',
    type: 'note',
    title: `${host} ${id}`,
  },
})
const titles = ({ entries }: typeof NO_ENTRIES) => [...entries.values()].map(({ title }) => title)

test('keeps entries of two hosts with the same number apart', () => {
  const page = [entry('one', '1', 5), entry('two', '1', 4)]
  const loaded = withOlder(NO_ENTRIES, page, true)
  expect(titles(loaded)).toEqual(['one 1', 'two 1'])
  expect(loaded).toMatchObject({ total: 2, complete: true, added: 0 })
  expect(new Set([...loaded.entries.values()].map(({ id }) => id)).size).toBe(2)
})

test('sorts in new entries, each once, and omits those older than everything loaded', () => {
  const loaded = withOlder(NO_ENTRIES, [entry('one', '3', 9), entry('one', '2', 5)], false)
  const page = [entry('one', '4', 10), entry('one', '3', 9), entry('two', '8', 7), entry('two', '7', 1)]
  const titlesOf = (list: readonly FleetEntry[]) => list.map(({ entry: { title } }) => title)
  expect(titlesOf(belongingTo(loaded, page))).toEqual(['one 4', 'two 8'])
  const shown = withArrived(withArrived(loaded, page), page)
  expect(titles(shown)).toEqual(['one 4', 'one 3', 'two 8', 'one 2'])
  expect(shown).toMatchObject({ total: 4, added: 2, complete: false })
  // Everything is loaded: entries older than the oldest belong at the end.
  const all = withOlder(loaded, [], true)
  expect(titles(withArrived(all, page))).toEqual(['one 4', 'one 3', 'two 8', 'one 2', 'two 7'])
  // The list begins with the entry in the address, so newer entries are not adjacent to it.
  expect(titlesOf(belongingTo(loaded, page, loaded.list[0]))).toEqual(['two 8'])
})
