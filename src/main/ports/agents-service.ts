import type { AgentFigures, AgentProfile, KnownAgent } from '../../api/schemas/agent.ts'

/** What is known of the agents of a workspace. */
export interface AgentsService {
  /** Of an agent that ran here, or that is configured to. */
  agentProfile(workspace: string | undefined, agentId: string): AgentProfile
  /** Those that ran here and the configured one, which comes first. */
  agents(workspace: string | undefined): KnownAgent[]
  agentFigures(workspace: string | undefined): AgentFigures
}
