import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { makeDirectories } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'

/** Longer texts are not kept. */
export const MAX_KEPT_BYTES = 4 * 1024 * 1024

/** Texts kept by the hash of their bytes: reading returns exactly what was kept, or nothing. */
export interface TextStore {
  /** Keeps the bytes and returns their hash. Rejects with a `RequestProblem` if that fails. */
  keep(bytes: Buffer): Promise<string>
  /** Returns the path for the text with this hash, whether it is kept or not. */
  path(hash: string): string
  /** Returns `null` if there is no such text or it no longer matches its hash. */
  read(hash: string): Promise<Buffer | null>
  /** Removes all other texts. Never rejects. */
  prune(kept: ReadonlySet<string>): Promise<void>
}

/** Creates a store in `directory` that only the operator can read. */
export function createTextStore(directory: string): TextStore {
  const pathOf = (hash: string) => join(directory, hash)
  const read = async (hash: string): Promise<Buffer | null> => {
    if (!/^[0-9a-f]{64}$/.test(hash)) return null
    const reading = await readBoundedFile(pathOf(hash), MAX_KEPT_BYTES)
    return reading.ok && sha256(reading.bytes) === hash ? reading.bytes : null
  }
  return {
    path: pathOf,
    read,
    keep: async (bytes) => {
      const hash = sha256(bytes)
      if ((await read(hash)) !== null) return hash
      await makeDirectories(directory).catch(() => undefined)
      await replaceFile(pathOf(hash), bytes, 0o600)
      return hash
    },
    prune: async (kept) => {
      const names = await readdir(directory).catch((): string[] => [])
      const stale = names.filter((name) => !kept.has(name))
      await Promise.allSettled(stale.map((name) => rm(join(directory, name), { force: true })))
    },
  }
}
