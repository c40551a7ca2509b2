import { expect, it } from 'vitest'
import { repeatsComparison, rowsOf } from './session-words.ts'

it('shows a session that needs a decision before running ones, however old it is', () => {
  const running = { running: true, needsDecision: false }
  const old = { running: false, needsDecision: true }
  const ended = { running: false, needsDecision: false }
  expect(rowsOf([...Array(20).fill(running), ended, old])).toEqual([old, ...Array(4).fill(running)])
})

it.each([
  ['claimed "all tests pass", measured: a check fails.', true],
  ['tests: claimed "all tests pass", measured: a check fails', true],
  ['claimed "all tests pass", measured: 1 of 2 tests fail.', false],
  ['`sh check.sh` ended with exit code 1', false],
])('leaves out of the reasons what a comparison shows: %s', (reason, isLeftOut) => {
  const shown = [{ claimed: 'all tests pass', measured: 'a check fails' }]
  expect(repeatsComparison(reason, shown)).toBe(isLeftOut)
})
