import { expect, test } from 'vitest'
import { standingTitle } from './standing-title.ts'

test.each([
  ['none', 'approved', 'Steady'],
  ['none', 'changed', 'Steady'],
  ['none', 'unapproved', 'Waits for your approval'],
  ['none', 'missing', 'Not set up yet'],
  ['suspended', 'unapproved', 'Suspended for review'],
] as const)('returns the title for shield %s and trust %s: %s', (shield, trust, words) => {
  expect(standingTitle({ shield, trust })).toBe(words)
})
