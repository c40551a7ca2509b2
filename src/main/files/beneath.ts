import { randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, link, open, readlink, rename, rm, rmdir, symlink, unlink } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import type { FileReading } from './bounded-file.ts'
import { errorCode, explainCode, isAbsence } from './storage-error.ts'
import {
  at,
  type Found,
  type Ground,
  type HeldFolder,
  holding,
  holdingSync,
  isStillThere,
  isStillThereSync,
  onlyIn,
  type Refusal,
  type WalkOptions,
} from './walk-beneath.ts'

export { type Ground, groundOf, onlyIn, withoutLinksIn } from './walk-beneath.ts'

/*
 * All operations on paths that an agent can influence (contract, configuration, claimed files, evidence, reports, restored
 * files): nothing else in src/main opens one (`npm run arrows` checks it). Paths are relative to the ground's root, with `/`.
 */

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** What is at a path, without its content. A link at the end is returned as such if `last` is `keep`. */
type Standing = Exclude<Found, { kind: 'found' | 'free' }> | Kept
type Kept =
  | { readonly kind: 'found'; readonly stats: Stats; readonly path: string; readonly target: string | null }
  | { readonly kind: 'free'; readonly isDangling: boolean }

/** Returns what is at `path`: the real path, and the target of a kept link. Never rejects. */
export function lookBeneath(
  ground: Ground,
  path: string,
  last: 'follow' | 'keep' = 'follow',
): Promise<Standing> {
  return holding(ground, path, { last }, async (found): Promise<Standing> => {
    if (found.kind === 'free') return { kind: 'free', isDangling: found.isDangling }
    if (found.kind !== 'found') return found
    const { folder, name, stats } = found
    const target = stats.isSymbolicLink() ? await readlink(at(folder, name)).catch(() => null) : null
    return { kind: 'found', stats, path: realPathOf(folder, name), target }
  })
}

function realPathOf({ path }: HeldFolder, name: string): string {
  return name === '.' ? path : at({ path, fd: null }, name)
}

/** Reads a regular file of at most `maxBytes`. Never reads more, never waits for a pipe, never rejects. */
export async function readBeneath(
  ground: Ground,
  path: string,
  maxBytes: number,
  options: WalkOptions = {},
): Promise<FileReading> {
  const reading = await withFileBeneath(
    ground,
    path,
    async (file, stats): Promise<FileReading> => {
      if (stats.size > maxBytes) return { ok: false, code: 'TOO_LARGE', sizeBytes: stats.size }
      return { ok: true, bytes: await readUpTo(file, stats.size), mode: stats.mode & 0o777 }
    },
    options,
  ).catch((error: unknown) => ({ code: errorCode(error) }))
  return 'ok' in reading ? reading : { ok: false, code: reading.code, sizeBytes: 0 }
}

async function readUpTo(file: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await file.read(buffer, length, size - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}

/**
 * Runs `work` on a regular file opened for reading. Returns an error code if there is none: the system's, `LED_OUT` for a path
 * that a link leads out of the ground, `DANGLING`, or `NOT_A_FILE`. Rejects with what `work` rejects with.
 */
export function withFileBeneath<Result>(
  ground: Ground,
  path: string,
  work: (file: FileHandle, stats: Stats) => Promise<Result>,
  options: WalkOptions = {},
): Promise<Result | { readonly code: string }> {
  return holding(ground, path, options, async (found) => {
    const code = codeOf(found)
    if (found.kind !== 'found' || code !== null) return { code: code ?? 'ENOENT' }
    const { folder, name, fd } = found
    const opened = await open(openingPath(folder, name, fd), openingFlags(fd)).catch((error: unknown) => ({
      code: errorCode(error),
    }))
    if ('code' in opened) return opened
    try {
      const stats = await opened.stat()
      if (!stats.isFile()) return { code: 'NOT_A_FILE' }
      const isThere = await isStillThere(folder, name, stats).catch(() => false)
      return isThere ? await work(opened, stats) : { code: 'LED_OUT' }
    } finally {
      await opened.close()
    }
  })
}

/** Like `readBeneath`, synchronous. */
export function readBeneathSync(
  ground: Ground,
  path: string,
  maxBytes: number,
  options: WalkOptions = {},
): FileReading {
  const none = (code: string, sizeBytes = 0): FileReading => ({ ok: false, code, sizeBytes })
  try {
    return holdingSync(ground, path, options, (found) => {
      const code = codeOf(found)
      if (found.kind !== 'found' || code !== null) return none(code ?? 'ENOENT')
      const { folder, name, fd } = found
      const file = openSync(openingPath(folder, name, fd), openingFlags(fd))
      try {
        const stats = fstatSync(file)
        if (!stats.isFile()) return none('NOT_A_FILE')
        if (!isStillThereSync(folder, name, stats)) return none('LED_OUT')
        if (stats.size > maxBytes) return none('TOO_LARGE', stats.size)
        const buffer = Buffer.alloc(stats.size)
        let length = 0
        for (let read = -1; read !== 0 && length < buffer.length; length += read)
          read = readSync(file, buffer, length, buffer.length - length, length)
        return { ok: true, bytes: buffer.subarray(0, length), mode: stats.mode & 0o777 }
      } finally {
        closeSync(file)
      }
    })
  } catch (error) {
    return none(errorCode(error))
  }
}

/** Reads a file by its absolute path, opened beneath `top`; `null` if it is not readable, larger than `maxBytes`, or elsewhere. */
export function readWithinSync(
  top: string,
  file: string,
  maxBytes: number,
  options: WalkOptions = {},
): Buffer | null {
  const path = relative(top, file)
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return null
  const reading = readBeneathSync(onlyIn(top), path, maxBytes, options)
  return reading.ok ? reading.bytes : null
}

/** Runs `work` on a regular file below `top`, with a path that stays this file's if the system allows; does nothing if there is none. */
export function withOpenedSync(
  top: string,
  path: string,
  work: (opened: string, stats: Stats) => void,
): void {
  holdingSync(onlyIn(top), path, { last: 'keep' }, (found) => {
    if (found.kind !== 'found' || !found.stats.isFile()) return
    work(openingPath(found.folder, found.name, found.fd), found.stats)
  })
}

/** Returns the path to open, using the handle itself if there is one, because what that names cannot be swapped. */
function openingPath(folder: HeldFolder, name: string, fd: number | null): string {
  return fd === null ? at(folder, name) : `/proc/self/fd/${fd}`
}

function openingFlags(fd: number | null): number {
  return O_RDONLY | O_NONBLOCK | (fd === null ? O_NOFOLLOW : 0)
}

/** Returns why no file can be read there; `null`: one can. */
function codeOf(found: Found): string | null {
  if (found.kind === 'found') {
    // The system's error for a link that must not be followed.
    if (found.stats.isSymbolicLink()) return 'ELOOP'
    return found.stats.isFile() ? null : 'NOT_A_FILE'
  }
  return codeOfRefusal(found)
}

function codeOfRefusal(found: Refusal | { readonly kind: 'free'; readonly isDangling: boolean }): string {
  if (found.kind === 'unreadable') return found.code
  if (found.kind === 'led-out' || found.kind === 'beyond') return 'LED_OUT'
  if (found.kind === 'missing' && found.isLoop === true) return 'ELOOP'
  return found.isDangling ? 'DANGLING' : 'ENOENT'
}

interface BeneathReplacement extends WalkOptions {
  /** Permissions, not reduced by the umask. */
  readonly mode: number
  /** Survives a power cut, not just a crash. */
  readonly isDurable?: boolean
}

/**
 * Replaces the file at `path` atomically: a reader sees the complete old or new content. Writes nothing through a link that leads out.
 * Rejects with a `RequestProblem` (`unprocessable`) that says why; the old file then remains.
 */
export function replaceBeneath(
  ground: Ground,
  path: string,
  content: string | Buffer,
  { mode, isDurable = true, ...options }: BeneathReplacement,
): Promise<void> {
  return placing(ground, path, options, async ({ folder, name }) => {
    const temporary = await writeTemporary(folder, name, content, mode, isDurable)
    try {
      await rename(at(folder, temporary), at(folder, name))
    } catch (error) {
      await rm(at(folder, temporary), { force: true }).catch(() => undefined)
      throw error
    }
    if (isDurable) await syncHeld(folder)
  })
}

/**
 * Creates the complete file, never replacing anything: rejects with a `RequestProblem`, `conflict` if anything is there (including a broken
 * link), `unprocessable` if it cannot be written. Then leaves nothing behind.
 */
export function createBeneath(ground: Ground, path: string, text: string, mode: number): Promise<void> {
  return placing(ground, path, { last: 'keep' }, async ({ folder, name }) => {
    const temporary = await writeTemporary(folder, name, text, mode, true)
    try {
      // `link` fails if the name is taken; `rename` would replace it.
      await link(at(folder, temporary), at(folder, name)).catch(async (error: unknown) => {
        if (errorCode(error) === 'EEXIST') throw error
        // Some file systems have no hard links: there a crash at this moment may leave an incomplete file.
        await writeNew(folder, name, text, mode, true)
      })
    } finally {
      await rm(at(folder, temporary), { force: true }).catch(() => undefined)
    }
    await syncHeld(folder)
  })
}

/** Creates a symbolic link at `path`, replacing a file or link. Rejects with a `RequestProblem`. */
export function linkBeneath(ground: Ground, path: string, target: string): Promise<void> {
  return placing(ground, path, { last: 'keep', make: true }, async ({ folder, name }) => {
    await rm(at(folder, name), { force: true })
    await symlink(target, at(folder, name))
  })
}

/** Removes the file or link at `path`; does nothing if there is none. Rejects with a `RequestProblem`. */
export async function removeBeneath(ground: Ground, path: string): Promise<void> {
  const { kind } = await lookBeneath(ground, path, 'keep')
  if (kind === 'missing' || kind === 'free') return
  await placing(ground, path, { last: 'keep' }, async ({ folder, name }) => {
    await unlink(at(folder, name)).catch((error: unknown) => {
      if (!isAbsence(error)) throw error
    })
  })
}

/** Removes the empty folder at `path` if `isMeant` returns true for it. Never rejects: a folder that is not empty stays. */
export function removeFolderBeneath(
  ground: Ground,
  path: string,
  isMeant: (stats: Stats) => boolean,
): Promise<void> {
  return holding(ground, path, { last: 'keep' }, async (found) => {
    if (found.kind !== 'found' || !found.stats.isDirectory() || !isMeant(found.stats)) return
    await rmdir(at(found.folder, found.name)).catch(() => undefined)
  })
}

/** Runs `work` on a name in a held folder, whether it exists or not; errors become a `RequestProblem`. */
function placing(
  ground: Ground,
  path: string,
  options: WalkOptions,
  work: (place: { readonly folder: HeldFolder; readonly name: string }) => Promise<void>,
): Promise<void> {
  return holding(ground, path, options, async (found) => {
    const shown = at({ path: ground.root, fd: null }, path)
    if (found.kind !== 'found' && found.kind !== 'free') throw refused(shown, codeOfRefusal(found))
    if (found.kind === 'free' && found.isDangling) throw refused(shown, 'DANGLING')
    try {
      await work(found)
    } catch (error) {
      throw refused(shown, errorCode(error), error)
    }
  })
}

function refused(path: string, code: string, cause?: unknown): RequestProblem {
  return code === 'EEXIST'
    ? new RequestProblem('conflict', `${path} already exists. Review it first.`, { cause })
    : new RequestProblem('unprocessable', `Cannot write ${path}: ${explainCode(code)}`, { cause })
}

/** Writes a new file beside `name`, with an unpredictable name, and returns that name. */
async function writeTemporary(
  folder: HeldFolder,
  name: string,
  content: string | Buffer,
  mode: number,
  isDurable: boolean,
): Promise<string> {
  const temporary = `${name}.${randomBytes(4).toString('hex')}.tmp`
  try {
    await writeNew(folder, temporary, content, mode, isDurable)
    return temporary
  } catch (error) {
    await rm(at(folder, temporary), { force: true }).catch(() => undefined)
    throw error
  }
}

async function writeNew(
  folder: HeldFolder,
  name: string,
  content: string | Buffer,
  mode: number,
  isDurable: boolean,
): Promise<void> {
  // With handles nothing else can be written to; without them, compare before writing a byte.
  const file = await open(at(folder, name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    if (!(await isStillThere(folder, name, await file.stat())))
      throw Object.assign(new Error('led out'), { code: 'LED_OUT' })
    await file.writeFile(content)
    await file.chmod(mode)
    if (isDurable) await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes new, renamed and removed names in a held folder survive a power cut. Windows cannot do this, and orders such changes itself. */
async function syncHeld(folder: HeldFolder): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(at(folder, '.'), O_RDONLY | O_DIRECTORY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
