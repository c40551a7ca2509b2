import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AttemptBody } from './attempt-panel.tsx'

/** A full attempt of which only the id is known, because it is from an earlier day. */
export function AttemptById({ workspaceId, attemptId }: { workspaceId: string; attemptId: string }) {
  const freshness = useApp((state) => state.details[workspaceId]?.marks.attempts)
  const { value, problem, retry } = useAnswer(
    (api) => api.attempts.get,
    { workspace: workspaceId, id: attemptId },
    freshness,
  )
  if (value !== null) return <AttemptBody workspaceId={workspaceId} attempt={value} detail={value} />
  if (problem === null) return <Skeleton width="60%" />
  return (
    <p role="alert">
      {problem.message}{' '}
      <Button look="quiet" onClick={retry}>
        Try again
      </Button>
    </p>
  )
}
