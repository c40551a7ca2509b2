import { expect, test } from 'vitest'
import { AUTUMN_MS, live, SPRING_MS } from './month.ts'

test.each([
  ['the beginning', SPRING_MS],
  ['the end', AUTUMN_MS],
])(
  '30 days over %s of summer time, with days asleep: each score is what a second calculation says',
  async (_which, startMs) => {
    const { scores, heap, events } = await live({ workspaces: 3, days: 30, heartbeats: 8, startMs, seed: 7 })
    for (const { kept, calculated } of scores) expect(kept).toEqual(calculated)
    expect(events).toBe(3 * 26 * 8)
    // Room for what a collection leaves; a list that grows with the days would be far above it at this size too.
    expect(heap[1] - heap[0]).toBeLessThan(20e6)
  },
  60_000,
)
