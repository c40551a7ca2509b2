import { expect, it } from 'vitest'
import type { ScoreHistory } from '../../core/read-model/score.ts'
import { newDay } from '../../core/scoring/ratchet.ts'
import { describeHistory } from './score.ts'

it('shows the contradictions of a day beside it', () => {
  const history: ScoreHistory = {
    history: [{ ...newDay('2026-03-01', 50), contradictionCount: 1, failedCount: 1, score: -45 }],
    today: newDay('2026-03-02', 50),
    targetFloor: 50,
  }
  expect(describeHistory(history, (_style, text) => text)).toEqual([
    '2026-03-01  −45  of 50  0 verified  1 failed  1 contradiction',
    '2026-03-02  0    of 50  0 verified  0 failed',
    'The target never falls below 50.',
  ])
})
