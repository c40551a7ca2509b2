import type { SupervisedRun } from '../ports/contract-custody.ts'

/** A run of an agent, and whose it is. */
export interface AgentAtWork extends SupervisedRun {
  readonly workspaceId: string
  readonly workspaceName: string
}

/** Which agents run under this supervisor: one that is not contained can write in every workspace. */
export interface AgentsAtWork {
  /** Somebody who can write in this workspace now; its own agent before others. */
  inReach(workspaceId: string): AgentAtWork | null
  /** `look` takes in what has changed on disk; it is called before an agent of another workspace begins and when it has ended. */
  watch(workspaceId: string, look: () => Promise<unknown>): () => void
  /** From here on changes are this agent's; resolves once every workspace in its reach has been looked at. */
  begin(agent: AgentAtWork): Promise<void>
  end(workspaceId: string): Promise<void>
}

export function createAgentsAtWork(): AgentsAtWork {
  const atWork = new Map<string, AgentAtWork>()
  const watched = new Map<string, () => Promise<unknown>>()
  const lookAtOthers = async ({ workspaceId, isContained }: AgentAtWork): Promise<void> => {
    if (isContained) return
    const others = [...watched].filter(([id]) => id !== workspaceId)
    await Promise.allSettled(others.map(([, look]) => look()))
  }
  return {
    inReach: (workspaceId) => {
      const own = atWork.get(workspaceId)
      if (own !== undefined) return own.isContained ? null : own
      return [...atWork.values()].find(({ isContained }) => !isContained) ?? null
    },
    watch: (workspaceId, look) => {
      watched.set(workspaceId, look)
      return () => watched.delete(workspaceId)
    },
    begin: async (agent) => {
      await lookAtOthers(agent)
      atWork.set(agent.workspaceId, agent)
    },
    end: async (workspaceId) => {
      const agent = atWork.get(workspaceId)
      if (agent === undefined) return
      await lookAtOthers(agent)
      atWork.delete(workspaceId)
    },
  }
}
