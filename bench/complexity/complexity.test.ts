import { expect, test } from 'vitest'
import { confusion } from './complexity.ts'

test('at least four of five tasks are taken for what people take them for', () => {
  const { right, all } = confusion()
  expect(all).toBe(100)
  expect(right).toBeGreaterThanOrEqual(80)
})
