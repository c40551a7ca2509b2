import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import type { Thumb as ThumbKind } from '../../../../core/vocabulary/task.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import styles from './thumbs.module.css'

/** The operator's rating of an attempt; the score changes at once. */
export function Thumbs({
  workspaceId,
  attempt,
}: {
  workspaceId: string
  attempt: Pick<AttemptRow, 'attemptId' | 'taskId' | 'feedback'>
}) {
  return (
    <div className={styles.thumbs}>
      <Thumb workspaceId={workspaceId} attempt={attempt} feedback="up" />
      <Thumb workspaceId={workspaceId} attempt={attempt} feedback="down" />
    </div>
  )
}

function Thumb({
  workspaceId,
  attempt,
  feedback,
}: {
  workspaceId: string
  attempt: Pick<AttemptRow, 'attemptId' | 'taskId' | 'feedback'>
  feedback: ThumbKind
}) {
  const giveFeedback = useApp((state) => state.giveFeedback)
  const points = useApp((state) => state.details[workspaceId]?.thumbPoints[feedback])
  const isOnItsWay = useApp((state) => state.pendingFeedback[attempt.attemptId] === feedback)
  const given = attempt.feedback === feedback
  const Icon = feedback === 'up' ? ThumbsUp : ThumbsDown
  return (
    <Button
      acts
      look="icon"
      className={styles.thumb}
      data-feedback={feedback}
      aria-pressed={given}
      aria-busy={isOnItsWay || undefined}
      aria-label={`Thumbs ${feedback} for ${attempt.taskId}`}
      title={`Thumbs ${feedback} (${feedback === 'up' ? '+' : '−'})${points === undefined ? '' : `: ${formatSignedPoints(points)} points`}`}
      onClick={() => !given && void giveFeedback(workspaceId, attempt.attemptId, feedback)}
    >
      <Icon size={15} strokeWidth={1.75} fill={given ? 'currentColor' : 'none'} aria-hidden />
    </Button>
  )
}
