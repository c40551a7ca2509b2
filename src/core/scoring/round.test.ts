import { expect, test } from 'vitest'
import { roundHalfEven } from './round.ts'

test.each([
  [82.5, 82],
  [83.5, 84],
  [83.75, 84],
  [80.83, 81],
  [0.5, 0],
  [-0.5, 0],
  [-1.5, -2],
  [-0.3, 0],
  [91, 91],
])('rounds %d half to even to %d', (value, rounded) => {
  expect(roundHalfEven(value)).toBe(rounded)
})
