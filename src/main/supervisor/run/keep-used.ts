import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createActivityCollector } from '../../../core/activity/collect.ts'
import { type AgentActivity, type AgentUsage, agentUsageSchema } from '../../../core/activity/types.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

type Kept = Pick<WorkspacePorts, 'attemptsDirectory' | 'log'>

/** Returns the file that stores a running attempt's usage until its end is recorded. */
function fileOf({ attemptsDirectory }: Kept, attemptId: string): string {
  return join(attemptsDirectory, `${attemptId}.used`)
}

export interface UsedKeeper {
  /** Writes the newest usage; skips values that arrive while one is being written. */
  note(usage: AgentUsage): void
  /** Resolves once everything is written. Never rejects. */
  settled(): Promise<void>
}

/** Writes an attempt's usage to a file while it runs, so that it survives a crash of the host. Failing to write it fails nothing. */
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
        // Written by renaming: half a number is worse than the previous one.
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

/** Removes an attempt's stored usage, because its end has been recorded with all that it used. Never rejects. */
export async function forgetUsed(ports: Kept, attemptId: string): Promise<void> {
  await rm(fileOf(ports, attemptId), { force: true }).catch(() => undefined)
}

/** Returns what an attempt had used when its host died, and by which agent; `null` if nothing is known about it. Never rejects. */
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
