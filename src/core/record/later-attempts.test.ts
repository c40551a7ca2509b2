import { expect, test } from 'vitest'
import { laterAttempts } from './later-attempts.ts'

const attempts = ['c', 'b', 'a'].map((attemptId) => ({ attemptId }))

test.each([
  ['of the newest', ['c'], []],
  ['of an older one', ['a'], ['c', 'b']],
  ['of several', ['a', 'b'], ['c']],
  ['of one that is no longer kept', ['0'], ['c', 'b', 'a']],
])('finds later attempts: %s', (_case, ids, expected) => {
  expect(laterAttempts(attempts, ids).map(({ attemptId }) => attemptId)).toEqual(expected)
})
