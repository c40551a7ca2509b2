import { describe, expect, test } from 'vitest'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import { initialScore } from './ratchet.ts'
import { resolvePenalty, resolveReward, resolveStanding, standingSteps } from './standing.ts'
import type { ScoreState } from './types.ts'

function scoreOf(score: number, target: number, { streak = 0, judged = 1 } = {}): ScoreState {
  const start = initialScore('2025-03-10', DEFAULT_SCORING)
  return {
    ...start,
    today: { ...start.today, score, target, judgedCount: judged },
    lifetime: { ...start.lifetime, currentStreak: streak },
  }
}

test('gives no penalty on a day with only verdicts of 0 points that blame no one', () => {
  expect(resolveStanding(scoreOf(0, 50), DEFAULT_SCORING, 15).penalty).toBe('none')
  const day = scoreOf(0, 50)
  const refuted = { ...day, today: { ...day.today, failedCount: 1, lowestScore: -15 } }
  expect(resolveStanding(refuted, DEFAULT_SCORING, 15).penalty).toBe('tightened')
})

describe('follows the penalty table, to the point', () => {
  test.each([
    [-21, 100, 'lockdown'],
    [-20, 100, 'escalated'],
    [-1, 100, 'escalated'],
    [0, 100, 'tightened'],
    [14, 100, 'tightened'],
    [15, 100, 'warning'],
    [24, 100, 'warning'],
    [25, 100, 'none'],
    // 15 % of 50 is 7.5, 25 % is 12.5, −20 % is −10.
    [-11, 50, 'lockdown'],
    [-10, 50, 'escalated'],
    [7, 50, 'tightened'],
    [8, 50, 'warning'],
    [12, 50, 'warning'],
    [13, 50, 'none'],
  ] as const)('%d of %d: %s', (score, target, penalty) => {
    expect(resolvePenalty(score, target, DEFAULT_SCORING)).toBe(penalty)
  })

  test('compares exactly a share that floating point cannot represent', () => {
    expect(resolvePenalty(7, 100, { ...DEFAULT_SCORING, tightenedShare: 0.07, warningShare: 0 })).toBe('none')
  })
})

describe('follows the reward table, to the point', () => {
  test.each([
    [49, 100, 0, 'none'],
    [50, 100, 0, 'good'],
    [69, 100, 9, 'good'],
    [70, 100, 0, 'excellent'],
    [70, 100, 2, 'excellent'],
    [70, 100, 3, 'outstanding'],
    [89, 100, 0, 'excellent'],
    [90, 100, 0, 'outstanding'],
    [150, 100, 0, 'outstanding'],
    [-5, 100, 5, 'none'],
  ] as const)('%d of %d with a streak of %d: %s', (score, target, streak, reward) => {
    expect(resolveReward(score, target, streak, DEFAULT_SCORING)).toBe(reward)
  })
})

describe('the standing', () => {
  test.each([
    // score, setting, level, interval, all required
    [-30, 15, 'lockdown', 8, true],
    [-30, 5, 'lockdown', 5, true],
    [-5, 15, 'escalated', 10, true],
    [5, 15, 'tightened', 12, false],
    [20, 15, 'warning', 15, false],
    [20, 60, 'warning', 60, false],
    [30, 15, 'none', 15, false],
    [50, 15, 'good', 17, false],
    [50, 30, 'good', 30, false],
    [75, 15, 'excellent', 20, false],
    [95, 15, 'outstanding', 20, false],
    [95, 45, 'outstanding', 45, false],
  ] as const)(
    '%d of 100, set to %d minutes: %s, every %d, all required %s',
    (score, set, level, minutes, forced) => {
      const standing = resolveStanding(scoreOf(score, 100), DEFAULT_SCORING, set)
      expect(standing).toMatchObject({ level, intervalMinutes: minutes, forceAllRequired: forced })
      expect([standing.penalty, standing.reward]).toContain(level)
      expect(standing.message === '').toBe(level === 'none')
    },
  )

  test('gives no penalty on a day on which nothing has scored yet', () => {
    expect(resolveStanding(scoreOf(0, 100, { judged: 0 }), DEFAULT_SCORING, 15)).toMatchObject({
      level: 'none',
      intervalMinutes: 15,
      forceAllRequired: false,
    })
  })

  test.each([
    ['two thumbs down', { thumbsDown: 2 }, -20, 'lockdown', 8, true],
    ['one thumb up and one down', { thumbsUp: 1, thumbsDown: 1 }, -7, 'escalated', 10, true],
    ['one thumb up', { thumbsUp: 1 }, 3, 'tightened', 12, false],
    ['five thumbs up', { thumbsUp: 5 }, 15, 'none', 15, false],
  ] as const)(
    'gives a day with %s and no verdict the penalty of its score',
    (_, thumbs, points, level, minutes, forced) => {
      const score = scoreOf(points, 50, { judged: 0 })
      const thumbed = { ...score, today: { ...score.today, ...thumbs } }
      expect(resolveStanding(thumbed, DEFAULT_SCORING, 15)).toMatchObject({
        level,
        intervalMinutes: minutes,
        forceAllRequired: forced,
      })
    },
  )

  test('gives no reward with a penalty, even if the shares are set to overlap', () => {
    const rules = { ...DEFAULT_SCORING, warningShare: 0.8 }
    expect(resolveStanding(scoreOf(75, 100), rules, 15)).toMatchObject({
      penalty: 'warning',
      reward: 'none',
      intervalMinutes: 15,
    })
  })

  test.each([
    [5, 50, 0, 'Every 12 minutes: 5 of 50 points is below 15 % of the target (the setting is 15).'],
    [-15, 50, 0, 'Every 8 minutes: −15 of 50 points is below −20 % of the target (the setting is 15).'],
    [-5, 50, 0, 'Every 10 minutes: −5 of 50 points is below zero (the setting is 15).'],
    [10, 50, 0, 'Every 15 minutes, as set.'],
    [46, 50, 0, 'Every 20 minutes: 46 of 50 points is at least 90 % of the target (the setting is 15).'],
    [
      36,
      50,
      3,
      'Every 20 minutes: 36 of 50 points is at least 70 % of the target after 3 consecutive days that reached theirs (the setting is 15).',
    ],
  ])('explains %d of %d with a streak of %d: %s', (score, target, streak, reason) => {
    const standing = resolveStanding(scoreOf(score, target, { streak }), DEFAULT_SCORING, 15)
    expect(standing.intervalReason).toBe(reason)
  })

  test('words the messages calmly and includes the figures', () => {
    const message = (score: number) => resolveStanding(scoreOf(score, 91), DEFAULT_SCORING, 15).message
    expect(message(82)).toBe('Outstanding: 9 points to target. Keep claiming only what you have done.')
    expect(message(-45)).toBe(
      'Lockdown: −45 of 91 points is below −20 % of the target. Every task counts as required, and the operator is notified.',
    )
    expect(message(90)).toContain('1 point to target')
    expect(message(91)).toContain('the target is reached')
  })
})

test('lists each step of the bar once under the current rules, within the bar', () => {
  expect(standingSteps(DEFAULT_SCORING)).toEqual([15, 25, 50, 70, 90])
  const rules = {
    ...DEFAULT_SCORING,
    tightenedShare: 0,
    goodShare: 0.7,
    outstandingShare: 1,
    warningShare: 0.125,
  }
  expect(standingSteps(rules)).toEqual([12.5, 70])
})
