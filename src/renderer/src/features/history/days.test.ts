import { expect, test } from 'vitest'
import type { ScoreHistory } from '../../../../core/read-model/score.ts'
import { chartDays, dayInWords } from './days.ts'

function day(date: string, score: number, target: number): ScoreHistory['today'] {
  const counts = { verifiedCount: 0, failedCount: 0, unclearCount: 0, contradictionCount: 0 }
  const thumbs = { thumbsUp: 0, thumbsDown: 0, judgedCount: 1, overruledCount: 0 }
  const peaks = { peakScore: score, lowestScore: 0, targetReached: score >= target }
  return { date, score, target, ...peaks, ...counts, ...thumbs }
}

test('puts today last, and leaves gaps for days without data', () => {
  const history = [day('2026-11-18', 75, 50), day('2026-11-19', -12, 75)]
  const days = chartDays({ history, today: day('2026-11-20', 82, 75), targetFloor: 75 })
  expect(days.map(({ label, kind }) => `${label} ${kind}`.trim())).toEqual([
    'none',
    'none',
    'none',
    'none',
    'none',
    'Wed 18 reached',
    'Thu 19 negative',
    'today today',
  ])
})

test('keeps showing that a day had a contradiction', () => {
  const lied = { ...day('2026-11-19', -12, 75), contradictionCount: 2 }
  const days = chartDays({ history: [lied], today: day('2026-11-20', 82, 75), targetFloor: 75 })
  expect(days.slice(-2).map(dayInWords)).toEqual(['Thu 19: −12 of 75, 2 contradictions', 'today: 82 of 75'])
})
