import { useCallback } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { useFetched } from '../../store/use-fetched.ts'
import { Term } from '../../ui/term.tsx'
import styles from './profile.module.css'
import { profileWords } from './profile-words.ts'

/** How the workspace's agent has worked so far, in one quiet line that leads to the whole of it. */
export function ProfileLine({ workspace, agentId }: { workspace: WorkspaceDetail; agentId: string }) {
  const { id } = workspace
  const freshness = useApp((state) => state.details[id])
  const load = useCallback(
    (api: ApiClient, signal: AbortSignal) => api.agents.list({ workspace: id }, { signal }),
    [id],
  )
  const { value } = useFetched(load, freshness)
  const agent = value?.find(({ profile }) => profile.agent_id === agentId)
  const name = (
    <a className={styles.agent} href={routeTo(id, 'agent')}>
      <bdi>{agentId}</bdi>
    </a>
  )
  if (agent === undefined) return <p className={styles.line}>{name}</p>
  const { iterations, falseCompletions, breaker } = profileWords(agent)
  return (
    <p className={styles.line}>
      {name}
      <span>{iterations}</span>
      {agent.profile.total_iterations > 0 && (
        <span>
          <Term name="false_completion_detected">{falseCompletions}</Term>
        </span>
      )}
      <span data-breaker={agent.breaker.state}>
        <Term name="breaker">circuit breaker</Term> {breaker}
      </span>
    </p>
  )
}
