import { randomBytes } from 'node:crypto'
import { lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { errorCode, isAbsence, storageError } from './storage-error.ts'

/** Data is the operator's own: nobody else on the machine needs to read it. */
export const PRIVATE_FILE = 0o600
export const PRIVATE_DIRECTORY = 0o700

/**
 * Makes new, renamed and removed names in `directory` survive a power cut. Windows cannot sync a folder and orders such
 * changes itself, so there it does nothing.
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

/** Creates the folder with all missing ones on the way (mode 0700), each durably. Rejects with a `StorageError`. */
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
 * Makes the folder with all missing ones on the way (mode 0700); answers with the topmost that it made. Rejects with what the system
 * said: the runtime's own way to do this says of a read-only or failing disk that the folder does not exist.
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
  /** Permissions; the umask does not cut them. */
  readonly mode?: number
  /** Others may write beside `path` too: the temporary name cannot be foreseen. Else it is fixed, and a crash leaves one file at most. */
  readonly isShared?: boolean
  /** Survives a power cut, not a crash alone. */
  readonly isDurable?: boolean
}

/**
 * Replaces the file at `path` so that a reader, also after a crash, sees the old content or the new one, whole.
 * Rejects with a `StorageError`; then the old file stands.
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
 * Moves an unreadable document to `PATH.corrupt-<time>`, so that it is neither read again nor overwritten in silence.
 * Answers with the new name, or `null` where it could not be moved.
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

/** `path`, or with `-2`, `-3` … after it where that name is taken: what is set aside must not replace what already was. */
export async function freePath(path: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const candidate = attempt === 1 ? path : `${path}-${attempt}`
    if (!(await exists(candidate))) return candidate
  }
}

/** Whether anything stands at `path`, a dangling link included. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Whether a folder is there, by a link or not, as far as can be told: one that may not be looked for is. */
export function isFolderThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => !isAbsence(error),
  )
}

/** A moment (epoch ms) as it can stand in a file name on every system; sorts by time. */
export function fileTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[:.]/g, '-')
}
