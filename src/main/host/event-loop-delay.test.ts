import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { watchEventLoop } from './event-loop-delay.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

it('a loop that was kept busy is seen to have been, and one that was not is not', async () => {
  const loop = watchEventLoop(silent)
  expect(loop.read()).toEqual({ quantiles: { '0.5': 0, '0.99': 0, '0.999': 0 }, worst: 0, sum: 0, count: 0 })
  await sleep(500)
  const idle = loop.read()
  expect(idle.count).toBeGreaterThan(3)
  expect(idle.quantiles['0.5']).toBeLessThan(0.05)
  const until = performance.now() + 800
  while (performance.now() < until);
  await sleep(100)
  const busy = loop.read()
  loop.stop()
  expect(busy.worst).toBeGreaterThan(0.7)
  expect(busy.quantiles['0.5']).toBeLessThan(0.05)
})
