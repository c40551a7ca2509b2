import { isAbsolute, relative, sep } from 'node:path'
import type { SupervisedRun } from '../ports/contract-custody.ts'

/** A run of an agent, and whose it is. */
export interface AgentAtWork extends SupervisedRun {
  readonly workspaceId: string
  readonly workspaceName: string
}

/** A workspace whose files agents of others may reach. */
export interface WatchedWorkspace {
  readonly id: string
  /** Absolute. */
  readonly directory: string
  /** Takes in what has changed on disk; it is called before an agent of another workspace begins and when it has ended. */
  readonly look: () => Promise<unknown>
}

/** Which agents run under this supervisor: one that is not contained can write in every workspace. */
export interface AgentsAtWork {
  /** Somebody who can write in this workspace now; its own agent before others. */
  inReach(workspaceId: string): AgentAtWork | null
  watch(workspace: WatchedWorkspace): () => void
  /** From here on changes are this agent's; resolves once every workspace in its reach has been looked at. */
  begin(agent: AgentAtWork): Promise<void>
  end(workspaceId: string): Promise<void>
}

export function createAgentsAtWork(): AgentsAtWork {
  const atWork = new Map<string, AgentAtWork>()
  const watched = new Map<string, WatchedWorkspace>()
  const lookAtOthers = async ({ workspaceId, reach }: AgentAtWork): Promise<void> => {
    const others = [...watched.values()].filter(
      ({ id, directory }) => id !== workspaceId && reaches(reach, directory),
    )
    await Promise.allSettled(others.map(({ look }) => look()))
  }
  return {
    inReach: (workspaceId) => {
      // Its own workspace is an agent's to write in, whatever contains it.
      const own = atWork.get(workspaceId)
      if (own !== undefined) return own
      const directory = watched.get(workspaceId)?.directory
      return [...atWork.values()].find(({ reach }) => reaches(reach, directory)) ?? null
    },
    watch: (workspace) => {
      watched.set(workspace.id, workspace)
      return () => watched.delete(workspace.id)
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

function reaches(reach: SupervisedRun['reach'], directory: string | undefined): boolean {
  if (reach === 'everywhere' || directory === undefined) return true
  return reach.some((folder) => {
    const way = relative(folder, directory)
    return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
  })
}
