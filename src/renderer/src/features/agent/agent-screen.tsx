import { useCallback, useState } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type { AgentFigures, KnownAgent } from '../../../../core/read-model/agent.ts'
import { useApp } from '../../store/use-app.ts'
import { useFetched } from '../../store/use-fetched.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './agent.module.css'
import { BreakerPanel } from './breaker-panel.tsx'
import { DayFigures } from './day-figures.tsx'
import { ProfileTable } from './profile-table.tsx'
import { UsagePanel } from './usage-panel.tsx'

interface Loaded {
  readonly agents: readonly KnownAgent[]
  readonly figures: AgentFigures
}

/** How the agents of a workspace perform: profile, circuit breaker, and figures over 30 days. */
export function AgentScreen({ workspaceId }: { workspaceId: string }) {
  const freshness = useApp((state) => state.details[workspaceId]?.marks.agents)
  const load = useCallback(
    async (api: ApiClient, signal: AbortSignal): Promise<Loaded> => {
      const input = { workspace: workspaceId }
      const [agents, figures] = await Promise.all([
        api.agents.list(input, { signal }),
        api.agents.figures(input, { signal }),
      ])
      return { agents, figures }
    },
    [workspaceId],
  )
  const { value, problem, retry } = useFetched(load, freshness)
  if (value !== null) return <Agents workspaceId={workspaceId} {...value} />
  if (problem === null) return <Skeleton width="60%" />
  return <NotLoaded what="The agent’s figures" problem={problem} retry={retry} />
}

function Agents({ workspaceId, agents, figures }: Loaded & { workspaceId: string }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const agent = agents.find(({ profile }) => profile.agent_id === chosen) ?? agents[0]
  if (agent === undefined)
    return (
      <p className="empty">
        No agent has run here, and none is configured yet. Name one under [agent] in pulseward.toml; its
        profile begins with its first heartbeat.
      </p>
    )
  const { agent_id: agentId } = agent.profile
  return (
    <div className="stack gap-6">
      {agents.length > 1 && (
        <div className={styles.choice}>
          <SelectField label="Agent" value={agentId} onChange={(event) => setChosen(event.target.value)}>
            {agents.map(({ profile, configured }) => (
              <option key={profile.agent_id} value={profile.agent_id}>
                {profile.agent_id}
                {configured ? '' : ' (no longer configured)'}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      <div className={styles.top}>
        <ProfileTable profile={agent.profile} />
        <BreakerPanel workspaceId={workspaceId} agent={agent} />
      </div>
      <DayFigures figures={figures} agentId={agentId} />
      <UsagePanel figures={figures} agentId={agentId} />
    </div>
  )
}
