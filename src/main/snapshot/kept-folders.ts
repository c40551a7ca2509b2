import { type BigIntStats, lstatSync, readdirSync, statfsSync } from '../files/names.ts'
import { createYielder } from '../process/yield-to-loop.ts'
import { placeOnDisk, type RawPath } from './raw-path.ts'

/*
 * Detects whether entries were added, removed or renamed in folders by the folders' own times instead of listing them: the
 * kernel sets `ctime` whenever an entry is added or removed, and no program can set it. Git and our own walk rely on it for each
 * file. Three conditions make it reliable:
 *
 * 1. It is used only on file systems that guarantee this: local disk or memory file systems on Linux. A network share doesn't,
 *    because other machines write to it.
 * 2. Times are only as fine as the kernel's clock tick or what the file system stores. A folder listed before its time had
 *    settled may have changed again within the same step, so it is listed again.
 * 3. A clock that was set back gives older times, but not equal ones, so times are compared only for equality.
 */

/** Metadata that shows whether a file or folder is unchanged. */
export type Stamp = Pick<BigIntStats, 'dev' | 'ino' | 'ctimeNs' | 'mtimeNs'>

/** Ten ticks of the slowest clock that a kernel is built with. */
const SETTLE_NS = 100_000_000n
/** Resolution of ext2, ext3, and ext4 with the small inodes of old and small disks. */
const SECOND_NS = 1_000_000_000n

/** By their kernel numbers: ext2 to ext4, XFS, Btrfs, F2FS, tmpfs, ZFS. */
const KEEPS_TIMES: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x2fc12fc1,
])

/** For more folders, checking costs more than it saves, and much memory. */
const MAX_FOLDERS = 20_000

const RULES = '.gitignore'

interface Folder {
  readonly stamp: Stamp
  /** Whether the folder's time had settled when it was listed. */
  isSettled: boolean
  readonly folders: readonly RawPath[]
  /** Metadata of the rules file in the folder; null if there is none. */
  readonly rules: Stamp | null
}

/** All folders in a folder, except ignored ones. */
export interface KeptFolders {
  readonly all: ReadonlyMap<RawPath, Folder>
  /** When the times of all folders and their rules files have settled, in epoch ns. */
  readonly settledNs: bigint
}

/** Returns the metadata of a path, or of the link itself; null if nothing is there, or it cannot be read. */
export function stampAt(place: string | Buffer): BigIntStats | null {
  try {
    return lstatSync(place, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

export function isSameStamp(one: Stamp | null, other: Stamp | null): boolean {
  if (one === null || other === null) return one === other
  return (
    one.ctimeNs === other.ctimeNs &&
    one.mtimeNs === other.mtimeNs &&
    one.ino === other.ino &&
    one.dev === other.dev
  )
}

/**
 * Returns the epoch ns from which no new event can get that time. A time without a fraction may come from a file system that stores whole
 * seconds.
 */
export function settledNs({ ctimeNs }: Pick<Stamp, 'ctimeNs'>): bigint {
  return ctimeNs + SETTLE_NS + (ctimeNs % SECOND_NS === 0n ? SECOND_NS : 0n)
}

/** Returns the metadata of a path on the file system `device` if its time had settled; null if not, or if it is on another file system. */
export function steadyStamp(place: string | Buffer, device: bigint): Stamp | null {
  const askedNs = nowNs()
  const stamp = stampAt(place)
  return stamp !== null && stamp.dev === device && settledNs(stamp) < askedNs ? plain(stamp) : null
}

export function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n
}

/**
 * Returns the current folders; the same object as `before` if nothing was added, removed or renamed. Null if unknown: another kind of file
 * system, a mount or a nested repository inside, or too many folders. `ignored`: folders that are left out. Never rejects.
 */
export async function lookAtFolders(
  directory: string,
  ignored: ReadonlySet<RawPath>,
  before: KeptFolders | null,
): Promise<KeptFolders | null> {
  if (!keepsTimes(directory)) return null
  const yielder = createYielder()
  const all = new Map<RawPath, Folder>()
  const pending: RawPath[] = ['']
  let isSame = before !== null
  let allSettledNs = 0n
  let device: bigint | null = null
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (yielder.isDue()) await yielder.yield()
    const known = before?.all.get(path)
    const folder = lookAt(directory, path, known)
    device ??= folder?.stamp.dev ?? null
    if (folder === null || folder.stamp.dev !== device || all.size >= MAX_FOLDERS) return null
    all.set(path, folder)
    isSame &&= folder === known
    for (const stamp of folder.rules === null ? [folder.stamp] : [folder.stamp, folder.rules])
      if (settledNs(stamp) > allSettledNs) allSettledNs = settledNs(stamp)
    for (const within of folder.folders) if (!ignored.has(within)) pending.push(within)
  }
  return isSame && before?.all.size === all.size ? before : { all, settledNs: allSettledNs }
}

function lookAt(directory: string, path: RawPath, known: Folder | undefined): Folder | null {
  const askedNs = nowNs()
  const stamp = stampAt(placeOnDisk(directory, path))
  if (stamp === null || !stamp.isDirectory()) return null
  const isListed = known?.isSettled === true && isSameStamp(stamp, known.stamp)
  const listed = isListed ? known : list(directory, path)
  if (listed === null) return null
  const rules = listed.rules === null ? null : rulesAt(directory, path)
  if (rules === undefined) return null
  const isSettled = settledNs(stamp) < askedNs
  const isKnown =
    known !== undefined &&
    isSameStamp(stamp, known.stamp) &&
    isSameStamp(rules, known.rules) &&
    listed.folders.join('\0') === known.folders.join('\0')
  if (!isKnown) return { stamp: plain(stamp), isSettled, folders: listed.folders, rules }
  known.isSettled ||= isSettled
  return known
}

/** Null if it cannot be listed, or is a nested repository. */
function list(
  directory: string,
  path: RawPath,
): (Pick<Folder, 'folders'> & { readonly rules: true | null }) | null {
  try {
    const found = readdirSync(placeOnDisk(directory, path), { withFileTypes: true, encoding: 'latin1' })
    const folders: RawPath[] = []
    let rules: true | null = null
    for (const entry of found) {
      if (entry.name === RULES) rules = true
      if (entry.name === '.git') {
        if (path !== '') return null
      } else if (entry.isDirectory()) folders.push(path === '' ? entry.name : `${path}/${entry.name}`)
    }
    return { folders, rules }
  } catch {
    return null
  }
}

/** Undefined if the rules are not a regular file: a link's own times say nothing about its target. */
function rulesAt(directory: string, path: RawPath): Stamp | null | undefined {
  const found = stampAt(placeOnDisk(directory, path === '' ? RULES : `${path}/${RULES}`))
  if (found === null) return null
  return found.isFile() ? plain(found) : undefined
}

/** The rest of the file metadata takes four times the memory. */
function plain({ dev, ino, ctimeNs, mtimeNs }: Stamp): Stamp {
  return { dev, ino, ctimeNs, mtimeNs }
}

/** True if the folder's file system has reliable times. */
export function keepsTimes(directory: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    return KEEPS_TIMES.has(statfsSync(directory).type)
  } catch {
    return false
  }
}
