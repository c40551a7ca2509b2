import { expect, it } from 'vitest'
import { watchEventLoop } from './event-loop-delay.ts'

/** Half as long as the loop is kept busy: on a shared machine even an idle loop is late, but not by that much. */
const HALF_S = 0.5

const silent = { info: () => {}, warn: () => {}, error: () => {} }

it('reports a loop that was kept busy, and not one that was idle', async () => {
  const loop = watchEventLoop(silent)
  expect(loop.read()).toEqual({ quantiles: { '0.5': 0, '0.99': 0, '0.999': 0 }, worst: 0, sum: 0, count: 0 })
  await expect.poll(() => loop.read().count).toBeGreaterThan(10)
  expect(loop.read().quantiles['0.5']).toBeLessThan(HALF_S)
  const until = performance.now() + 2 * HALF_S * 1000
  while (performance.now() < until);
  await expect.poll(() => loop.read().worst).toBeGreaterThan(1.8 * HALF_S)
  expect(loop.read().quantiles['0.5']).toBeLessThan(HALF_S)
  loop.stop()
})
