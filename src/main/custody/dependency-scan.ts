import { createHash } from 'node:crypto'
import { join, relative, sep } from 'node:path'
import { installedFile, isDependencyCache } from '../../core/custody/dependencies.ts'
import { onlyIn, readWithinSync, withFileBeneath } from '../files/beneath.ts'
import { entriesOf, lstatSync, readlinkSync, type Stats } from '../files/names.ts'
import { createPause } from './turns.ts'

/** An installed file as it was last looked at. */
export interface InstalledContent {
  /** Size, times and inode. */
  readonly state: string
  /** SHA-1 of its content, `link:…`, or `large:…` with size and times if it was too much to read. */
  readonly content: string
  /** When the file system last changed anything about it, epoch ms. Programs can't set that time. */
  readonly changedMs: number
}

export type InstalledFiles = ReadonlyMap<string, InstalledContent>

/** The scan stops at this many: installing that much already takes minutes. */
const MAX_FILES = 150_000
/** A larger file is read in pieces, with pauses for other work. */
const MAX_BYTES_AT_ONCE = 8 * 1024 * 1024
/** Limit for all larger files together: an agent can make files of any length that take no space on the disk. */
const MAX_LARGE_BYTES = 1024 ** 3

/**
 * Returns the installed files below these folders (`node_modules`, `.venv`, `vendor`), by path from `top`; reads contents only if the times
 * differ from the known ones. Works synchronously for a few milliseconds at a time, like `scanGuarded`. Never rejects.
 */
export async function scanInstalled(
  top: string,
  folders: readonly string[],
  known: InstalledFiles,
): Promise<InstalledFiles> {
  const pause = createPause()
  const found = new Map<string, InstalledContent>()
  const reading = { top, leftBytes: MAX_LARGE_BYTES }
  const waiting = folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
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
      const content = await contentAt(reading, `${place}${sep}${entry.name}`, before)
      if (content !== before) await pause()
      if (content !== null) found.set(path, content)
    }
  }
  return found
}

interface Reading {
  readonly top: string
  /** How much more of large files may be read. */
  leftBytes: number
}

async function contentAt(
  reading: Reading,
  file: string,
  known: InstalledContent | undefined,
): Promise<InstalledContent | null> {
  try {
    const stats = lstatSync(file)
    const state = `${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.ino}`
    if (known?.state === state) return known
    return { state, content: await readContent(reading, file, stats), changedMs: stats.ctimeMs }
  } catch {
    return null
  }
}

async function readContent(reading: Reading, file: string, stats: Stats): Promise<string> {
  const { top } = reading
  if (stats.isSymbolicLink()) return `link:${readlinkSync(file)}`
  if (!stats.isFile()) return 'other'
  if (stats.size > MAX_BYTES_AT_ONCE) {
    if (stats.size > reading.leftBytes) return `large:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`
    reading.leftBytes -= stats.size
    return hashInPieces(top, file)
  }
  const bytes = readWithinSync(top, file, MAX_BYTES_AT_ONCE, { last: 'keep' })
  if (bytes === null) throw new Error('It is gone, or cannot be read.')
  return createHash('sha1').update(bytes).digest('base64url')
}

async function hashInPieces(top: string, file: string): Promise<string> {
  const hash = createHash('sha1')
  const read = await withFileBeneath(
    onlyIn(top),
    relative(top, file),
    async (handle) => {
      const piece = Buffer.allocUnsafe(MAX_BYTES_AT_ONCE)
      for (let bytes = 1; bytes > 0; ) {
        const { bytesRead } = await handle.read(piece, 0, piece.length, null)
        bytes = bytesRead
        hash.update(piece.subarray(0, bytes))
      }
      return true
    },
    { last: 'keep' },
  )
  if (read !== true) throw new Error('It is gone, or cannot be read.')
  return hash.digest('base64url')
}
