import { expect, test } from 'vitest'
import { AUTUMN_MS, live, SPRING_MS } from './month.ts'

test.each([
  ['the beginning', SPRING_MS],
  ['the end', AUTUMN_MS],
])(
  '30 days across %s of daylight-saving time, with days asleep: a second calculation gives the same scores',
  async (_which, startMs) => {
    const { scores, heap, events } = await live({ workspaces: 3, days: 30, heartbeats: 8, startMs, seed: 7 })
    for (const { kept, calculated } of scores) expect(kept).toEqual(calculated)
    expect(events).toBe(3 * 26 * 8)
    // Leaves room for what a collection leaves; a list that grows with the days would be far above it even at this size.
    expect(heap[1] - heap[0]).toBeLessThan(20e6)
  },
  60_000,
)
