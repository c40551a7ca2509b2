import { expect, test } from 'vitest'
import type { TimelinePageView } from '../../../../api/schemas/timeline.ts'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { firstPage, withNewer, withPage } from './loaded-entries.ts'

function page(
  offset: number,
  ids: readonly string[],
  some: Partial<TimelinePageView> = {},
): TimelinePageView {
  const entries = ids.map((id) => ({ id }) as TimelineEntry)
  return { entries, offset, total: 100, complete: true, head: 50, foundAt: null, nextCursor: null, ...some }
}

test('puts pages at their positions, anywhere in the list', () => {
  const loaded = withPage(firstPage(page(0, ['a', 'b'])), page(40, ['x', 'y']))
  expect([...loaded.entries].map(([place, { id }]) => [place, id])).toEqual([
    [0, 'a'],
    [1, 'b'],
    [40, 'x'],
    [41, 'y'],
  ])
})

test('adds new entries on top, and moves everything else down with them', () => {
  const loaded = withNewer(firstPage(page(0, ['a'])), page(0, ['new'], { total: 3, head: 53 }))
  expect(loaded).toMatchObject({ total: 103, head: 53 })
  expect(loaded.entries.get(0)?.id).toBe('new')
  expect(loaded.entries.get(3)?.id).toBe('a')
  expect(loaded.entries.has(1)).toBe(false)
})

test('ignores a page of another head, which came too late', () => {
  const loaded = firstPage(page(0, ['a']))
  expect(withPage(loaded, page(0, ['b'], { head: 51 }))).toBe(loaded)
})

test('grows the list while the ledger is being counted', () => {
  const loaded = withPage(firstPage(page(0, ['a'], { total: 10, complete: false })), page(0, ['a']))
  expect(loaded).toMatchObject({ total: 100, complete: true })
})

test('drops the entries farthest from the last page if there are very many', () => {
  let loaded = firstPage(page(0, ['a']))
  for (let offset = 0; offset < 4000; offset += 100)
    loaded = withPage(
      loaded,
      page(
        offset,
        Array.from({ length: 100 }, (_, index) => `${offset + index}`),
      ),
    )
  expect(loaded.entries.size).toBeLessThanOrEqual(3000)
  expect(loaded.entries.get(3999)?.id).toBe('3999')
  expect(loaded.entries.has(0)).toBe(false)
})
