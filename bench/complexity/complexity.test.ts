import { expect, test } from 'vitest'
import { confusion } from './complexity.ts'

test('classifies at least four of five tasks as people do', () => {
  const { right, all } = confusion()
  expect(all).toBe(100)
  expect(right).toBeGreaterThanOrEqual(80)
})
