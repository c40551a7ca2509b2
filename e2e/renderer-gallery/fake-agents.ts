import { ORPCError } from '@orpc/client'
import type { AgentFigures, AgentProfile, KnownAgent } from '../../src/core/read-model/agent.ts'
import type { WorkspaceDetail } from '../../src/core/read-model/workspace.ts'
import { anAgent } from './agent-fixtures.ts'

/** The calls about the agents of the first workspace. */
export function agentCalls(scenario: {
  readonly workspaces: readonly WorkspaceDetail[]
  readonly profile?: AgentProfile
  readonly agents?: readonly KnownAgent[]
  readonly figures?: AgentFigures
}) {
  const { profile } = scenario
  const agents: readonly KnownAgent[] =
    scenario.agents ??
    (profile === undefined ? [] : [anAgent(profile, scenario.workspaces[0]?.suspended ?? null)])
  const none: AgentFigures = { today: new Date().toISOString().slice(0, 10), days: [], tasks: [] }
  return {
    agents: {
      discover: async () => ({ agents: [] }),
      profile: async () => {
        if (profile === undefined) throw new ORPCError('NOT_FOUND', { message: 'No agent has run.' })
        return profile
      },
      list: async () => agents,
      figures: async () => scenario.figures ?? none,
    },
  }
}
