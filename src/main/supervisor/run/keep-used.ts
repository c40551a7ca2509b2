import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createActivityCollector } from '../../../core/activity/collect.ts'
import { type AgentActivity, type AgentUsage, agentUsageSchema } from '../../../core/activity/types.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

type Kept = Pick<WorkspacePorts, 'attemptsDirectory' | 'log'>

/** Where what a running attempt has used is kept until its end is recorded. */
function fileOf({ attemptsDirectory }: Kept, attemptId: string): string {
  return join(attemptsDirectory, `${attemptId}.used`)
}

export interface UsedKeeper {
  /** The newest is written; what came while the last was being written is left out. */
  note(usage: AgentUsage): void
  /** All is written. Never rejects. */
  settled(): Promise<void>
}

/** Writes down what an attempt has used while it runs: a host that dies has not lost it. What cannot be written fails nothing. */
export function keepUsed(ports: Kept, attemptId: string, agentId: string): UsedKeeper {
  const file = fileOf(ports, attemptId)
  let newest: AgentUsage | null = null
  let writing: Promise<void> | null = null
  const write = async (): Promise<void> => {
    try {
      await mkdir(ports.attemptsDirectory, { recursive: true, mode: 0o700 })
      while (newest !== null) {
        const usage = newest
        newest = null
        // Renamed into place: half a number is worse than the one before.
        await writeFile(`${file}.new`, JSON.stringify({ agentId, usage }), { mode: 0o600 })
        await rename(`${file}.new`, file)
      }
    } catch (error) {
      ports.log.warn('What a running attempt uses could not be kept', { error: String(error) })
    }
    writing = null
  }
  return {
    note: (usage) => {
      newest = usage
      writing ??= write()
    },
    settled: async () => {
      await writing
    },
  }
}

/** Takes away what was kept of an attempt: its end is recorded, with all that it used. Never rejects. */
export async function forgetUsed(ports: Kept, attemptId: string): Promise<void> {
  await rm(fileOf(ports, attemptId), { force: true }).catch(() => undefined)
}

/** What an attempt had used when its host died, and by which agent; `null` if nothing is known of it. Never rejects. */
export async function readUsed(ports: Kept, attemptId: string): Promise<UsedWhenCutOff | null> {
  try {
    const { agentId, usage } = keptSchema.parse(JSON.parse(await readFile(fileOf(ports, attemptId), 'utf8')))
    return { agentId, activity: { ...createActivityCollector().activity(), usage } }
  } catch {
    return null
  }
}

export interface UsedWhenCutOff {
  readonly agentId: string
  readonly activity: AgentActivity
}

const keptSchema = z.object({ agentId: z.string(), usage: agentUsageSchema })
