import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import { hubPassSchema } from '../../core/fleet/join-token.ts'
import { labelSchema } from '../../core/fleet/names.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { syncDirectory, writeFileAtomically } from '../files/durable-file.ts'

/** How this host joined, with its group. Stored in `fleet.json`, which is private because it contains the key. */
const memberFileSchema = hubPassSchema.extend({
  url: z.string(),
  group: labelSchema.nullable(),
  labels: z.array(labelSchema),
  /** Distinguishes two machines that joined with the same token; older files have none. */
  instance: z.string().max(60).default(''),
})

export type MemberFile = z.infer<typeof memberFileSchema>

const centreFileSchema = hubPassSchema.extend({ url: z.string() })

export type CentreFile = z.infer<typeof centreFileSchema>

const MAX_BYTES = 256 * 1024

export const memberPath = (dataDirectory: string): string => join(dataDirectory, 'fleet.json')

/** Returns `null` if this host is in no fleet. Rejects with a `RequestProblem` if the file exists but can't be used. */
export async function readMemberFile(dataDirectory: string): Promise<MemberFile | null> {
  const path = memberPath(dataDirectory)
  return readPass(path, memberFileSchema, 'Join again with `pulseward fleet join URL --token …`.')
}

export async function writeMemberFile(dataDirectory: string, file: MemberFile): Promise<void> {
  await writeFileAtomically(memberPath(dataDirectory), `${JSON.stringify(file, null, 2)}\n`)
}

export async function removeMemberFile(dataDirectory: string): Promise<void> {
  await rm(memberPath(dataDirectory), { force: true })
  await syncDirectory(dataDirectory)
}

/** Reads the center's own pass from its hub's folder. Rejects with a `RequestProblem`. */
export async function readCentreFile(directory: string): Promise<CentreFile> {
  const path = join(directory, 'centre.json')
  const remedy = 'Pass the folder that `pulseward fleet hub` wrote.'
  const file = await readPass(path, centreFileSchema, remedy)
  if (file === null) throw new RequestProblem('not-found', `There is no ${path}. ${remedy}`)
  return file
}

async function readPass<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  remedy: string,
): Promise<z.output<Schema> | null> {
  const reading = await readBoundedFile(path, MAX_BYTES)
  if (!reading.ok && reading.code === 'ENOENT') return null
  if (!reading.ok)
    throw new RequestProblem('unprocessable', `${path} can't be read (${reading.code}). ${remedy}`)
  if (process.platform !== 'win32' && (reading.mode & 0o077) !== 0)
    throw new RequestProblem(
      'unprocessable',
      `${path} contains a key, and others may read it: chmod 600 ${path}`,
    )
  try {
    return schema.parse(JSON.parse(reading.bytes.toString('utf8')))
  } catch (error) {
    throw new RequestProblem('unprocessable', `${path} was not written by Pulseward. ${remedy}`, {
      cause: error,
    })
  }
}
