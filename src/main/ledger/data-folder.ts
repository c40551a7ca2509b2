import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { readJson } from '../../core/text/json.ts'
import { PRIVATE_DIRECTORY, PRIVATE_FILE, syncDirectory } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import { errorCode, StorageError, storageError } from '../files/storage-error.ts'
import { isProcessRunning, processStart } from '../process/process-identity.ts'
import { type HeldLock, lockFolder } from './folder-lock.ts'

export type DataFolderClaim =
  /** This process owns the folder until it releases it or ends. */
  | DataFolderOwner
  /** A running process owns it; `pid` is null if its lock does not say which. */
  | { readonly kind: 'owned'; readonly pid: number | null }

export interface DataFolderOwner {
  readonly kind: 'owner'
  /** Returns why this process no longer owns the folder, as a sentence; null while it does. Never rejects. */
  lost(): Promise<string | null>
  release(): Promise<void>
}

const holderSchema = z.object({
  pid: z.int().positive(),
  start: z.string().nullable(),
  /** Makes the text of every claim unique, even among claims of one process. */
  nonce: z.string(),
})

const DYING_MS = 1500

/**
 * Claims the data folder for this process and creates it (mode 0700) if only its parent exists. Immediately takes over the lock of an owner
 * that no longer runs; only one claimant can. Calls `onLost` if something takes the folder away. Rejects with a `StorageError` if the
 * folder cannot be used.
 */
export async function claimDataFolder(
  directory: string,
  onLost: (reason: string) => void = () => {},
): Promise<DataFolderClaim> {
  let kernelLock: HeldLock | null = null
  const nonce = randomUUID()
  const text = `${JSON.stringify({ pid: process.pid, start: processStart(process.pid), nonce })}\n`
  const lock = join(directory, 'lock')
  // Linked into place complete, so no one ever sees a half-written lock.
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

/** Takes the kernel's lock; null if the system has none and the lock file alone decides. */
async function lockPatiently(directory: string, lock: string): Promise<HeldLock | 'taken' | null> {
  const deadlineMs = performance.now() + DYING_MS
  for (;;) {
    const answer = await lockFolder(directory)
    if (answer.kind !== 'taken') return answer.kind === 'held' ? answer.lock : null
    // An owner that was killed a moment ago may hold its lock until its child notices.
    if ((await runningHolder(lock)) !== null || performance.now() > deadlineMs) return 'taken'
    await delay(20)
  }
}

/*
 * The process that holds the lock can be killed by someone who wants the folder: take the lock again at once, not only when
 * something is about to be recorded.
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
  // Check one at a time: two concurrent attempts to retake the lock would each find it taken by the other.
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
      // The kernel's lock stays with the folder wherever it is moved; a copy put there instead would contain the lock file too.
      // While the lock is held the folder is open, and its inode is stable on every file system.
      if (kernelLock !== null && (await inodeOf(directory)) !== inode)
        return `${directory} was moved away or replaced`
      if (kernelLock !== null && !kernelLock.isHeld()) {
        // Its holder was killed. Take it again, unless someone was faster.
        const again = await lockFolder(directory)
        if (again.kind !== 'held') return `the lock on ${directory} was taken away`
        kernelLock = again.lock
        watch(kernelLock)
      }
      if (found === null) await writeFile(lock, text, { flag: 'wx', mode: PRIVATE_FILE })
      return null
    } catch (error) {
      return `${lock} can't be read or written (${errorCode(error)})`
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
 * Puts `source` at `path`, which is the lock itself or a guard for it. Returns null if we own it now, otherwise its owner.
 *
 * Two claimants may find the same dead holder at the same moment. These invariants ensure that only one wins:
 * 1. A free path is taken by `link`, which fails if a file exists.
 * 2. If the holder of a file with text T is dead, only the owner of the guard named after T may replace the file. The guard is
 *    claimed by the same rules, and the file must still contain T once the guard is owned.
 * 3. Every text is unique, so a guard for T is used for one takeover; the next claimant finds a different text.
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
    const holder = readJson(holderSchema, text)
    if (holder !== null && isProcessRunning(holder.pid, holder.start)) return { pid: holder.pid }
    const guard = `${lock}.takeover-${fingerprint(text)}`
    if ((await claimLock(lock, guard, source)) === null) {
      const isUnchanged = (await readIfThere(path)) === text
      if (isUnchanged) await replace(path, source)
      await rm(guard, { force: true })
      if (isUnchanged) return null
    } else {
      // A live process is taking over right now: see who it is when it is done.
      await delay(5)
    }
  }
  throw new StorageError(`Cannot claim ${path}: other processes keep claiming it. Try again`, path, 'EBUSY')
}

/**
 * Removes what claimants left that were killed while claiming. Safe for the owner: a guard only matters while the lock still
 * reads what it is named after, and a claim belongs to the process in its name.
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

/** Replaces `path` atomically and keeps `source`, which may be needed for another path. */
async function replace(path: string, source: string): Promise<void> {
  const second = `${source}.link`
  await link(source, second)
  await rename(second, path)
}

async function release(lock: string, text: string): Promise<void> {
  if ((await readIfThere(lock)) === text) await rm(lock, { force: true })
}

/** Reads at most 4 KiB: anything longer is not our lock. */
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
  const holder = readJson(holderSchema, (await readIfThere(lock)) ?? '')
  return holder !== null && isProcessRunning(holder.pid, holder.start) ? holder : null
}

function fingerprint(text: string): string {
  return sha256(text).slice(0, 32)
}
