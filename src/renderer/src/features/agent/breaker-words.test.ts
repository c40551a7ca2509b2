import { expect, test } from 'vitest'
import type { Breaker } from '../../../../core/read-model/agent.ts'
import { countsInWords, nextStepInWords } from './breaker-words.ts'

function breaker(some: Partial<Breaker>): Breaker {
  return {
    state: 'closed',
    since: null,
    reason: '',
    noFiles: 1,
    falseCompletions: 0,
    windowIterations: 5,
    thresholds: { noFiles: 3, falseCompletions: 2, aggressiveMode: false },
    next: { state: 'open', noFiles: 2, falseCompletions: 2 },
    ...some,
  }
}

test.each([
  [
    {},
    'It warns the agent after 2 more attempts that change no file within 5 heartbeats, or 2 more false claims.',
  ],
  [
    { state: 'open', next: { state: 'tripped', noFiles: 1, falseCompletions: 1 } },
    'It trips and suspends the workspace after 1 more attempt that changes no file within 5 heartbeats, or 1 more false claim.',
  ],
  [{ state: 'tripped', next: null }, 'Resuming or resetting starts the count at zero.'],
  [{ thresholds: null, next: null }, 'It is off: interventions are off, or no configuration is in effect.'],
] as const)('describes the next step of %o: %s', (some, words) => {
  expect(nextStepInWords(breaker(some))).toBe(words)
})

test('shows counts with their thresholds, and omits them if there are none', () => {
  expect(countsInWords(breaker({}))).toEqual([
    '1 attempt that changed no file in the last 5 heartbeats (limit 3)',
    '0 false claims since the count started (limit 2)',
  ])
  expect(countsInWords(breaker({ falseCompletions: 3 })), 'more than the limit').toContain(
    '3 false claims since the count started (limit 2)',
  )
  expect(countsInWords(breaker({ thresholds: null }))).toEqual([])
})
