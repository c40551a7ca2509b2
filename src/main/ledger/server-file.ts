import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../files/durable-file.ts'
import { errorCode, storageError } from '../files/storage-error.ts'
import { isProcessRunning } from '../process/process-identity.ts'

const serverSchema = z.object({
  port: z.number().int().min(1).max(65535),
  token: z.string().min(1).max(1024),
  pid: z.number().int().positive(),
})

/** Where the owner of a data folder listens on loopback, and the token it asks for. */
export type ServerAddress = z.infer<typeof serverSchema>

const fileIn = (directory: string): string => join(directory, 'server.json')

/** Writes `server.json` (mode 0600: it holds the token) atomically. Rejects with a `StorageError`. */
export async function writeServerFile(directory: string, address: ServerAddress): Promise<void> {
  await writeFileAtomically(fileIn(directory), `${JSON.stringify(serverSchema.parse(address))}\n`)
}

/**
 * The address in `server.json`; null where there is none, it is not in order, or its process no longer runs. That it
 * answers is not sure yet. Rejects with a `StorageError` where the file is there and cannot be read.
 */
export async function readServerFile(directory: string): Promise<ServerAddress | null> {
  const path = fileIn(directory)
  try {
    if ((await stat(path)).size > 64 * 1024) return null
    const address = serverSchema.safeParse(JSON.parse(await readFile(path, 'utf8')))
    if (!address.success) return null
    return isProcessRunning(address.data.pid, null) ? address.data : null
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return null
    throw storageError('read', path, error)
  }
}

/** Removes `server.json` if this process wrote it; nothing where another process's stands or none. */
export async function removeServerFile(directory: string): Promise<void> {
  const address = await readServerFile(directory)
  if (address?.pid === process.pid) await rm(fileIn(directory), { force: true })
}
