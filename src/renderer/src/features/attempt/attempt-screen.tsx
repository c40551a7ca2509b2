import { AttemptById } from './attempt-by-id.tsx'

/** One attempt with an address of its own. */
export function AttemptScreen({ workspaceId, attemptId }: { workspaceId: string; attemptId: string }) {
  return <AttemptById workspaceId={workspaceId} attemptId={attemptId} />
}
