import { expect, test } from 'vitest'
import type { Score } from '../../../core/read-model/score.ts'
import type { WorkspaceDetail } from '../../../core/read-model/workspace.ts'
import { withPendingFeedback } from './feedback.ts'

function detail(feedback: 'up' | 'down' | null): WorkspaceDetail {
  const score = { score: 82, target: 100, percent: 82, pointsToTarget: 18 } as Score
  const thumbPoints = { up: 5, down: -10 }
  return { score, thumbPoints, attempts: [{ attemptId: 'a', feedback }] } as WorkspaceDetail
}

test.each([
  ['up', 87],
  ['down', 72],
] as const)('shows the score after a pending %s thumb as %d', (feedback, score) => {
  const shown = withPendingFeedback(detail(null), { a: feedback })
  expect(shown.score).toMatchObject({ score, percent: score, pointsToTarget: 100 - score })
  expect(shown.attempts[0]?.feedback).toBe(feedback)
})

test('does not count thumbs twice if a refetch already contains them', () => {
  const fetched = detail('up')
  expect(withPendingFeedback(fetched, { a: 'up' })).toBe(fetched)
})

test("ignores another attempt's thumbs", () => {
  const fetched = detail(null)
  expect(withPendingFeedback(fetched, { b: 'down' })).toBe(fetched)
})
