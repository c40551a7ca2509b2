import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Candidate, compareContents } from './compare.ts'

const SAME = 'file:e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
const moved = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, index) => [
    { path: `old/${index}`, start: SAME, end: null },
    { path: `new/${index}`, start: null, end: SAME },
  ]).flat()

it('pairs each of forty thousand equal files with the one of its name, in time that grows with their number', async () => {
  const timeOf = async (count: number): Promise<number> => {
    const candidates = moved(count)
    // Time of the processor: the machine may be busy with something else.
    const start = process.cpuUsage()
    const { renamed, added, deleted } = await compareContents(candidates)
    expect([renamed.length, added, deleted]).toEqual([count, [], []])
    expect(renamed.every(({ from, to }) => from.slice(4) === to.slice(4))).toBe(true)
    return process.cpuUsage(start).user / 1000
  }
  await timeOf(1000)
  // Quadratic, it took 12 s.
  expect(await timeOf(40_000)).toBeLessThan(3000)
})

it('leaves the loop to others while it compares 200,000', async () => {
  const candidates = moved(100_000)
  let isOver = false
  const turns = takeTurns(() => isOver)
  const { renamed } = await compareContents(candidates)
  isOver = true
  expect(renamed).toHaveLength(100_000)
  const { count, longestMs } = await turns
  // What is left in one piece is putting the names in order. Of processor time, for processors are shared: a second.
  expect(longestMs).toBeLessThan(1000)
  expect(count).toBeGreaterThan(10)
})

/** What others do on the loop meanwhile: how often they get a turn, and the most work that came between two. */
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

it('pairs what lost its name as well, each place once', async () => {
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
