import { expect, test } from 'vitest'
import type { KnownAgent } from '../../../../core/read-model/agent.ts'
import { profileWords } from './profile-words.ts'

function agent(
  profile: Partial<KnownAgent['profile']>,
  state: KnownAgent['breaker']['state'] = 'closed',
): KnownAgent {
  const none = { total_iterations: 0, false_completion_count: 0, ...profile }
  return { profile: none, breaker: { state } } as KnownAgent
}

test('does not show zero iterations for an agent that has not run', () => {
  expect(profileWords(agent({}))).toEqual({
    iterations: 'has not run yet',
    falseCompletions: 'no false claim',
    breaker: 'OK',
  })
})

test('writes counts in words', () => {
  const words = profileWords(agent({ total_iterations: 42, false_completion_count: 1 }))
  expect([words.iterations, words.falseCompletions]).toEqual(['42 heartbeats', '1 false claim'])
})

test.each([
  ['open', /^warning:/u],
  ['tripped', /^tripped,/u],
] as const)('describes a breaker that is %s', (state, words) => {
  expect(profileWords(agent({}, state)).breaker).toMatch(words)
})
