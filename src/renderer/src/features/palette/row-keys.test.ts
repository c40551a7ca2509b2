import { expect, test } from 'vitest'
import { nextRow } from './row-keys.ts'

test.each([
  [3, null, 1, 0],
  [3, null, -1, 2],
  [3, 0, 1, 1],
  [3, 2, 1, null],
  [3, 0, -1, null],
  [0, null, 1, null],
] as const)('of %d rows, moves from %s by %d to %s', (count, current, direction, next) => {
  expect(nextRow(count, current, direction)).toBe(next)
})
