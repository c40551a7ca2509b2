import { appendFile, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson } from '../../core/text/json.ts'
import { PRIVATE_FILE } from '../files/durable-file.ts'

/*
 * A command that an agent's process runs while no host answers is refused by the command itself. It is saved in the data folder,
 * and the next host records it.
 */

const NAME = 'refused-commands.jsonl'
const MAX_BYTES = 64 * 1024
const MAX_TOLD = 20

const refusedSchema = z.object({
  /** ISO 8601. */
  at: z.string().max(40),
  command: z
    .string()
    .max(200)
    .transform((words) => words.replace(/[^\x20-\x7e]/g, '?')),
  pid: z.int(),
  /** The folder in which it was run. */
  directory: z.string().max(4096),
})

export type RefusedCommand = z.infer<typeof refusedSchema>

/** Saves a refused command. Never rejects: without write access there is nothing else to do. */
export async function noteRefusedCommand(dataDirectory: string, refused: RefusedCommand): Promise<void> {
  const path = join(dataDirectory, NAME)
  try {
    const size = await stat(path).then(
      (status) => status.size,
      () => 0,
    )
    if (size < MAX_BYTES) await appendFile(path, `${JSON.stringify(refused)}\n`, { mode: PRIVATE_FILE })
  } catch {
    // There is no data folder, or it is not ours.
  }
}

/** Returns the commands saved since the last host read them; each is returned once. Never rejects. */
export async function takeRefusedCommands(dataDirectory: string): Promise<readonly RefusedCommand[]> {
  const path = join(dataDirectory, NAME)
  const taken = `${path}.taken`
  try {
    await rename(path, taken)
    const text = (await readFile(taken, 'utf8')).slice(0, 2 * MAX_BYTES)
    const lines = text.split('\n').filter(Boolean).slice(-MAX_TOLD)
    return lines.flatMap((line) => readJson(refusedSchema, line) ?? [])
  } catch {
    return []
  } finally {
    await rm(taken, { force: true }).catch(() => undefined)
  }
}
