import { expect, test } from 'vitest'
import { withCurrentNames } from './former-names.ts'

test.each([
  [
    { type: 'attempt-finished', result: { taskId: 'a', mend: 'Log in.' } },
    { type: 'attempt-finished', result: { taskId: 'a', remedy: 'Log in.' } },
  ],
  [
    { type: 'backed-off', mend: 'Log in.' },
    { type: 'backed-off', remedy: 'Log in.' },
  ],
  [
    { type: 'cycle-started', contradictedTicks: ['a'] },
    { type: 'cycle-started', contradictedTasks: ['a'] },
  ],
])('reads %j of an earlier version under the names of this one', (former, current) => {
  expect(withCurrentNames(former)).toEqual(current)
  expect(withCurrentNames(current)).toEqual(current)
})

test.each([null, 3, 'text', [], { type: 'attempt-finished', result: null }, { type: 'paused', mend: 'x' }])(
  'leaves %j as it is',
  (json) => {
    expect(withCurrentNames(json)).toEqual(json)
  },
)
