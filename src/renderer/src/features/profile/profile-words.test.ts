import { expect, test } from 'vitest'
import type { AgentProfile } from '../../../../api/schemas/agent.ts'
import { profileWords } from './profile-words.ts'

function profile(some: Partial<AgentProfile>): AgentProfile {
  return {
    agent_id: 'claude',
    total_iterations: 0,
    no_files_count: 0,
    false_completion_count: 0,
    avg_files_per_iteration: 0,
    avg_evidence_count: 0,
    last_reinforcement: null,
    intervention_threshold_exceeded: false,
    ...some,
  }
}

test('an agent that has not run is not said to have zero iterations', () => {
  expect(profileWords(profile({}), false)).toEqual({
    iterations: 'has not run yet',
    falseCompletions: 'no false completion',
    breaker: { state: 'closed', words: 'closed' },
  })
})

test('counts are said in words', () => {
  const words = profileWords(profile({ total_iterations: 42, false_completion_count: 1 }), false)
  expect([words.iterations, words.falseCompletions]).toEqual(['42 iterations', '1 false completion'])
})

test.each([
  [false, false, 'closed'],
  [true, false, 'open'],
  [true, true, 'tripped'],
  [false, true, 'tripped'],
] as const)(
  'with thresholds exceeded %s and suspended %s the breaker is %s',
  (exceeded, suspended, state) => {
    const words = profileWords(profile({ intervention_threshold_exceeded: exceeded }), suspended)
    expect(words.breaker.state).toBe(state)
  },
)
