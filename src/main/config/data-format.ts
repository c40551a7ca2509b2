import { join } from 'node:path'
import { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import { readStored } from '../files/bounded-file.ts'
import { setAside, writeFileAtomically } from '../files/durable-file.ts'

/**
 * The format of all files of a data folder together. Raise it for a change that the previous version could not read, but not for one that
 * it can ignore (a field, an event of a new type).
 */
export const DATA_FORMAT = 1

const MAXIMUM_BYTES = 4096

const formatSchema = z.object({
  format: z.int().min(1),
  /** The version of Pulseward that wrote here last. */
  version: z.string().max(100),
})

function formatFile(dataDirectory: string): string {
  return join(dataDirectory, 'format.json')
}

/**
 * Returns a message if a newer Pulseward wrote the data in a format that this one would misread; otherwise `null`. Changes nothing, and
 * never rejects.
 */
export async function newerFormat(dataDirectory: string): Promise<string | null> {
  const written = await readFormat(dataDirectory)
  if (written === null || written.format <= DATA_FORMAT) return null
  return `${dataDirectory} was written by a newer Pulseward (${written.version}, format ${written.format}); this one reads format ${DATA_FORMAT}. Install that version, or restore an earlier backup with \`pulseward backup restore\`. Nothing was changed.`
}

/**
 * Writes this version's mark into a data folder that the caller owns. Rejects with a `RequestProblem` if the data folder has a newer
 * format, and then changes nothing.
 */
export async function markFormat(dataDirectory: string, version: string): Promise<void> {
  const newer = await newerFormat(dataDirectory)
  if (newer !== null) throw new RequestProblem('unprocessable', newer)
  const written = await readFormat(dataDirectory)
  if (written?.version === version && written.format === DATA_FORMAT) return
  const path = formatFile(dataDirectory)
  // The file is damaged. Only the mark is lost: the other files show their format themselves.
  if (written === null) await setAside(path, Date.now())
  await writeFileAtomically(path, `${JSON.stringify({ format: DATA_FORMAT, version })}\n`)
}

async function readFormat(dataDirectory: string): Promise<z.infer<typeof formatSchema> | null> {
  return await readStored(formatSchema, formatFile(dataDirectory), MAXIMUM_BYTES)
}
