import { describe, expect, test } from 'vitest'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import { initialScore, rollOver } from './ratchet.ts'
import { type Overrule, recordFeedback, recordOverrule, recordVerdict } from './record.ts'
import type { ScoreState } from './types.ts'

const start = initialScore('2025-03-10', DEFAULT_SCORING)
const verified = { verdict: 'verified', contradiction: false, points: 10 } as const
const lie = { verdict: 'not_verified', contradiction: true, points: -45 } as const

function nextDay(score: ScoreState, day: string): ScoreState {
  return rollOver(score, day, DEFAULT_SCORING)
}

function overruled(score: ScoreState, change: Partial<Overrule>): ScoreState {
  const overrule: Overrule = {
    attemptDay: '2025-03-10',
    from: 'not_verified',
    fromContradiction: true,
    to: 'verified',
    pointsDelta: 55,
    again: false,
    ...change,
  }
  return recordOverrule(score, overrule, DEFAULT_SCORING)
}

describe('a verdict', () => {
  test('adds its points and counts, and updates peak and low', () => {
    const score = [verified, lie, { verdict: 'unclear', contradiction: false, points: -2 } as const].reduce(
      recordVerdict,
      start,
    )
    expect(score.today).toMatchObject({
      score: -37,
      peakScore: 10,
      lowestScore: -37,
      verifiedCount: 1,
      failedCount: 1,
      unclearCount: 1,
      contradictionCount: 1,
      judgedCount: 3,
      targetReached: false,
    })
    expect(score.lifetime).toMatchObject({
      totalVerified: 1,
      totalFailed: 1,
      totalContradictions: 1,
      totalPoints: -37,
    })
  })

  test('reaches the day’s target, and can fall below it again', () => {
    const reached = recordVerdict(start, { ...verified, points: 50 })
    expect(reached.today.targetReached).toBe(true)
    expect(recordVerdict(reached, lie).today.targetReached).toBe(false)
  })
})

test('adds points and count of a thumb, and judges nothing', () => {
  const score = recordFeedback(recordFeedback(start, { feedback: 'up', points: 3 }), {
    feedback: 'down',
    points: -10,
  })
  expect(score.today).toMatchObject({ score: -7, thumbsUp: 1, thumbsDown: 1, judgedCount: 0 })
  expect(score.lifetime.totalPoints).toBe(-7)
})

describe('overruling', () => {
  const judgedToday = recordVerdict(start, lie)
  const yesterday = nextDay(
    recordVerdict(recordVerdict(start, { ...verified, points: 40 }), lie),
    '2025-03-11',
  )

  test('moves the points and counts of today’s verdict, without a contradiction', () => {
    const score = overruled(judgedToday, {})
    expect(score.today).toMatchObject({
      score: 10,
      verifiedCount: 1,
      failedCount: 0,
      contradictionCount: 0,
      judgedCount: 1,
      overruledCount: 1,
    })
    expect(score.lifetime).toMatchObject({
      totalVerified: 1,
      totalFailed: 0,
      totalContradictions: 0,
      totalPoints: 10,
    })
  })

  test('does not count the same attempt twice', () => {
    const again = overruled(overruled(judgedToday, {}), {
      from: 'verified',
      fromContradiction: false,
      to: 'unclear',
      pointsDelta: -12,
      again: true,
    })
    expect(again.today).toMatchObject({ score: -2, verifiedCount: 0, unclearCount: 1, overruledCount: 1 })
  })

  test('changes the score, streak and best day of an archived day, and raises the target of today', () => {
    expect(yesterday.lifetime).toMatchObject({ currentStreak: 0, bestDay: -5, totalPoints: -5 })
    const score = overruled(yesterday, { pointsDelta: 85 })
    expect(score.history[0]).toMatchObject({ score: 80, targetReached: true, verifiedCount: 2, target: 50 })
    expect(score.today).toMatchObject({ score: 0, target: 80, overruledCount: 0 })
    expect(score.lifetime).toMatchObject({
      currentStreak: 1,
      longestStreak: 1,
      bestDay: 80,
      worstDay: 80,
      targetFloor: 80,
    })
  })

  test('breaks the streak if an archived day falls below its target, and keeps today’s target', () => {
    const good = nextDay(recordVerdict(start, { ...verified, points: 90 }), '2025-03-11')
    expect(good.today.target).toBe(90)
    const score = overruled(good, {
      from: 'verified',
      fromContradiction: false,
      to: 'not_verified',
      pointsDelta: -80,
    })
    expect(score.history[0]).toMatchObject({ score: 10, targetReached: false, peakScore: 90 })
    expect(score.lifetime).toMatchObject({ currentStreak: 0, longestStreak: 0, targetFloor: 90 })
    expect(score.today.target).toBe(90)
  })

  test('archives a day that was not archived, in date order, for an attempt without a verdict', () => {
    const later = nextDay(
      recordVerdict(nextDay(recordVerdict(start, { ...verified, points: 60 }), '2025-03-14'), verified),
      '2025-03-15',
    )
    const score = overruled(later, {
      attemptDay: '2025-03-12',
      from: null,
      fromContradiction: false,
      pointsDelta: 10,
    })
    expect(score.history.map((day) => [day.date, day.score, day.target])).toEqual([
      ['2025-03-14', 10, 60],
      ['2025-03-12', 10, 60],
      ['2025-03-10', 60, 50],
    ])
    expect(score.lifetime).toMatchObject({ daysTracked: 3, totalPoints: 80, totalVerified: 3 })
  })

  test('changes only the lifetime totals for a day that has left the archive', () => {
    const trimmed = { ...yesterday, lifetime: { ...yesterday.lifetime, daysTracked: 900 } }
    const score = overruled(trimmed, { attemptDay: '2020-01-01' })
    expect(score.history).toEqual(trimmed.history)
    expect(score.lifetime.totalPoints).toBe(trimmed.lifetime.totalPoints + 55)
  })
})
