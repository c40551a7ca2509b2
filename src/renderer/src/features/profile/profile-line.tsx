import { useCallback } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type { WorkspaceDetail } from '../../../../api/schemas/workspace.ts'
import { useApp } from '../../store/use-app.ts'
import { useFetched } from '../../store/use-fetched.ts'
import { Term } from '../../ui/term.tsx'
import styles from './profile.module.css'
import { profileWords } from './profile-words.ts'

/** How the workspace's agent has worked so far, in one quiet line. */
export function ProfileLine({ workspace, agentId }: { workspace: WorkspaceDetail; agentId: string }) {
  const { id } = workspace
  const freshness = useApp((state) => state.details[id])
  const load = useCallback(
    (api: ApiClient, signal: AbortSignal) => api.agents.profile({ workspace: id, id: agentId }, { signal }),
    [id, agentId],
  )
  const { value } = useFetched(load, freshness)
  if (value === null) return <p className={styles.line}>{agentId}</p>
  const { iterations, falseCompletions, breaker } = profileWords(value, workspace.suspended !== null)
  return (
    <p className={styles.line}>
      <bdi className={styles.agent}>{agentId}</bdi>
      <span>{iterations}</span>
      {value.total_iterations > 0 && (
        <span>
          <Term name="false_completion_detected">{falseCompletions}</Term>
        </span>
      )}
      <span data-breaker={breaker.state}>
        <Term name="breaker">circuit breaker</Term> {breaker.words}
      </span>
    </p>
  )
}
