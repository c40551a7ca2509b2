import { join } from 'node:path'
import { z } from 'zod'
import { readStored } from '../files/bounded-file.ts'
import type { Log } from '../ports/log.ts'
import { keepFile } from './keep-file.ts'

/** A period in which an agent could change the files. Epoch ms by the wall clock, like files' times. */
interface AgentTime {
  readonly attemptId: string
  readonly fromMs: number
  /** `null`: the agent is still running. */
  readonly toMs: number | null
}

const agentsSchema = z.array(
  z.object({ attemptId: z.string(), fromMs: z.number(), toMs: z.number().nullable() }),
) satisfies z.ZodType<AgentTime[]>

/** Allows for a file system's clock that is some milliseconds behind ours. */
export const CLOCK_MS = 20
const MAX_AGENTS = 1000
const MAX_BYTES = 1024 * 1024

/**
 * Records when agents ran since the operator last decided on what they left. A file's change time, which only the system can set, then
 * tells whether an agent changed it.
 */
export interface AgentTimes {
  starts(attemptId: string): Promise<void>
  ended(): Promise<void>
  /** Returns the attempt that began and has not ended; if no agent is running now, its supervisor was killed. */
  running(): Promise<string | null>
  /** Resolves with a function that tells whether a change at that time (epoch ms) was made while an agent ran. */
  has(): Promise<(changedMs: number) => boolean>
  /** Removes these attempts, because what they left no longer needs an answer; returns whether there were any. */
  forget(attemptIds: readonly string[]): Promise<boolean>
}

/** Keeps the record in `directory`; an unreadable file counts as empty. */
export function createAgentTimes(directory: string, log: Pick<Log, 'warn'>): AgentTimes {
  const path = join(directory, 'agents.json')
  let memory: readonly AgentTime[] | null = null

  async function load(): Promise<readonly AgentTime[]> {
    memory ??= (await readStored(agentsSchema, path, MAX_BYTES)) ?? []
    return memory
  }
  async function save(agents: readonly AgentTime[]): Promise<void> {
    memory = agents.slice(-MAX_AGENTS)
    const text = JSON.stringify(memory)
    await keepFile(path, text, log, { isDurable: false })
  }

  return {
    starts: async (attemptId) =>
      save([...closed(await load()), { attemptId, fromMs: Date.now() - CLOCK_MS, toMs: null }]),
    ended: async () => {
      const agents = await load()
      if (agents.some(({ toMs }) => toMs === null)) await save(closed(agents))
    },
    running: async () => (await load()).findLast(({ toMs }) => toMs === null)?.attemptId ?? null,
    has: async () => {
      const agents = await load()
      return (changedMs) =>
        agents.some(({ fromMs, toMs }) => changedMs >= fromMs && (toMs === null || changedMs <= toMs))
    },
    forget: async (attemptIds) => {
      const agents = await load()
      const kept = agents.filter(({ attemptId }) => !attemptIds.includes(attemptId))
      if (kept.length === agents.length) return false
      await save(kept)
      return true
    },
  }
}

function closed(agents: readonly AgentTime[]): readonly AgentTime[] {
  return agents.map((one) => (one.toMs === null ? { ...one, toMs: Date.now() + CLOCK_MS } : one))
}
