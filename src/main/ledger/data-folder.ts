import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { PRIVATE_DIRECTORY, PRIVATE_FILE, syncDirectory } from '../files/durable-file.ts'
import { errorCode, StorageError, storageError } from '../files/storage-error.ts'
import { isProcessRunning, processStart } from '../process/process-identity.ts'
import { type HeldLock, lockFolder } from './folder-lock.ts'

export type DataFolderClaim =
  /** This process owns the folder until it releases it or ends. */
  | DataFolderOwner
  /** A running process owns it; `pid` is null where its lock does not say which. */
  | { readonly kind: 'owned'; readonly pid: number | null }

export interface DataFolderOwner {
  readonly kind: 'owner'
  /** Why this process no longer owns the folder, a sentence; null while it does. Never rejects. */
  lost(): Promise<string | null>
  release(): Promise<void>
}

const holderSchema = z.object({
  pid: z.int().positive(),
  start: z.string().nullable(),
  /** Makes every claim's text unique, one after the other by the same process included. */
  nonce: z.string(),
})

const DYING_MS = 1500

/**
 * Claims the data folder for this process, creating it (mode 0700) where only its parent exists. The lock of an owner that
 * no longer runs is taken over at once, by one claimant only. `onLost` is told where somebody has taken it away. Rejects with a
 * `StorageError` where the folder cannot be used.
 */
export async function claimDataFolder(
  directory: string,
  onLost: (reason: string) => void = () => {},
): Promise<DataFolderClaim> {
  let kernelLock: HeldLock | null = null
  const nonce = randomUUID()
  const text = `${JSON.stringify({ pid: process.pid, start: processStart(process.pid), nonce })}\n`
  const lock = join(directory, 'lock')
  // Linked into place whole: nobody ever sees a lock half written.
  const source = `${lock}.claim-${process.pid}-${nonce}`
  try {
    await ensureFolder(directory)
    const locked = await lockPatiently(directory, lock)
    if (locked === 'taken') return { kind: 'owned', pid: (await runningHolder(lock))?.pid ?? null }
    kernelLock = locked
    await writeFile(source, text, { flag: 'wx', mode: PRIVATE_FILE })
    const holder = await claimLock(lock, lock, source)
    if (holder !== null) {
      await kernelLock?.release()
      return { kind: 'owned', pid: holder.pid }
    }
    await removeLeftovers(directory)
    return ownerOf({ directory, inode: await inodeOf(directory) }, text, kernelLock, onLost)
  } catch (error) {
    await kernelLock?.release()
    throw storageError('claim the data folder', directory, error)
  } finally {
    await rm(source, { force: true }).catch(() => undefined)
  }
}

/** The kernel's lock; null where the system knows none, and the lock file alone decides. */
async function lockPatiently(directory: string, lock: string): Promise<HeldLock | 'taken' | null> {
  const deadlineMs = performance.now() + DYING_MS
  for (;;) {
    const answer = await lockFolder(directory)
    if (answer.kind !== 'taken') return answer.kind === 'held' ? answer.lock : null
    // An owner that was killed a moment ago may leave its lock for as long as its child takes to notice.
    if ((await runningHolder(lock)) !== null || performance.now() > deadlineMs) return 'taken'
    await delay(20)
  }
}

/*
 * What holds the lock may be ended by whoever would own the folder: it is taken again at once, not only when something is to be recorded.
 */
function ownerOf(
  { directory, inode }: { readonly directory: string; readonly inode: string },
  text: string,
  given: HeldLock | null,
  onLost: (reason: string) => void,
): DataFolderOwner {
  const lock = join(directory, 'lock')
  let kernelLock = given
  let isReleased = false
  let looking: Promise<string | null> = Promise.resolve(null)
  // One look at a time: two that take the lock again would find it taken, each by the other.
  const lost = (): Promise<string | null> => {
    looking = looking.then(look)
    return looking
  }
  const watch = (held: HeldLock | null): void => {
    void held?.ended?.then(async () => {
      const reason = isReleased ? null : await lost()
      if (reason !== null && !isReleased) onLost(reason)
    })
  }
  const look = async (): Promise<string | null> => {
    try {
      const found = await readIfThere(lock)
      if (found !== null && found !== text) return `${lock} names another owner`
      // The kernel's lock goes with the folder, wherever that is now; a copy in its place would have the lock file too. While it is held
      // the folder is open, and its inode the same on every file system.
      if (kernelLock !== null && (await inodeOf(directory)) !== inode)
        return `${directory} was moved away or replaced`
      if (kernelLock !== null && !kernelLock.isHeld()) {
        // What held it was ended; unless somebody was faster, it is taken again.
        const again = await lockFolder(directory)
        if (again.kind !== 'held') return `the lock on ${directory} was taken away`
        kernelLock = again.lock
        watch(kernelLock)
      }
      if (found === null) await writeFile(lock, text, { flag: 'wx', mode: PRIVATE_FILE })
      return null
    } catch (error) {
      return `${lock} cannot be read or written (${errorCode(error)})`
    }
  }
  watch(kernelLock)
  return {
    kind: 'owner',
    lost,
    release: async () => {
      isReleased = true
      await looking
      await release(lock, text)
      await kernelLock?.release()
    },
  }
}

async function inodeOf(directory: string): Promise<string> {
  const { dev, ino } = await stat(directory, { bigint: true })
  return `${dev}:${ino}`
}

async function ensureFolder(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: PRIVATE_DIRECTORY })
    await syncDirectory(dirname(directory))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/**
 * Puts `source` in the place of `path`, the lock itself or a guard of it. Null: done, it is ours; otherwise who holds it.
 *
 * Two claimants may find the same dead holder at the same moment. Invariants that let only one of them win:
 * 1. A free place is taken by `link`, which fails where a file is.
 * 2. A file whose text is T, its holder dead, is replaced only by the owner of the guard named after T, which is claimed
 *    by these same rules, and only if the file still reads T once the guard is owned.
 * 3. Every text is unique, so a guard for T serves that one takeover; afterwards whoever gets it finds another text.
 */
async function claimLock(
  lock: string,
  path: string,
  source: string,
): Promise<{ readonly pid: number | null } | null> {
  for (let round = 0; round < 200; round += 1) {
    if (await linkIfFree(source, path)) return null
    const text = await readIfThere(path)
    if (text === null) continue
    const holder = parseHolder(text)
    if (holder !== null && isProcessRunning(holder.pid, holder.start)) return { pid: holder.pid }
    const guard = `${lock}.takeover-${fingerprint(text)}`
    if ((await claimLock(lock, guard, source)) === null) {
      const isUnchanged = (await readIfThere(path)) === text
      if (isUnchanged) await replace(path, source)
      await rm(guard, { force: true })
      if (isUnchanged) return null
    } else {
      // Somebody alive is taking over at this moment: see who it is once they have.
      await delay(5)
    }
  }
  throw new StorageError(`Cannot claim ${path}: other processes keep claiming it. Try again`, path, 'EBUSY')
}

/**
 * Clears away what claimants left that were killed while claiming. Safe for the owner to do: a guard is of use only while
 * the lock still reads what it is named after, and a claim belongs to the process in its name.
 */
async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const claimant = /^lock\.claim-(\d+)-/.exec(name)?.[1]
    const isLeftover =
      claimant === undefined ? name.startsWith('lock.takeover-') : !isProcessRunning(Number(claimant), null)
    if (isLeftover) await rm(join(directory, name), { force: true })
  }
}

async function linkIfFree(source: string, lock: string): Promise<boolean> {
  try {
    await link(source, lock)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Atomic, and `source` stays: it may be needed for another place. */
async function replace(path: string, source: string): Promise<void> {
  const second = `${source}.link`
  await link(source, second)
  await rename(second, path)
}

async function release(lock: string, text: string): Promise<void> {
  if ((await readIfThere(lock)) === text) await rm(lock, { force: true })
}

/** At most 4 KiB: what is longer is no lock of ours. */
async function readIfThere(path: string): Promise<string | null> {
  try {
    const handle = await open(path, 'r')
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Returns the running process that the lock file names; `null` while it still names one that has ended. */
async function runningHolder(lock: string): Promise<z.infer<typeof holderSchema> | null> {
  const holder = parseHolder((await readIfThere(lock)) ?? '')
  return holder !== null && isProcessRunning(holder.pid, holder.start) ? holder : null
}

function parseHolder(text: string): z.infer<typeof holderSchema> | null {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
