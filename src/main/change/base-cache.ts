import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { asStored } from '../../core/reports/test-report.ts'
import type { GateResult } from '../../core/verification/types.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'

/**
 * Caches the results of checks on a base from one command to the next. The cache is in the data folder, which sandboxed checks can't see;
 * without a sandbox, nothing is read from it or saved (`measure.ts`).
 */
export interface BaseCache {
  readonly read: (key: BaseKey) => Promise<readonly GateResult[] | null>
  readonly keep: (key: BaseKey, results: readonly GateResult[]) => Promise<void>
}

/** Everything that the results of a base's checks depend on. */
export interface BaseKey {
  readonly tree: string
  readonly folder: string
  /** Hash of contract and configuration, with the commands, which may have been detected. */
  readonly policy: string
  readonly version: string
}

const MAX_BYTES = 64 * 1024 * 1024
const MAX_ENTRIES = 50
const FORMAT = 2

export function openBaseCache(dataDirectory: string): BaseCache {
  const folder = join(dataDirectory, 'verify-cache')
  const place = (key: BaseKey): string => join(folder, `${nameOf(key)}.json`)
  return {
    read: async (key) => {
      const reading = await readBoundedFile(place(key), MAX_BYTES)
      if (!reading.ok) return null
      try {
        const kept = JSON.parse(reading.bytes.toString('utf8')) as {
          key?: string
          results?: readonly GateResult[]
        }
        if (kept.key !== JSON.stringify(key) || !Array.isArray(kept.results)) return null
        const now = new Date()
        await utimes(place(key), now, now).catch(() => undefined)
        return kept.results
      } catch {
        return null
      }
    },
    keep: async (key, results) => {
      // If the cache cannot be written, that only costs time.
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await replaceFile(place(key), JSON.stringify({ key: JSON.stringify(key), results }, asStored), 0o600)
        await prune(folder)
      } catch {
        return
      }
    },
  }
}

function nameOf(key: BaseKey): string {
  const platform = [process.platform, process.arch, FORMAT]
  return createHash('sha256')
    .update(JSON.stringify([key.tree, key.folder, key.policy, key.version, platform]))
    .digest('hex')
}

/** Deletes the entries that were used least recently. */
async function prune(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  if (names.length <= MAX_ENTRIES) return
  const aged = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  )
  const oldest = aged.toSorted((one, other) => one.at - other.at).slice(0, names.length - MAX_ENTRIES)
  for (const { name } of oldest) await rm(join(folder, name), { force: true })
}
