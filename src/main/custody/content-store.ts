import { createHash, webcrypto } from 'node:crypto'
import { constants } from 'node:fs'
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
} from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { makeDirectories, writeFileAtomically } from '../files/durable-file.ts'
import { errorCode, explainCode, StorageError } from '../files/storage-error.ts'

/*
 * One store for the whole data folder: contents by their SHA-256, each once, readable by the operator alone. It is bounded: where it
 * grows over its limit, what was not used for longest goes first, so a reader must bear with a content that is no longer there.
 */

/** What stood at a path. `lost`: it could not be kept, and why. */
export type SavedFile = { readonly path: string } & (
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly hash: string; readonly isExecutable: boolean }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'lost'; readonly reason: string }
)

/** What came of putting files back. Paths as given. */
export interface Restored {
  readonly restored: readonly string[]
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
}

export interface ContentStore {
  /** Keeps what stands at `paths` below `root` (relative, with `/`) before it is changed. Never rejects. */
  saveBefore(root: string, paths: readonly string[]): Promise<readonly SavedFile[]>
  /**
   * Puts files below `root` back as they were saved: contents, executable bits, links, and that nothing stood there. Nothing outside
   * `root` is touched, whatever links lie in the way. Never rejects: what could not be put back is said.
   */
  restore(root: string, saved: readonly SavedFile[]): Promise<Restored>
  /** Keeps a content and answers with its hash; `null` where it is too large or the disk refuses. */
  keep(bytes: Buffer): Promise<string | null>
  /** `null` where it is not there, or no longer what its name says. */
  read(hash: string): Promise<Buffer | null>
  /** Takes the store back to its limit. Never rejects. */
  prune(): Promise<void>
}

export interface ContentStoreLimits {
  /** A larger file is not kept. */
  readonly maxFileBytes: number
  readonly maxBytes: number
}

const LIMITS: ContentStoreLimits = { maxFileBytes: 16 * 1024 * 1024, maxBytes: 1024 * 1024 * 1024 }
const AT_ONCE = 16

/** The store in `directory`, which is made when the first content comes. */
export function createContentStore(directory: string, limits = LIMITS): ContentStore {
  const contents = contentsIn(directory, limits.maxFileBytes)
  return {
    keep: async (bytes) => {
      const kept = await contents.keep(bytes)
      return 'hash' in kept ? kept.hash : null
    },
    read: contents.read,
    saveBefore: (root, paths) => eachOf(paths, (path) => save(contents, root, path, limits.maxFileBytes)),
    restore: async (root, saved) => {
      const outcomes = await eachOf(saved, async (one) => ({
        path: one.path,
        reason: await putBack(contents, root, one).catch(messageOf),
      }))
      return {
        restored: outcomes.flatMap(({ path, reason }) => (reason === null ? [path] : [])),
        failed: outcomes.flatMap(({ path, reason }) => (reason === null ? [] : [{ path, reason }])),
      }
    },
    prune: () => prune(directory, limits.maxBytes).catch(() => undefined),
  }
}

interface Contents {
  keep(bytes: Buffer): Promise<{ readonly hash: string } | { readonly reason: string }>
  read(hash: string): Promise<Buffer | null>
}

function contentsIn(directory: string, maxFileBytes: number): Contents {
  const place = (hash: string): string => join(directory, hash.slice(0, 2), hash.slice(2))
  return {
    keep: async (bytes) => {
      if (bytes.length > maxFileBytes) return { reason: 'it is too large' }
      const hash = await hashOf(bytes)
      const path = place(hash)
      try {
        const now = new Date()
        const known = await utimes(path, now, now).then(
          () => true,
          () => false,
        )
        if (known) return { hash }
        await makeDirectories(dirname(path))
        await writeFileAtomically(path, bytes, { isShared: true, isDurable: false })
        return { hash }
      } catch (error) {
        const code = error instanceof StorageError ? error.code : errorCode(error)
        return { reason: `it could not be kept: ${explainCode(code)}` }
      }
    },
    read: async (hash) => {
      if (!/^[0-9a-f]{64}$/.test(hash)) return null
      const bytes = await readFile(place(hash)).catch(() => null)
      return bytes !== null && (await hashOf(bytes)) === hash ? bytes : null
    },
  }
}

/** Hashing more than this takes longer than handing it to a thread. */
const HASHED_HERE_BYTES = 128 * 1024

/** SHA-256 in hex; that of a large content, of which an agent may leave many at once, does not keep the loop. */
async function hashOf(bytes: Buffer): Promise<string> {
  if (bytes.length <= HASHED_HERE_BYTES) return createHash('sha256').update(bytes).digest('hex')
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

async function save(contents: Contents, root: string, path: string, maxBytes: number): Promise<SavedFile> {
  try {
    const file = join(root, path)
    const stats = await lstat(file)
    if (stats.isSymbolicLink()) return { path, kind: 'link', target: await readlink(file) }
    if (!stats.isFile()) return { path, kind: 'lost', reason: 'it is neither a file nor a link' }
    const bytes = await readRegular(file, maxBytes)
    const kept = bytes === null ? { reason: 'it is too large' } : await contents.keep(bytes)
    if ('reason' in kept) return { path, kind: 'lost', reason: kept.reason }
    return { path, kind: 'file', hash: kept.hash, isExecutable: (stats.mode & 0o100) !== 0 }
  } catch (error) {
    return isMissing(error) ? { path, kind: 'absent' } : { path, kind: 'lost', reason: messageOf(error) }
  }
}

/** Why it was not put back; `null`: it was. */
async function putBack(contents: Contents, root: string, saved: SavedFile): Promise<string | null> {
  if (saved.kind === 'lost') return saved.reason
  const file = join(root, saved.path)
  if (!(await isReachedWithin(root, file))) return 'a link on its way leads out of the folder'
  if (saved.kind === 'absent') {
    await rm(file, { force: true })
    return null
  }
  const bytes = saved.kind === 'file' ? await contents.read(saved.hash) : null
  if (saved.kind === 'file' && bytes === null) return 'its content is no longer kept'
  await mkdir(dirname(file), { recursive: true })
  if (saved.kind === 'link') {
    await rm(file, { force: true })
    await symlink(saved.target, file)
    return null
  }
  const before = await lstat(file).catch(() => null)
  const mode = before?.isFile() ? before.mode & 0o777 : 0o644
  await writeFileAtomically(file, bytes ?? '', {
    mode: saved.isExecutable ? mode | 0o111 : mode & ~0o111,
    isShared: true,
    isDurable: false,
  })
  return null
}

/** At most `maxBytes` of a regular file; `null` for a larger one. No link is followed, and no pipe waited for. */
export async function readRegular(path: string, maxBytes: number): Promise<Buffer | null> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const { size } = await file.stat()
    if (size > maxBytes) return null
    // What is not read is cut off: clearing so much first would only take time.
    const buffer = Buffer.allocUnsafe(size)
    const { bytesRead } = await file.read(buffer, 0, size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Whether the nearest folder there is on the way to `file` lies in `root`, links followed. */
async function isReachedWithin(root: string, file: string): Promise<boolean> {
  const top = await realpath(root)
  for (let folder = dirname(file); folder.length >= root.length; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => null)
    if (real === null) continue
    const way = relative(top, real)
    return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
  }
  return false
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

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
