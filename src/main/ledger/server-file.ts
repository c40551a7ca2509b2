import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../files/durable-file.ts'
import { errorCode, storageError } from '../files/storage-error.ts'
import { isProcessRunning } from '../process/process-identity.ts'

/** Where the owner of a data folder listens on loopback, and the token it requires. */
export interface ServerAddress {
  readonly port: number
  readonly token: string
  readonly pid: number
}

/** Returns null if invalid. Parsed by hand, because `status` must answer before a schema library has loaded. */
function parseAddress(value: unknown): ServerAddress | null {
  if (typeof value !== 'object' || value === null) return null
  const { port, token, pid } = value as Readonly<Record<keyof ServerAddress, unknown>>
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65535) return null
  if (typeof token !== 'string' || token === '' || token.length > 1024) return null
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return null
  return { port, token, pid }
}

const fileIn = (directory: string): string => join(directory, 'server.json')

/** Writes `server.json` (mode 0600: it holds the token) atomically. Rejects with a `StorageError`. */
export async function writeServerFile(directory: string, address: ServerAddress): Promise<void> {
  await writeFileAtomically(fileIn(directory), `${JSON.stringify(address)}\n`)
}

/**
 * Returns the address in `server.json`; null if there is none, it is invalid, or its process no longer runs. It may still not
 * answer. Rejects with a `StorageError` if the file exists and cannot be read.
 */
export async function readServerFile(directory: string): Promise<ServerAddress | null> {
  const path = fileIn(directory)
  try {
    if ((await stat(path)).size > 64 * 1024) return null
    const address = parseAddress(JSON.parse(await readFile(path, 'utf8')))
    return address !== null && isProcessRunning(address.pid, null) ? address : null
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return null
    throw storageError('read', path, error)
  }
}

/** Removes `server.json` if this process wrote it. */
export async function removeServerFile(directory: string): Promise<void> {
  const address = await readServerFile(directory)
  if (address?.pid === process.pid) await rm(fileIn(directory), { force: true })
}
