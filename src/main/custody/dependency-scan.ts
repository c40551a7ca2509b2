import { createHash } from 'node:crypto'
import { join, sep } from 'node:path'
import { installedFile, isDependencyCache } from '../../core/custody/dependencies.ts'
import { readWithinSync } from '../files/beneath.ts'
import { entriesOf, lstatSync, readlinkSync, type Stats } from '../files/names.ts'
import { createPause } from './turns.ts'

/** An installed file as it was last looked at. */
export interface InstalledContent {
  /** Size, times and inode. */
  readonly state: string
  /** SHA-1 of its content, `link:…`, or `large:…` with its size and time. */
  readonly content: string
  /** When the file system last changed anything of it, epoch ms. Programs can't set that time. */
  readonly changedMs: number
}

export type InstalledFiles = ReadonlyMap<string, InstalledContent>

/** The scan stops here: installing this much takes minutes already. */
const MAX_FILES = 150_000
const MAX_HASHED_BYTES = 8 * 1024 * 1024

/**
 * The installed files below these folders (`node_modules`, `.venv`), by path from `top`; contents are read where the times differ from
 * what is known. Synchronous calls some milliseconds at a stretch, as in `scanGuarded`. Never rejects.
 */
export async function scanInstalled(
  top: string,
  folders: readonly string[],
  known: InstalledFiles,
): Promise<InstalledFiles> {
  const pause = createPause()
  const found = new Map<string, InstalledContent>()
  const waiting = [...folders]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    await pause()
    const place = join(top, folder)
    for (const entry of entriesOf(place)) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!isDependencyCache(entry.name)) waiting.push(path)
        continue
      }
      const before = known.get(path)
      if (found.size >= MAX_FILES || (before === undefined && installedFile(path) === null)) continue
      const content = contentAt(top, `${place}${sep}${entry.name}`, before)
      if (content !== before) await pause()
      if (content !== null) found.set(path, content)
    }
  }
  return found
}

function contentAt(top: string, file: string, known: InstalledContent | undefined): InstalledContent | null {
  try {
    const stats = lstatSync(file)
    const state = `${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.ino}`
    if (known?.state === state) return known
    return { state, content: readContent(top, file, stats), changedMs: stats.ctimeMs }
  } catch {
    return null
  }
}

function readContent(top: string, file: string, stats: Stats): string {
  if (stats.isSymbolicLink()) return `link:${readlinkSync(file)}`
  if (!stats.isFile() || stats.size > MAX_HASHED_BYTES) return `large:${stats.size}:${stats.mtimeMs}`
  const bytes = readWithinSync(top, file, MAX_HASHED_BYTES, { last: 'keep' })
  if (bytes === null) throw new Error('It is gone, or cannot be read.')
  return createHash('sha1').update(bytes).digest('base64url')
}
