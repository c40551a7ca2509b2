import { appendFile, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { PRIVATE_FILE } from '../files/durable-file.ts'

/*
 * A command line that an agent's process runs while no host answers is refused by the command itself, and nobody is there to hear of
 * it. It is written down beside the data, and the next host records it.
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
  /** Where it was run. */
  directory: z.string().max(4096),
})

export type RefusedCommand = z.infer<typeof refusedSchema>

/** Writes one down. Never rejects: who may not write there could not be stopped from it either. */
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

/** Those that were written down since the last host looked; each is handed out once. Never rejects. */
export async function takeRefusedCommands(dataDirectory: string): Promise<readonly RefusedCommand[]> {
  const path = join(dataDirectory, NAME)
  const taken = `${path}.taken`
  try {
    await rename(path, taken)
    const text = (await readFile(taken, 'utf8')).slice(0, 2 * MAX_BYTES)
    const lines = text.split('\n').filter(Boolean).slice(-MAX_TOLD)
    return lines.map(parsed).filter((one) => one !== null)
  } catch {
    return []
  } finally {
    await rm(taken, { force: true }).catch(() => undefined)
  }
}

function parsed(line: string): RefusedCommand | null {
  try {
    return refusedSchema.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
