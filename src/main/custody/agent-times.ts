import { join } from 'node:path'
import { z } from 'zod'
import { readBoundedFile } from '../files/bounded-file.ts'
import type { Log } from '../ports/log.ts'
import { keepFile } from './keep-file.ts'

/** A stretch of time in which files were an agent's to change. Epoch ms, wall clock, because files' times are. */
interface AgentTime {
  readonly attemptId: string
  readonly fromMs: number
  /** `null`: it has not ended. */
  readonly toMs: number | null
}

const agentsSchema = z.array(
  z.object({ attemptId: z.string(), fromMs: z.number(), toMs: z.number().nullable() }),
) satisfies z.ZodType<AgentTime[]>

/** A file system's clock is some milliseconds behind ours. */
export const CLOCK_MS = 20
const MAX_AGENTS = 1000
const MAX_BYTES = 1024 * 1024

/**
 * Records when agents ran since the operator last answered for what they left. A file's change time, which only the system can
 * set, then tells whether an agent changed it.
 */
export interface AgentTimes {
  starts(attemptId: string): Promise<void>
  ended(): Promise<void>
  /** The attempt that was begun and has not ended: of a supervisor that was cut off, where none runs now. */
  running(): Promise<string | null>
  /** Whether what changed then came while one of them ran. Epoch ms. */
  has(): Promise<(changedMs: number) => boolean>
  /** Drops what these attempts left from the open questions; returns whether there was any. */
  forget(attemptIds: readonly string[]): Promise<boolean>
}

/** On disk in `directory`; an unreadable file is one that knows of none. */
export function createAgentTimes(directory: string, log: Pick<Log, 'warn'>): AgentTimes {
  const path = join(directory, 'agents.json')
  let memory: readonly AgentTime[] | null = null

  async function load(): Promise<readonly AgentTime[]> {
    memory ??= await readTimes(path)
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

async function readTimes(path: string): Promise<readonly AgentTime[]> {
  const reading = await readBoundedFile(path, MAX_BYTES)
  if (!reading.ok) return []
  try {
    return agentsSchema.parse(JSON.parse(reading.bytes.toString('utf8')))
  } catch {
    return []
  }
}
