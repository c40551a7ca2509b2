import { expect, test } from 'vitest'
import { laterAttempts } from './later-attempts.ts'

const attempts = ['c', 'b', 'a'].map((attemptId) => ({ attemptId }))

test.each([
  ['than the newest', ['c'], []],
  ['than an older one', ['a'], ['c', 'b']],
  ['than several', ['a', 'b'], ['c']],
  ['than one no longer kept', ['0'], ['c', 'b', 'a']],
])('finds later attempts: %s', (_case, ids, expected) => {
  expect(laterAttempts(attempts, ids).map(({ attemptId }) => attemptId)).toEqual(expected)
})
