import { describe, expect, test } from 'vitest'
import type { InterventionType } from '../vocabulary/intervention.ts'
import {
  type BreakerStep,
  type BreakerThresholds,
  breakerOutlook,
  breakerStep,
  withBreaker,
  withClosedBreaker,
} from './breaker.ts'
import { newProfile } from './profile.ts'
import { profileAfterRun, RUN_AT } from './testing/profile-after-run.ts'

const THRESHOLDS: BreakerThresholds = {
  noFiles: 3,
  windowIterations: 5,
  falseCompletions: 2,
  aggressiveMode: false,
}

/** Runs the breaker after each of these runs, as the supervisor does; returns its states. */
function states(
  runs: readonly (readonly [iteration: number, ...InterventionType[]])[],
  thresholds = THRESHOLDS,
): string[] {
  let profile = newProfile('claude')
  return runs.map(([iteration, ...events]) => {
    profile = profileAfterRun(profile, iteration, events)
    const step: BreakerStep = breakerStep(profile, thresholds)
    if (step.state !== profile.breaker.state) profile = withBreaker(profile, step, RUN_AT)
    return profile.breaker.state
  })
}

describe('the circuit breaker', () => {
  test.each<[string, Parameters<typeof states>[0], string[]]>([
    [
      'opens at the third no-files event within five iterations, and trips at the next',
      [
        [1, 'no_files_detected'],
        [3, 'no_files_detected'],
        [5, 'no_files_detected'],
        [6, 'no_files_detected'],
      ],
      ['closed', 'closed', 'open', 'tripped'],
    ],
    [
      'stays closed if the third comes in the sixth iteration',
      [
        [1, 'no_files_detected'],
        [3, 'no_files_detected'],
        [6, 'no_files_detected'],
      ],
      ['closed', 'closed', 'closed'],
    ],
    [
      'counts several events in one iteration',
      [
        [1, 'no_files_detected'],
        [1, 'no_files_detected'],
        [1, 'no_files_detected'],
      ],
      ['closed', 'closed', 'open'],
    ],
    [
      'opens at the second false_completion event regardless of when the first was, and trips at the third',
      [
        [1, 'false_completion_detected'],
        [90, 'false_completion_detected'],
        [91, 'false_completion_detected'],
      ],
      ['closed', 'open', 'tripped'],
    ],
    [
      'stays open through good work with no further events',
      [[1, 'false_completion_detected'], [2, 'false_completion_detected'], [3], [4], [5]],
      ['closed', 'open', 'open', 'open', 'open'],
    ],
    [
      'does not trip on a further event that does not meet its threshold again',
      [
        [1, 'no_files_detected'],
        [2, 'no_files_detected'],
        [3, 'no_files_detected'],
        [20, 'no_files_detected'],
        [21, 'false_completion_detected'],
      ],
      ['closed', 'closed', 'open', 'open', 'open'],
    ],
    [
      'stays tripped',
      [
        [1, 'false_completion_detected'],
        [2, 'false_completion_detected'],
        [3, 'false_completion_detected'],
        [4],
        [5, 'false_completion_detected'],
      ],
      ['closed', 'open', 'tripped', 'tripped', 'tripped'],
    ],
    [
      'ignores other events',
      [
        [1, 'evidence_validation_failed', 'agent_reinforced'],
        [2, 'contract_weakened'],
        [3, 'stalled'],
      ],
      ['closed', 'closed', 'closed'],
    ],
  ])('%s', (_name, runs, expected) => {
    expect(states(runs)).toEqual(expected)
  })

  test('trips on the first threshold met in aggressive mode', () => {
    const runs = [
      [1, 'false_completion_detected'],
      [2, 'false_completion_detected'],
    ] as const
    expect(states(runs, { ...THRESHOLDS, aggressiveMode: true })).toEqual(['closed', 'tripped'])
  })

  test('uses the thresholds of the configuration', () => {
    expect(states([[1, 'no_files_detected']], { ...THRESHOLDS, noFiles: 1 })).toEqual(['open'])
  })

  test('says why', () => {
    let profile = profileAfterRun(newProfile('claude'), 1, ['false_completion_detected', 'no_files_detected'])
    profile = profileAfterRun(profile, 2, ['false_completion_detected', 'no_files_detected'])
    profile = profileAfterRun(profile, 3, ['no_files_detected', 'false_completion_detected'])
    expect(breakerStep(profile, THRESHOLDS)).toEqual({
      state: 'open',
      reason: '3 attempts that changed no file within the last 5 heartbeats and 3 false claims',
    })
  })

  test('counts from zero after the operator resets it, and keeps the lifetime numbers', () => {
    let profile = profileAfterRun(newProfile('claude'), 1, ['false_completion_detected'])
    profile = profileAfterRun(profile, 2, ['false_completion_detected'])
    profile = withClosedBreaker(withBreaker(profile, breakerStep(profile, THRESHOLDS), RUN_AT))
    expect(profile.breaker).toMatchObject({ state: 'closed', since: null, reason: '' })
    expect(profile.falseCompletionCount).toBe(2)
    profile = profileAfterRun(profile, 3, ['false_completion_detected'])
    expect(breakerStep(profile, THRESHOLDS).state).toBe('closed')
    profile = profileAfterRun(profile, 4, ['false_completion_detected'])
    expect(breakerStep(profile, THRESHOLDS).state).toBe('open')
  })
})

test('counts only as many iterations as the operator has set', () => {
  const runs = [1, 2, 4].map((iteration) => [iteration, 'no_files_detected'] as const)
  expect(states(runs, { ...THRESHOLDS, windowIterations: 3 })).toEqual(['closed', 'closed', 'closed'])
  expect(states(runs, { ...THRESHOLDS, windowIterations: 4 })).toEqual(['closed', 'closed', 'open'])
})

describe('the outlook of a breaker', () => {
  const thresholds = THRESHOLDS

  test('counts down to the next step, but never below one event', () => {
    let profile = newProfile('claude')
    expect(breakerOutlook(profile, thresholds)).toEqual({
      noFiles: 0,
      falseCompletions: 0,
      missing: { noFiles: 3, falseCompletions: 2 },
      next: 'open',
    })
    profile = profileAfterRun(profile, 1, [
      'no_files_detected',
      'no_files_detected',
      'false_completion_detected',
    ])
    expect(breakerOutlook(profile, thresholds)).toMatchObject({
      missing: { noFiles: 1, falseCompletions: 1 },
    })
    profile = profileAfterRun(profile, 2, ['no_files_detected', 'no_files_detected'])
    expect(breakerOutlook(profile, thresholds)).toMatchObject({ noFiles: 4, missing: { noFiles: 1 } })
  })

  test('matches what the breaker then does', () => {
    let profile = profileAfterRun(newProfile('claude'), 1, ['no_files_detected', 'no_files_detected'])
    const { missing, next } = breakerOutlook(profile, thresholds)
    for (let event = 0; event < missing.noFiles; event++)
      profile = profileAfterRun(profile, 2, ['no_files_detected'])
    const step = breakerStep(profile, thresholds)
    expect(step.state).toBe(next)
    const open = withBreaker(profile, step, RUN_AT)
    expect(breakerOutlook(open, thresholds)).toMatchObject({ missing: { noFiles: 1 }, next: 'tripped' })
    expect(breakerStep(profileAfterRun(open, 3, ['no_files_detected']), thresholds).state).toBe('tripped')
  })

  test('predicts a trip in aggressive mode, and nothing once it has tripped', () => {
    const aggressive = { ...thresholds, aggressiveMode: true }
    const tripped = withBreaker(newProfile('claude'), { state: 'tripped', reason: 'r' }, RUN_AT)
    expect(breakerOutlook(newProfile('claude'), aggressive).next).toBe('tripped')
    expect(breakerOutlook(tripped, aggressive).next).toBeNull()
  })
})
