import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { versionSchema } from '../../core/update/version.ts'
import { readStored } from '../files/bounded-file.ts'
import { createDirectory, writeFileAtomically } from '../files/durable-file.ts'

const MAXIMUM_BYTES = 8 * 1024 * 1024
const FILE = 'updates.json'

/** What is stored about updates, in `updates/` of the data folder; only what is signed is trusted. */
const keptSchema = z.object({
  /** ISO 8601, of the latest accepted feed. */
  checkedAt: z.iso.datetime().nullable(),
  problem: z.string().max(2_000).nullable(),
  /** The feed as it was downloaded, with its signature. */
  envelope: z.string().nullable(),
  /** The version that the latest update replaced, and the backup made before it. */
  before: z.object({ version: versionSchema, backup: z.string().max(200) }).nullable(),
})

export type Kept = Readonly<z.infer<typeof keptSchema>>

const NOTHING: Kept = { checkedAt: null, problem: null, envelope: null, before: null }

export function updatesDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'updates')
}

/** Returns defaults if the file is missing or unreadable: the feed is downloaded again. */
export async function readKept(dataDirectory: string): Promise<Kept> {
  return (await readStored(keptSchema, join(updatesDirectory(dataDirectory), FILE), MAXIMUM_BYTES)) ?? NOTHING
}

/** Rejects with a `StorageError`. */
export async function writeKept(dataDirectory: string, kept: Kept): Promise<void> {
  const directory = updatesDirectory(dataDirectory)
  await createDirectory(directory)
  await writeFileAtomically(join(directory, FILE), `${JSON.stringify(kept)}\n`)
}

/** Deletes packages that are neither installed nor needed for a rollback, because they take space. */
export async function dropPackages(dataDirectory: string, keep: readonly string[]): Promise<void> {
  const directory = updatesDirectory(dataDirectory)
  for (const name of await readdir(directory).catch(() => [])) {
    if (name !== FILE && !keep.includes(name)) await rm(join(directory, name), { force: true })
  }
}
