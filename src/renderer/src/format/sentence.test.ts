import { expect, test } from 'vitest'
import { sentence } from './sentence.ts'

test.each([
  ['claimed email_count = 3, measured 0', 'Claimed email_count = 3, measured 0'],
  ['not scored: the environment stopped the agent', 'Not scored: the environment stopped the agent'],
  ['skipped: the task is optional', 'Skipped: the task is optional'],
  ['tests.passed == tests.total is false', 'tests.passed == tests.total is false'],
  ['report.md was not written', 'report.md was not written'],
  ['email_count cannot be read', 'email_count cannot be read'],
  ['Already one', 'Already one'],
  ['', ''],
])('turns %s into %s', (words, shown) => {
  expect(sentence(words)).toBe(shown)
})
