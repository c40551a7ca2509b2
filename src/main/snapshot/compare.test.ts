import { monitorEventLoopDelay } from 'node:perf_hooks'
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
  const delay = monitorEventLoopDelay({ resolution: 10 })
  const candidates = moved(100_000)
  delay.enable()
  const { renamed } = await compareContents(candidates)
  await setImmediate()
  delay.disable()
  expect(renamed).toHaveLength(100_000)
  // What is left in one piece is putting the names in order. Processors are shared: the bound is a second.
  expect(delay.max / 1e6).toBeLessThan(1000)
  expect(delay.count).toBeGreaterThan(10)
})

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
