import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Candidate, compareContents } from './compare.ts'

const SAME = 'file:e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
const moved = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, index) => [
    { path: `old/${index}`, start: SAME, end: null },
    { path: `new/${index}`, start: null, end: SAME },
  ]).flat()

it('pairs forty thousand equal files by name, in time linear in their number', async () => {
  const timeOf = async (count: number): Promise<number> => {
    const candidates = moved(count)
    // Processor time: the machine may be busy.
    const start = process.cpuUsage()
    const { renamed, added, deleted } = await compareContents(candidates)
    expect([renamed.length, added, deleted]).toEqual([count, [], []])
    expect(renamed.every(({ from, to }) => from.slice(4) === to.slice(4))).toBe(true)
    return process.cpuUsage(start).user / 1000
  }
  await timeOf(1000)
  // When quadratic, it took 12 s.
  expect(await timeOf(40_000)).toBeLessThan(3000)
})

it('yields to the event loop while it compares 200,000 files', async () => {
  const candidates = moved(100_000)
  let isOver = false
  const turns = takeTurns(() => isOver)
  const { renamed } = await compareContents(candidates)
  isOver = true
  expect(renamed).toHaveLength(100_000)
  const { count, longestMs } = await turns
  // Only sorting the names does not yield. A second of processor time, because processors are shared.
  expect(longestMs).toBeLessThan(1000)
  expect(count).toBeGreaterThan(10)
})

/** Returns what others on the event loop get in the meantime: how often they run, and the most work between two runs. */
async function takeTurns(isOver: () => boolean): Promise<{ count: number; longestMs: number }> {
  let count = 0
  let longestMs = 0
  for (let before = process.cpuUsage(); !isOver(); before = process.cpuUsage()) {
    await setImmediate()
    count += 1
    longestMs = Math.max(longestMs, process.cpuUsage(before).user / 1000)
  }
  return { count, longestMs }
}

it('also pairs files that disappeared under their old names, each path only once', async () => {
  const candidates: Candidate[] = [
    { path: 'a', start: SAME, end: null },
    { path: 'b', start: SAME, end: null },
    { path: 'c', start: SAME, end: null },
    { path: 'x/b', start: null, end: SAME },
    { path: 'y', start: null, end: SAME },
  ]
  expect(await compareContents(candidates)).toMatchObject({
    renamed: [
      { from: 'b', to: 'x/b' },
      { from: 'a', to: 'y' },
    ],
    deleted: ['c'],
  })
})
