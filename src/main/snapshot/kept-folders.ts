import { type BigIntStats, lstatSync, readdirSync, statfsSync } from '../files/names.ts'
import { createYielder } from '../process/yield-to-loop.ts'
import { placeOnDisk, type RawPath } from './raw-path.ts'

/*
 * Whether anything was added to folders, taken from them or renamed, asked of the folders' own times instead of listing them: the kernel
 * sets `ctime` whenever an entry comes or goes, and no program can set it. It is what git, and our own walk, go by for each file. Three
 * things make it worth believing:
 *
 * 1. Only file systems that keep it so: those of a disk or of memory on Linux. A share, which another machine writes to, is none.
 * 2. Times come in steps, of a tick of the kernel's clock or of what the file system keeps. A folder that was listed before its time had
 *    settled may have changed once more in the same step: it is listed anew.
 * 3. A clock that was set back makes times that are older, but not the same: they are compared for being equal, never for being later.
 */

/** By what a file or folder is known to stand as it did. */
export type Stamp = Pick<BigIntStats, 'dev' | 'ino' | 'ctimeNs' | 'mtimeNs'>

/** Ten ticks of the slowest clock that a kernel is built with. */
const SETTLE_NS = 100_000_000n
/** What is kept in whole seconds: by ext2 and ext3, and by ext4 with the small inodes that old and small disks have. */
const SECOND_NS = 1_000_000_000n

/** By the numbers that the kernel has for them: ext2 to ext4, XFS, Btrfs, F2FS, tmpfs, ZFS. */
const KEEPS_TIMES: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x2fc12fc1,
])

/** Of more folders it takes longer to say whether they stand than it spares, and memory. */
const MAX_FOLDERS = 20_000

const RULES = '.gitignore'

interface Folder {
  readonly stamp: Stamp
  /** Whether it had stood for long enough when it was listed. */
  isSettled: boolean
  readonly folders: readonly RawPath[]
  /** Of the file of rules that lies in it; null where none does. */
  readonly rules: Stamp | null
}

/** All folders below a folder, less those that are ignored. */
export interface KeptFolders {
  readonly all: ReadonlyMap<RawPath, Folder>
  /** When the times of all of them, and of the rules in them, have settled: epoch ns. */
  readonly settledNs: bigint
}

/** What stands at a path, a link as a link; null where nothing does, or it cannot be asked. */
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

/** From when on nothing that happens has that time any more (epoch ns). A time without a fraction may be one of those that have none. */
export function settledNs({ ctimeNs }: Pick<Stamp, 'ctimeNs'>): bigint {
  return ctimeNs + SETTLE_NS + (ctimeNs % SECOND_NS === 0n ? SECOND_NS : 0n)
}

/**
 * What stands at a place on the file system `device`, where it had stood for long enough to be believed; null where it had not, or on
 * another.
 */
export function steadyStamp(place: string | Buffer, device: bigint): Stamp | null {
  const askedNs = nowNs()
  const stamp = stampAt(place)
  return stamp !== null && stamp.dev === device && settledNs(stamp) < askedNs ? plain(stamp) : null
}

export function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n
}

/**
 * The folders as they are; the very object `before` where nothing was added to any, taken away or renamed. Null where that cannot be
 * told: on another kind of file system, with another one or a repository mounted or lying within, or too many. `ignored`: folders that are
 * left out. Never rejects.
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

/** Null where it cannot be listed, or is a repository of its own. */
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

/** Undefined where they are no file: what a link leads to is not known by the link. */
function rulesAt(directory: string, path: RawPath): Stamp | null | undefined {
  const found = stampAt(placeOnDisk(directory, path === '' ? RULES : `${path}/${RULES}`))
  if (found === null) return null
  return found.isFile() ? plain(found) : undefined
}

/** The rest of what the system says of a file takes four times the memory. */
function plain({ dev, ino, ctimeNs, mtimeNs }: Stamp): Stamp {
  return { dev, ino, ctimeNs, mtimeNs }
}

/** Whether the file system that a folder lies on keeps times so that they can be believed. */
export function keepsTimes(directory: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    return KEEPS_TIMES.has(statfsSync(directory).type)
  } catch {
    return false
  }
}
