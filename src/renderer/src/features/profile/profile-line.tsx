import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { routeTo } from '../../route/route.ts'
import { Term } from '../../ui/term.tsx'
import styles from './profile.module.css'
import { profileWords } from './profile-words.ts'

/** How the workspace's agent has performed so far, on one unobtrusive line that links to the details. */
export function ProfileLine({ workspace, agentId }: { workspace: WorkspaceDetail; agentId: string }) {
  const { id, agent } = workspace
  const name = (
    <a className="quiet-link quiet medium" href={routeTo(id, 'agent')}>
      <bdi>{agentId}</bdi>
    </a>
  )
  if (agent === null) return <p className={styles.line}>{name}</p>
  const { iterations, falseCompletions, breaker } = profileWords(agent)
  return (
    <p className={styles.line}>
      {name}
      <span>{iterations}</span>
      {agent.profile.total_iterations > 0 && (
        <span>
          <Term name="false_claim">{falseCompletions}</Term>
        </span>
      )}
      <span data-breaker={agent.breaker.state}>
        <Term name="breaker">circuit breaker</Term> {breaker}
      </span>
    </p>
  )
}
