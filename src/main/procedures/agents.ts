import { RequestProblem } from '../../api/request-problem.ts'
import { type AgentProfile, agentFigures, agentViews } from '../../core/read-model/agent.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { os, workspaceOf } from './implementer.ts'

export const agents = {
  list: os.agents.list.handler(({ input, context }) => agentsOf(workspaceOf(input, context))),
  figures: os.agents.figures.handler(({ input, context }) =>
    agentFigures(workspaceOf(input, context).ledger.state),
  ),
  discover: os.agents.discover.handler(async ({ context }) => ({
    agents: await context.host.discoverAgents(),
  })),
  profile: os.agents.profile.handler(({ input, context }) =>
    profileOf(workspaceOf(input, context), input.id),
  ),
}

function agentsOf({ ledger, loop }: WorkspaceRuntime) {
  return agentViews(ledger.state, loop.config)
}

/** Returns the profile of an agent that ran here; for the configured agent that has not run yet, one with zeros. */
export function profileOf(runtime: WorkspaceRuntime, agentId: string): AgentProfile {
  const profiles = agentsOf(runtime).map(({ profile }) => profile)
  const known = profiles.find((profile) => profile.agent_id === agentId)
  if (known !== undefined) return known
  const ids = profiles.map((profile) => profile.agent_id)
  throw new RequestProblem(
    'not-found',
    `No agent ${JSON.stringify(agentId)} has run in ${runtime.name}; known are ${ids.join(', ') || 'none'}.`,
  )
}
