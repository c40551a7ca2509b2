import type { Score } from '../../../core/read-model/score.ts'
import type { WorkspaceDetail } from '../../../core/read-model/workspace.ts'
import type { Thumb } from '../../../core/vocabulary/task.ts'

/** Thumbs given that the host has not confirmed yet, by attempt id. */
export type PendingFeedback = Readonly<Record<string, Thumb>>

/** Returns the score after `delta` points, with what can be derived from it; the standing comes from the host. */
function movedScore(score: Score, delta: number): Score {
  const moved = score.score + delta
  return {
    ...score,
    score: moved,
    pointsToTarget: Math.max(0, score.target - moved),
    percent: Math.round((moved / score.target) * 1000) / 10,
  }
}

/**
 * Returns a workspace as it will be once the host has accepted the pending thumbs. Thumbs that the detail already contains are not counted
 * again, so a refetch may overtake the answer.
 */
export function withPendingFeedback(detail: WorkspaceDetail, pending: PendingFeedback): WorkspaceDetail {
  let delta = 0
  const attempts = detail.attempts.map((attempt) => {
    const feedback = pending[attempt.attemptId]
    if (feedback === undefined || feedback === attempt.feedback) return attempt
    delta += detail.thumbPoints[feedback]
    return { ...attempt, feedback }
  })
  if (attempts.every((attempt, index) => attempt === detail.attempts[index])) return detail
  return { ...detail, attempts, score: movedScore(detail.score, delta) }
}

/** Returns the detail with thumbs that the host has confirmed, until the next fetch brings the rest. */
export function withConfirmedFeedback(
  detail: WorkspaceDetail,
  attemptId: string,
  feedback: Thumb,
  score: number,
): WorkspaceDetail {
  return {
    ...detail,
    attempts: detail.attempts.map((attempt) =>
      attempt.attemptId === attemptId ? { ...attempt, feedback } : attempt,
    ),
    score: movedScore(detail.score, score - detail.score.score),
  }
}
