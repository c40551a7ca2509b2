import { isAbsolute, relative, sep } from 'node:path'
import { z } from 'zod'
import { readStored, replaceFile } from '../files/bounded-file.ts'
import type { SupervisedRun } from '../ports/contract-custody.ts'
import { createSerializer } from '../process/serialize.ts'
import type { Threads } from '../process/threads.ts'
import { within } from '../process/within.ts'
import { createChangedFiles, type KnownFile, PATIENCE_MS } from './unchanged-files.ts'

/** A running agent and its workspace. */
export interface AgentAtWork extends SupervisedRun {
  readonly workspaceId: string
  readonly workspaceName: string
}

/** A workspace whose files agents of other workspaces may reach. */
export interface WatchedWorkspace {
  readonly id: string
  /** Absolute path. */
  readonly directory: string
  /** Records what has changed on disk; called before an agent of another workspace begins, and after it has ended. */
  readonly look: () => Promise<unknown>
  /** Returns the files that a look reads; while they are unchanged, it would find nothing. `null`: a look is needed. */
  readonly known?: () => readonly KnownFile[] | null
}

/** The agents that run under this supervisor. One without a sandbox can write in every workspace. */
export interface AgentsAtWork {
  /** Returns an agent that can write in this workspace now; its own agent before others. */
  inReach(workspaceId: string): AgentAtWork | null
  /** Returns an agent of another workspace that can write in this one now. */
  otherInReach(workspaceId: string): AgentAtWork | null
  watch(workspace: WatchedWorkspace): () => void
  /**
   * Attributes changes to this agent from this call on. Resolves once every workspace in its reach has been looked at. If a file
   * system does not answer in time, what changed there is attributed to this agent too. If an agent that reaches all of them is
   * already at work, looks at nothing: what changed until now is attributed to that agent either way.
   */
  begin(agent: AgentAtWork): Promise<void>
  /**
   * Attributes changes to this agent up to this call, like `begin`. If a file system has not answered, changes there stay attributed to
   * this agent until it has.
   */
  end(workspaceId: string): Promise<void>
  /**
   * Resolves with a function that tells whether a change at that time, by the file system's clock (epoch ms), was made while an agent of
   * another workspace could write here.
   */
  ranElsewhere(workspaceId: string): Promise<(changedMs: number) => boolean>
}

/** A period in which an agent ran that could write outside its workspace. Epoch ms by the wall clock, like files' times. */
const stretchSchema = z.object({
  workspaceId: z.string(),
  reach: z.union([z.literal('everywhere'), z.array(z.string())]),
  fromMs: z.number(),
  /** `null`: the agent is still running. */
  toMs: z.number().nullable(),
})
type Stretch = z.infer<typeof stretchSchema>

/** Allows for a file system's clock that is some milliseconds behind ours. */
const CLOCK_MS = 20
const MAX_STRETCHES = 1000
const MAX_BYTES = 1024 * 1024

/**
 * `path`: where the times of agent runs are stored; `null`: only in memory. `threads`: read files to find which workspaces
 * have to be examined, and do nothing else; if omitted, or if they don't answer within `patienceMs`, all workspaces are
 * examined. Each examination is also given `patienceMs`.
 */
export function createAgentsAtWork(
  path: string | null = null,
  threads?: Pick<Threads, 'run'>,
  patienceMs = PATIENCE_MS,
): AgentsAtWork {
  const changedFiles = threads === undefined ? null : createChangedFiles(threads, patienceMs)
  const ran = createStretches(path)
  const atWork = new Map<string, AgentAtWork>()
  const watched = new Map<string, WatchedWorkspace>()
  /** Agents with changes that were not seen yet, by the id of the workspace: it could not be looked at when the agent ended. */
  const unseen = new Map<string, AgentAtWork>()
  /** Looks at the other workspaces in reach; returns the looks that did not end in time. */
  const lookAtOthers = async ({ workspaceId, reach }: AgentAtWork): Promise<readonly LateLook[]> => {
    const others = [...watched.values()].filter(
      ({ id, directory }) => id !== workspaceId && reaches(reach, directory),
    )
    const changed = changedFiles === null ? others : await whereChanged(others, changedFiles)
    const looks = changed.map(async ({ id, look }): Promise<LateLook | null> => {
      const ended = look().then(
        () => true,
        () => true,
      )
      return (await within(patienceMs, ended)) === null ? { id, ended } : null
    })
    return (await Promise.all(looks)).filter((late) => late !== null)
  }
  const staysUnseen = (agent: AgentAtWork, { id, ended }: LateLook): void => {
    unseen.set(id, agent)
    void ended.then(() => unseen.get(id) === agent && unseen.delete(id))
  }
  const isAllInReach = (): boolean => [...atWork.values()].some(({ reach }) => reach === 'everywhere')
  const otherInReach = (workspaceId: string): AgentAtWork | null => {
    const directory = watched.get(workspaceId)?.directory
    const others = [...atWork.values()].filter((agent) => agent.workspaceId !== workspaceId)
    return others.find(({ reach }) => reaches(reach, directory)) ?? unseen.get(workspaceId) ?? null
  }
  return {
    // An agent can always write in its own workspace, whatever its sandbox.
    inReach: (workspaceId) => atWork.get(workspaceId) ?? otherInReach(workspaceId),
    otherInReach,
    watch: (workspace) => {
      watched.set(workspace.id, { ...workspace, look: sharedWhileItWaits(workspace.look) })
      return () => {
        watched.delete(workspace.id)
        unseen.delete(workspace.id)
      }
    },
    begin: async (agent) => {
      if (!isAllInReach()) await lookAtOthers(agent)
      atWork.set(agent.workspaceId, agent)
      await ran.begins(agent)
    },
    end: async (workspaceId) => {
      const agent = atWork.get(workspaceId)
      if (agent === undefined) return
      for (const late of await lookAtOthers(agent)) staysUnseen(agent, late)
      atWork.delete(workspaceId)
      await ran.ended(workspaceId)
    },
    ranElsewhere: async (workspaceId) => {
      const directory = watched.get(workspaceId)?.directory
      const others = (await ran.all()).filter(
        (one) => one.workspaceId !== workspaceId && reaches(one.reach, directory),
      )
      return (changedMs) =>
        others.some(({ fromMs, toMs }) => changedMs >= fromMs && (toMs === null || changedMs <= toMs))
    },
  }
}

/** A look that the file system has not answered yet; `ended` never rejects. */
interface LateLook {
  readonly id: string
  readonly ended: Promise<unknown>
}

/** Returns the workspaces where a look could find something: hardly any of a thousand. Returns all of them if that cannot be known. */
async function whereChanged(
  workspaces: readonly WatchedWorkspace[],
  changedFiles: ReturnType<typeof createChangedFiles>,
): Promise<readonly WatchedWorkspace[]> {
  const known = workspaces.map((workspace) => workspace.known?.() ?? null)
  const groups = known.map((files) => files ?? [])
  try {
    const changed = new Set(await changedFiles(groups))
    return workspaces.filter((_, index) => known[index] === null || changed.has(index))
  } catch {
    return workspaces
  }
}

/**
 * Runs one look at a time. A caller that asks while one is running and another waits shares the waiting one, which begins after
 * they asked. So if several agents end together, each of a thousand workspaces is looked at once.
 */
function sharedWhileItWaits(look: () => Promise<unknown>): () => Promise<unknown> {
  const inTurn = createSerializer()
  let waiting: Promise<unknown> | null = null
  return () => {
    waiting ??= inTurn(() => {
      waiting = null
      return look()
    })
    return waiting
  }
}

/** Records these periods. A period without an end when the file is read ended when its supervisor ended, which was now at the latest. */
function createStretches(path: string | null) {
  let memory: readonly Stretch[] | null = null
  const all = async (): Promise<readonly Stretch[]> => {
    if (memory !== null) return memory
    const read = path === null ? null : await readStored(z.array(stretchSchema), path, MAX_BYTES)
    memory ??= (read ?? []).map((one) => ({ ...one, toMs: one.toMs ?? Date.now() }))
    return memory
  }
  const inTurn = createSerializer()
  /** Several agents may begin and end at once, so nothing is awaited between reading and replacing the list. */
  const change = async (next: (known: readonly Stretch[]) => readonly Stretch[]): Promise<void> => {
    await all()
    memory = next(memory ?? []).slice(-MAX_STRETCHES)
    if (path === null) return
    // If the disk refuses, the list is known only while this process runs.
    await inTurn(() =>
      replaceFile(path, JSON.stringify(memory), 0o600, { isDurable: false }).catch(() => undefined),
    )
  }
  return {
    all,
    begins: async ({ workspaceId, reach }: AgentAtWork) => {
      // An agent that is sandboxed in its own folder does not concern other workspaces.
      if (reach !== 'everywhere' && reach.length <= 1) return
      const stretch: Stretch = {
        workspaceId,
        reach: reach === 'everywhere' ? reach : [...reach],
        fromMs: Date.now() - CLOCK_MS,
        toMs: null,
      }
      await change((known) => [...known, stretch])
    },
    ended: async (workspaceId: string) => {
      const known = await all()
      if (!known.some((one) => one.workspaceId === workspaceId && one.toMs === null)) return
      const toMs = Date.now() + CLOCK_MS
      await change((now) =>
        now.map((one) => (one.workspaceId === workspaceId && one.toMs === null ? { ...one, toMs } : one)),
      )
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
