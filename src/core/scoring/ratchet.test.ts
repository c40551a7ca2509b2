import { describe, expect, test } from 'vitest'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import type { DailyScore } from './daily-score.ts'
import { changeRules, computeTarget, initialScore, newDay, rollOver } from './ratchet.ts'
import { recordFeedback, recordVerdict } from './record.ts'
import type { ScoreState } from './types.ts'

/** Returns the score after a verdict with these points today. */
function scoring(score: ScoreState, points: number): ScoreState {
  return recordVerdict(score, {
    verdict: points < 0 ? 'not_verified' : 'verified',
    contradiction: false,
    points,
  })
}

function archived(...scores: number[]): DailyScore[] {
  return scores.map((score, index) => ({
    ...newDay(`2025-03-${String(28 - index).padStart(2, '0')}`, 50),
    score,
  }))
}

/** Returns the score after consecutive days with these scores, starting 2025-03-01. */
function daysOf(scores: readonly number[]): ScoreState {
  return scores.reduce<ScoreState>(
    (score, points, index) =>
      rollOver(scoring(score, points), `2025-03-${String(index + 2).padStart(2, '0')}`, DEFAULT_SCORING),
    initialScore('2025-03-01', DEFAULT_SCORING),
  )
}

describe('the seven-day table', () => {
  const rows = [
    { day: 2, score: 75, average: 75, floor: 75, target: 75 },
    { day: 3, score: 90, average: 82, floor: 82, target: 82 },
    { day: 4, score: 60, average: 75, floor: 82, target: 82 },
    { day: 5, score: 110, average: 84, floor: 84, target: 84 },
    { day: 6, score: 120, average: 91, floor: 91, target: 91 },
    { day: 7, score: 30, average: 81, floor: 91, target: 91 },
  ]

  test('starts day 1 with floor and target 50', () => {
    const score = initialScore('2025-03-01', DEFAULT_SCORING)
    expect(score.lifetime.targetFloor).toBe(50)
    expect(score.today.target).toBe(50)
  })

  test.each(rows)('has floor $floor and target $target after day $day with $score points', (row) => {
    const scores = rows.filter(({ day }) => day <= row.day).map(({ score }) => score)
    const after = daysOf(scores)
    expect(after.today.target).toBe(row.target)
    expect(after.lifetime.targetFloor).toBe(row.floor)
    // With no floor and no minimum the target is the plain average of the table.
    expect(computeTarget(after.history, 0, { ...DEFAULT_SCORING, minimumTarget: 0 })).toBe(row.average)
  })
})

describe('the target', () => {
  test.each([
    ['is the minimum without history', [], 0, 50],
    ['ignores days at or below zero', [100, 0, -40, 60], 0, 80],
    ['uses only the last seven archived days', [70, 70, 70, 70, 70, 70, 70, 1000], 0, 70],
    ['never exceeds the maximum', [900], 0, 500],
    ['does not fall below the floor', [60], 91, 91],
    ['raises a low average to the minimum', [10], 0, 50],
    ['rounds half to even', [75, 90], 0, 82],
  ])('%s', (_name, scores, floor, target) => {
    expect(computeTarget(archived(...scores), floor, DEFAULT_SCORING)).toBe(target)
  })
})

describe('the rollover', () => {
  const judged = scoring(initialScore('2025-03-10', DEFAULT_SCORING), 60)

  test.each(['2025-03-10', '2025-03-09', '2024-12-31', ''])(
    'changes nothing if it goes to %j, which is not later than today',
    (day) => {
      expect(rollOver(judged, day, DEFAULT_SCORING)).toBe(judged)
    },
  )

  test('archives a judged day with its figures and starts the next at zero', () => {
    const next = rollOver(judged, '2025-03-11', DEFAULT_SCORING)
    expect(next.history).toEqual([judged.today])
    expect(next.today).toEqual(newDay('2025-03-11', 60))
    expect(next.lifetime).toMatchObject({ daysTracked: 1, bestDay: 60, worstDay: 60, currentStreak: 1 })
  })

  test('does not archive a day on which nothing ran', () => {
    const idle = rollOver(rollOver(judged, '2025-03-11', DEFAULT_SCORING), '2025-03-15', DEFAULT_SCORING)
    expect(idle.history.map((day) => day.date)).toEqual(['2025-03-10'])
    expect(idle.today).toMatchObject({ date: '2025-03-15', target: 60 })
    expect(idle.lifetime.daysTracked).toBe(1)
  })

  test('archives a day on which only a thumb was given', () => {
    const thumbed = recordFeedback(initialScore('2025-03-10', DEFAULT_SCORING), {
      feedback: 'down',
      points: -10,
    })
    const next = rollOver(thumbed, '2025-03-11', DEFAULT_SCORING)
    expect(next.history).toMatchObject([{ date: '2025-03-10', score: -10, thumbsDown: 1, judgedCount: 0 }])
  })

  test('does not break a streak on days without a heartbeat, but does on a day that missed its target', () => {
    let score = daysOf([60, 70])
    expect(score.lifetime.currentStreak).toBe(2)
    score = rollOver(score, '2025-03-20', DEFAULT_SCORING)
    expect(score.lifetime.currentStreak).toBe(2)
    score = rollOver(scoring(score, 10), '2025-03-21', DEFAULT_SCORING)
    expect(score.lifetime).toMatchObject({ currentStreak: 0, longestStreak: 2, bestDay: 70, worstDay: 10 })
  })

  test('keeps at most 366 days, and the best and the number of all days', () => {
    let score = initialScore('0000', DEFAULT_SCORING)
    for (let day = 1; day <= 400; day++) {
      score = rollOver(scoring(score, day === 1 ? 450 : 20), String(day).padStart(4, '0'), DEFAULT_SCORING)
    }
    expect(score.history).toHaveLength(366)
    expect(score.history[0]?.date).toBe('0399')
    expect(score.lifetime).toMatchObject({
      daysTracked: 400,
      bestDay: 450,
      worstDay: 20,
      longestStreak: 1,
      totalPoints: 450 + 399 * 20,
    })
  })
})

describe('changed rules', () => {
  const high = { ...DEFAULT_SCORING, minimumTarget: 200 }

  test('change the target and leave past days unchanged', () => {
    const before = daysOf([75, 90])
    const after = changeRules(before, DEFAULT_SCORING, high)
    expect(after.today).toMatchObject({ target: 200, targetReached: false })
    expect(after.history).toEqual(before.history)
    expect(after.lifetime).toEqual(before.lifetime)
  })

  test('reset a score that is still empty, even to lower values', () => {
    const start = initialScore('2025-03-10', DEFAULT_SCORING)
    const low = { ...DEFAULT_SCORING, minimumTarget: 10 }
    expect(changeRules(start, DEFAULT_SCORING, low)).toEqual(initialScore('2025-03-10', low))
  })

  test('can be undone: a floor that comes only from a mistaken minimum is removed, even a day later', () => {
    const start = scoring(initialScore('2025-03-10', DEFAULT_SCORING), 20)
    const mistaken = rollOver(changeRules(start, DEFAULT_SCORING, high), '2025-03-11', high)
    expect(mistaken).toMatchObject({ today: { target: 200 }, lifetime: { targetFloor: 200 } })
    expect(changeRules(mistaken, high, DEFAULT_SCORING)).toMatchObject({
      today: { target: 50 },
      lifetime: { targetFloor: 50 },
    })
  })

  test('keep a floor that was earned', () => {
    const earned = daysOf([75, 110])
    const low = { ...DEFAULT_SCORING, minimumTarget: 10 }
    expect(changeRules(earned, DEFAULT_SCORING, low).lifetime.targetFloor).toBe(92)
  })
})
