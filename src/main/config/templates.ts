import { join } from 'node:path'
import { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import type { Template } from '../../api/schemas/setup.ts'
import { readBoundedFile } from '../files/bounded-file.ts'

const MAXIMUM_BYTES = 64 * 1024

const indexSchema = z.array(
  z.object({ id: z.string().regex(/^[a-z]+$/), title: z.string(), description: z.string() }),
)

/** Returns the contract templates in `directory`, in the order of its `templates.json`. Rejects if the installation is damaged. */
export async function readTemplates(directory: string): Promise<Template[]> {
  const index = indexSchema.parse(JSON.parse(await read(join(directory, 'templates.json'))))
  return Promise.all(
    index.map(async (entry) => ({
      ...entry,
      contract: await read(join(directory, `${entry.id}.md`)),
      configuration: await read(join(directory, `${entry.id}.toml`)),
    })),
  )
}

async function read(path: string): Promise<string> {
  const reading = await readBoundedFile(path, MAXIMUM_BYTES)
  if (!reading.ok)
    throw new RequestProblem('unavailable', `Cannot read ${path} (${reading.code}). Reinstall Pulseward.`)
  return reading.bytes.toString('utf8')
}
