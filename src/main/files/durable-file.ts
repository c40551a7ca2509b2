import { randomBytes } from 'node:crypto'
import { lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { errorCode, isAbsence, storageError } from './storage-error.ts'

/** The operator's data: no one else on the machine needs to read it. */
export const PRIVATE_FILE = 0o600
export const PRIVATE_DIRECTORY = 0o700

/**
 * Makes new, renamed and removed names in `directory` survive a power cut. Does nothing on Windows, which cannot sync a folder
 * and orders such changes itself.
 */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates the folder with all missing parents (mode 0700), each durably. Rejects with a `StorageError`. */
export async function createDirectory(directory: string): Promise<void> {
  try {
    const first = await makeDirectories(directory)
    if (first === undefined) return
    let parent = dirname(first)
    await syncDirectory(parent)
    for (const name of relative(parent, dirname(directory)).split(sep).filter(Boolean)) {
      parent = join(parent, name)
      await syncDirectory(parent)
    }
  } catch (error) {
    throw storageError('create the folder', directory, error)
  }
}

/**
 * Creates the folder with all missing parents (mode 0700); returns the topmost one created. Rejects with the system's error:
 * Node.js's recursive mkdir reports a read-only or failing disk as a missing folder.
 */
export async function makeDirectories(directory: string): Promise<string | undefined> {
  const isThere = () =>
    stat(directory).then(
      (status) => status.isDirectory(),
      () => false,
    )
  try {
    await mkdir(directory, { mode: PRIVATE_DIRECTORY })
    return directory
  } catch (error) {
    if (await isThere()) return undefined
    if (errorCode(error) !== 'ENOENT' || dirname(directory) === directory) throw error
  }
  const first = await makeDirectories(dirname(directory))
  await mkdir(directory, { mode: PRIVATE_DIRECTORY }).catch(async (error: unknown) => {
    if (!(await isThere())) throw error
  })
  return first ?? directory
}

export interface Replacement {
  /** Permissions, not reduced by the umask. */
  readonly mode?: number
  /**
   * Others may write beside `path` too, so the temporary name is unpredictable. Otherwise it is fixed, and a crash leaves at most
   * one file.
   */
  readonly isShared?: boolean
  /** Survives a power cut, not just a crash. */
  readonly isDurable?: boolean
}

/**
 * Replaces the file at `path` atomically: a reader, even after a crash, sees the complete old or new content. Rejects with a
 * `StorageError`; then the old file remains.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Buffer | AsyncIterable<Buffer>,
  { mode = PRIVATE_FILE, isShared = false, isDurable = true }: Replacement = {},
): Promise<void> {
  const temporary = `${path}.${isShared ? `${randomBytes(4).toString('hex')}.` : ''}tmp`
  try {
    const handle = await open(temporary, isShared ? 'wx' : 'w', mode)
    try {
      await handle.writeFile(content)
      await handle.chmod(mode)
      if (isDurable) await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
    if (isDurable) await syncDirectory(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw storageError('write', path, error)
  }
}

/**
 * Moves an unreadable document to `PATH.corrupt-<time>`, so that it is neither read again nor silently overwritten. Returns the
 * new name, or `null` if it could not be moved.
 */
export async function setAside(path: string, nowMs: number): Promise<string | null> {
  try {
    const aside = await freePath(`${path}.corrupt-${fileTime(nowMs)}`)
    await rename(path, aside)
    return aside
  } catch {
    return null
  }
}

/** Returns `path`, or with `-2`, `-3` … appended if that name is taken: a file set aside must not replace an earlier one. */
export async function freePath(path: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const candidate = attempt === 1 ? path : `${path}-${attempt}`
    if (!(await exists(candidate))) return candidate
  }
}

/** Returns whether `path` exists, even as a broken link. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Returns whether there is a folder that can be read, directly or through a link. */
export async function isFolder(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => null)
  return status?.isDirectory() === true
}

/** Returns whether a folder exists, directly or through a link; true if that cannot be checked for lack of permission. */
export function isFolderThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => !isAbsence(error),
  )
}

/** Formats a time (epoch ms) for file names on every system; sorts by time. */
export function fileTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[:.]/g, '-')
}
