import { createHash } from 'node:crypto'
import { type FileHandle, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Ground,
  linkBeneath,
  lookBeneath,
  readBeneathSync,
  removeBeneath,
  replaceBeneath,
  withFileBeneath,
  withoutLinksIn,
} from '../files/beneath.ts'
import { makeDirectories, writeFileAtomically } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import { errorCode, explainCode, isAbsence, StorageError } from '../files/storage-error.ts'
import { succeeds } from '../files/succeeds.ts'

/*
 * One store for the whole data folder: contents by their SHA-256, each once, readable only by the operator. Its size is limited: above the
 * limit, what was unused for the longest time is removed first, so a reader must expect that a content is gone.
 */

/**
 * What was at a path. `led-out`: a link along the path leads out of the folder, so the file is not in the folder. `lost`: it could not be
 * kept, with the reason.
 */
export type SavedFile = { readonly path: string } & (
  | { readonly kind: 'absent' }
  | { readonly kind: 'led-out' }
  | { readonly kind: 'file'; readonly hash: string; readonly isExecutable: boolean }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'lost'; readonly reason: string }
)

/** The result of restoring files, with paths as given. */
export interface Restored {
  readonly restored: readonly string[]
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
}

export interface ContentStore {
  /** Keeps what is at `paths` below `root` (relative, with `/`) before it is changed. Never rejects. */
  saveBefore(root: string, paths: readonly string[]): Promise<readonly SavedFile[]>
  /**
   * Restores files below `root` as they were saved: contents, executable bits, links and absence. Touches nothing outside `root`,
   * whatever links are in the way. Never rejects: returns what could not be restored.
   */
  restore(root: string, saved: readonly SavedFile[]): Promise<Restored>
  /** Keeps a content and returns its hash; `null` if it is too large or the disk refuses. */
  keep(bytes: Buffer): Promise<string | null>
  /**
   * Keeps the content of a regular file and returns its hash, even if the disk refuses to store it. Follows no link and waits for
   * no pipe. Returns `null` if the file is too large. Rejects if it cannot be read.
   */
  keepFile(ground: Ground, path: string): Promise<string | null>
  /** Returns `null` if the content is missing or no longer matches its hash. */
  read(hash: string): Promise<Buffer | null>
  /** Reduces the store to its limit. Never rejects. */
  prune(): Promise<void>
}

export interface ContentStoreLimits {
  /** A larger file is not kept. */
  readonly maxFileBytes: number
  readonly maxBytes: number
}

const LIMITS: ContentStoreLimits = { maxFileBytes: 16 * 1024 * 1024, maxBytes: 1024 * 1024 * 1024 }
const AT_ONCE = 16

/** Opens the store in `directory`, which is created with the first content. */
export function createContentStore(directory: string, limits = LIMITS): ContentStore {
  const contents = contentsIn(directory, limits.maxFileBytes)
  return {
    keep: async (bytes) => {
      const kept = await contents.keep(bytes)
      return kept.reason === undefined ? kept.hash : null
    },
    keepFile: async (ground, path) => (await contents.keepFile(ground, path)).hash,
    read: contents.read,
    saveBefore: (root, paths) => eachOf(paths, (path) => save(contents, root, path)),
    restore: async (root, saved) => {
      const putAll = (some: readonly SavedFile[]) =>
        eachOf(some, async (one) => ({
          path: one.path,
          reason: await putBack(contents, root, one).catch(messageOf),
        }))
      // Remove links first, because one may be where a folder was.
      const gone = await putAll(saved.filter(isNothing))
      const outcomes = [...gone, ...(await putAll(saved.filter((one) => !isNothing(one))))]
      return {
        restored: outcomes.flatMap(({ path, reason }) => (reason === null ? [path] : [])),
        failed: outcomes.flatMap(({ path, reason }) => (reason === null ? [] : [{ path, reason }])),
      }
    },
    prune: () => prune(directory, limits.maxBytes).catch(() => undefined),
  }
}

/** `reason`: why it was not kept. The hash is known anyway, unless the content is too large. */
type Kept =
  | { readonly hash: string; readonly reason?: undefined }
  | { readonly hash: string | null; readonly reason: string }

interface Contents {
  keep(bytes: Buffer): Promise<Kept>
  /** Keeps the content of a regular file. Rejects if it cannot be read. */
  keepFile(ground: Ground, path: string): Promise<Kept>
  read(hash: string): Promise<Buffer | null>
}

function contentsIn(directory: string, maxFileBytes: number): Contents {
  const place = (hash: string): string => join(directory, hash.slice(0, 2), hash.slice(2))
  const keepAs = async (hash: string, content: () => Buffer | AsyncIterable<Buffer>): Promise<Kept> => {
    const path = place(hash)
    try {
      const now = new Date()
      const known = await succeeds(utimes(path, now, now))
      if (known) return { hash }
      await makeDirectories(dirname(path))
      await writeFileAtomically(path, content(), { isShared: true, isDurable: false })
      return { hash }
    } catch (error) {
      const code = error instanceof StorageError ? error.code : errorCode(error)
      return { hash, reason: `it could not be kept: ${explainCode(code)}` }
    }
  }
  const keep = async (bytes: Buffer): Promise<Kept> =>
    bytes.length > maxFileBytes ? TOO_LARGE : keepAs(await hashOfBytes(bytes), () => bytes)
  return {
    keep,
    keepFile: async (ground, path) => {
      // Most files are small, and reading them takes less time than waiting for each step.
      const reading = readBeneathSync(ground, path, PIECE_BYTES, { last: 'keep' })
      if (reading.ok) return keep(reading.bytes)
      if (reading.code !== 'TOO_LARGE') throw unreadable(reading.code)
      const kept = await withFileBeneath(
        ground,
        path,
        async (file, { size }): Promise<Kept> => {
          if (size > maxFileBytes) return TOO_LARGE
          const hash = await hashOf(piecesOf(file, size))
          const pieces = asHashed(hash, piecesOf(file, size))
          const kept = await keepAs(hash, () => pieces.all)
          // A file that changes all the time is kept as it is at one moment.
          return pieces.haveChanged() ? keep(await readWhole(file, size)) : kept
        },
        { last: 'keep' },
      )
      if ('code' in kept) throw unreadable(kept.code)
      return kept
    },
    read: async (hash) => {
      if (!/^[0-9a-f]{64}$/.test(hash)) return null
      const bytes = await readFile(place(hash)).catch(() => null)
      return bytes !== null && (await hashOfBytes(bytes)) === hash ? bytes : null
    },
  }
}

const TOO_LARGE: Kept = { hash: null, reason: 'it is too large' }

/**
 * A piece takes a fifth of a millisecond to hash. Large files, of which an agent may leave many, are never held in memory whole: allocating
 * and clearing that much blocks the event loop for longer than hashing it.
 */
const PIECE_BYTES = 256 * 1024

/** Returns the hex SHA-256. */
async function hashOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

async function hashOfBytes(bytes: Buffer): Promise<string> {
  if (bytes.length > PIECE_BYTES) return hashOf(inPieces(bytes))
  return sha256(bytes)
}

/** Yields pieces of the bytes, and lets other work run between two of them. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES) {
    if (offset > 0) await nextTurn()
    yield bytes.subarray(offset, offset + PIECE_BYTES)
  }
}

/** Yields at most `size` bytes of the file. A piece is overwritten once the next one is requested. */
async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES))
  for (let offset = 0; offset < size; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - offset), offset)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    offset += bytesRead
  }
}

/** Returns the pieces; after the last one they throw if the whole doesn't have this hash. */
function asHashed(
  expected: string,
  pieces: AsyncIterable<Buffer>,
): { readonly all: AsyncIterable<Buffer>; readonly haveChanged: () => boolean } {
  let haveChanged = false
  const all = async function* (): AsyncGenerator<Buffer> {
    const hash = createHash('sha256')
    for await (const piece of pieces) {
      hash.update(piece)
      yield piece
    }
    haveChanged = hash.digest('hex') !== expected
    if (haveChanged) throw new Error('The file has changed since it was hashed.')
  }
  return { all: all(), haveChanged: () => haveChanged }
}

function unreadable(code: string): Error {
  return Object.assign(new Error(explainCode(code)), { code })
}

async function save(contents: Contents, root: string, path: string): Promise<SavedFile> {
  const lost = (reason: string): SavedFile => ({ path, kind: 'lost', reason })
  try {
    const found = await lookBeneath(withoutLinksIn(root), path, 'keep')
    if (found.kind === 'unreadable') return lost(explainCode(found.code))
    if (found.kind === 'missing' || found.kind === 'free') return { path, kind: 'absent' }
    if (found.kind !== 'found') return { path, kind: 'led-out' }
    const { stats, target } = found
    if (target !== null) return { path, kind: 'link', target }
    if (!stats.isFile()) return lost('it is neither a file nor a link')
    const kept = await contents.keepFile(withoutLinksIn(root), path)
    if (kept.reason !== undefined) return lost(kept.reason)
    return { path, kind: 'file', hash: kept.hash, isExecutable: (stats.mode & 0o100) !== 0 }
  } catch (error) {
    return isAbsence(error) ? { path, kind: 'absent' } : lost(messageOf(error))
  }
}

function isNothing<Saved extends SavedFile>(
  saved: Saved,
): saved is Extract<Saved, { kind: 'absent' | 'led-out' }> {
  return saved.kind === 'absent' || saved.kind === 'led-out'
}

const LEADS_OUT = 'a link on its way leads out of the folder'

/** Restores a file. Returns why it was not restored; `null`: it was. */
async function putBack(contents: Contents, root: string, saved: SavedFile): Promise<string | null> {
  if (saved.kind === 'lost') return saved.reason
  const { path } = saved
  const found = await lookBeneath(withoutLinksIn(root), path, 'keep')
  if (found.kind === 'led-out' || found.kind === 'beyond') return isNothing(saved) ? null : LEADS_OUT
  if (isNothing(saved)) {
    await removeBeneath(withoutLinksIn(root), path)
    return null
  }
  if (saved.kind === 'link') {
    await linkBeneath(withoutLinksIn(root), path, saved.target)
    return null
  }
  const bytes = await contents.read(saved.hash)
  if (bytes === null) return 'its content is no longer kept'
  const mode = found.kind === 'found' && found.stats.isFile() ? found.stats.mode & 0o777 : 0o644
  await replaceBeneath(withoutLinksIn(root), path, bytes, {
    mode: saved.isExecutable ? mode | 0o111 : mode & ~0o111,
    isDurable: false,
    last: 'keep',
    make: true,
  })
  return null
}

async function readWhole(file: FileHandle, size: number): Promise<Buffer> {
  // Allocated without clearing, which would only take time; bytes that are not read are cut off.
  const buffer = Buffer.allocUnsafe(size)
  const { bytesRead } = await file.read(buffer, 0, size, 0)
  return buffer.subarray(0, bytesRead)
}

async function prune(directory: string, maxBytes: number): Promise<void> {
  const kept: { path: string; size: number; usedMs: number }[] = []
  for (const folder of await readdir(directory)) {
    for (const name of await readdir(join(directory, folder)).catch(() => [])) {
      const path = join(directory, folder, name)
      const stats = await stat(path).catch(() => null)
      if (stats?.isFile()) kept.push({ path, size: stats.size, usedMs: stats.mtimeMs })
    }
  }
  let total = kept.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size } of kept.sort((one, other) => one.usedMs - other.usedMs)) {
    if (total <= maxBytes) return
    await rm(path, { force: true })
    total -= size
  }
}

async function eachOf<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  const waiting = items.entries()
  const worker = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
