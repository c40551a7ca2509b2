import {
  close,
  closeSync,
  constants,
  existsSync,
  fstat,
  fstatSync,
  lstat,
  lstatSync,
  mkdir,
  mkdirSync,
  open,
  openSync,
  type PathLike,
  readlink,
  readlinkSync,
  realpath,
  realpathSync,
  type Stats,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { errorCode, isAbsence } from './storage-error.ts'

/*
 * Opens paths that an agent can influence. A path is checked and opened in one step: each folder is opened through its parent's
 * handle, the system follows no links, and links are resolved here, never above the top. So swapping a folder for a link during
 * the walk achieves nothing: the handle still refers to the folder.
 *
 * On Linux, names are opened relative to a handle through /proc/self/fd. Node.js has no equivalent on other systems: there a
 * path is walked by name, and the opened file is then compared with what is at that path (`isStillThere`).
 */

/**
 * The folder where paths start, and the folder that no link may leave. Both are the operator's, absolute, and may be reached through links.
 */
export interface Ground {
  readonly root: string
  readonly top: string
  /** False: a path may only go through folders; a link instead of one counts as leading out. */
  readonly followsLinks?: false
}

/** A folder that is held open: its path, and its handle if this system can open names beneath it. */
export interface HeldFolder {
  readonly path: string
  readonly fd: number | null
}

export type Found =
  /** The path exists; on Linux `fd` refers to it without having opened it. `stats.isSymbolicLink()` only if the last link is kept. */
  | {
      readonly kind: 'found'
      readonly folder: HeldFolder
      readonly name: string
      readonly fd: number | null
      readonly stats: Stats
    }
  /** The path does not exist, but its folder does. `isDangling`: a link leads here. */
  | {
      readonly kind: 'free'
      readonly folder: HeldFolder
      readonly name: string
      readonly isDangling: boolean
    }
  | Refusal

export type Refusal =
  /** A folder of the path is missing, or is not a folder. */
  | { readonly kind: 'missing'; readonly isDangling: boolean; readonly isLoop?: boolean }
  /** The path itself is a link that leads out. */
  | { readonly kind: 'led-out' }
  /** A folder along the path is such a link. */
  | { readonly kind: 'beyond' }
  | { readonly kind: 'unreadable'; readonly code: string }

export interface WalkOptions {
  /** A link at the end is followed, unless the caller reads, replaces or removes the link itself. */
  readonly last?: 'follow' | 'keep'
  /** Creates missing folders. */
  readonly make?: boolean
  /** A link may only lead to a name with this ending. */
  readonly ending?: string
  /** The path has one character per byte, for names that are not UTF-8. */
  readonly isRaw?: boolean
}

/** The number of links that Linux follows. */
const MAX_LINKS = 40
/** Refers to a file without opening it: has no effect on devices, and does not wait for pipes. Node.js has no constant for it. */
const O_PATH = 0o10000000
const hasHandlePaths = process.platform === 'linux' && existsSync('/proc/self/fd')

/** Returns the path of a name in a held folder. */
export function at({ path, fd }: HeldFolder, name: string): string {
  return fd === null ? join(path, name) : `/proc/self/fd/${fd}/${name}`
}

/** Does the same for a name with one character per byte. */
function atBytes(folder: HeldFolder, name: string): Buffer {
  const [path, rest] = folder.fd === null ? [folder.path, sep + name] : [at(folder, ''), name]
  return Buffer.concat([Buffer.from(path), Buffer.from(rest, 'latin1')])
}

/**
 * Returns the repository that contains a folder, otherwise the folder. A repository at the home folder does not count, because it is for
 * dot files.
 */
export function groundOf(directory: string): Ground {
  for (let folder = directory; folder !== dirname(folder) && folder !== homedir(); folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return { root: directory, top: folder }
  return { root: directory, top: directory }
}

/** Returns the folder alone: no link that leaves it is followed, whatever repository it is in. */
export function onlyIn(directory: string): Ground {
  return { root: directory, top: directory }
}

/** Does the same, but a path may only go through folders: what is behind a link has another path. */
export function withoutLinksIn(directory: string): Ground {
  return { ...onlyIn(directory), followsLinks: false }
}

interface Calls {
  open(path: PathLike, flags: number): number
  fstat(fd: number): Stats
  lstat(path: PathLike): Stats
  readlink(path: PathLike, encoding: 'utf8' | 'latin1'): string
  realpath(path: string): string
  mkdir(path: PathLike): void
}

const SYNC: Calls = {
  open: openSync,
  fstat: fstatSync,
  lstat: lstatSync,
  readlink: (path, encoding) => readlinkSync(path, encoding),
  realpath: (path) => realpathSync(path),
  mkdir: (path) => mkdirSync(path),
}

const ASYNC: { readonly [Name in keyof Calls]: (...args: Parameters<Calls[Name]>) => Promise<unknown> } = {
  open: promisify(open),
  fstat: (fd) => promisify(fstat)(fd),
  lstat: (path) => promisify(lstat)(path),
  readlink: (path, encoding) => promisify(readlink)(path, encoding),
  realpath: (path) => promisify(realpath)(path),
  mkdir: (path) => promisify(mkdir)(path),
}

type Call = { readonly [Name in keyof Calls]: readonly [Name, Parameters<Calls[Name]>] }[keyof Calls]
/** One walk for both versions: it yields system calls, which the caller makes synchronously or asynchronously. */
type Steps<Result> = Generator<Call, Result, unknown>

function* ask<Name extends keyof Calls>(
  name: Name,
  ...args: Parameters<Calls[Name]>
): Steps<ReturnType<Calls[Name]>> {
  return (yield [name, args] as unknown as Call) as ReturnType<Calls[Name]>
}

/** Walks to `path` (relative, with `/`), and closes every handle after `work`. Rejects only with what `work` rejects with. */
export async function holding<Result>(
  ground: Ground,
  path: string,
  options: WalkOptions,
  work: (found: Found) => Promise<Result>,
): Promise<Result> {
  const held: number[] = []
  try {
    const steps = walk(ground, path, options, held)
    let step = steps.next()
    while (!step.done) {
      const [name, args] = step.value
      const call = ASYNC[name] as (...given: unknown[]) => Promise<unknown>
      step = await call(...args).then(
        (result) => steps.next(result),
        (error) => steps.throw(error),
      )
    }
    return await work(step.value)
  } finally {
    await Promise.all(held.map((fd) => promisify(close)(fd)))
  }
}

/** Like `holding`, synchronous. */
export function holdingSync<Result>(
  ground: Ground,
  path: string,
  options: WalkOptions,
  work: (found: Found) => Result,
): Result {
  const held: number[] = []
  try {
    const steps = walk(ground, path, options, held)
    let step = steps.next()
    while (!step.done) step = answered(steps, step.value)
    return work(step.value)
  } finally {
    for (const fd of held) closeSync(fd)
  }
}

function answered(steps: Steps<Found>, [name, args]: Call): IteratorResult<Call, Found> {
  let result: unknown
  try {
    result = (SYNC[name] as (...given: unknown[]) => unknown)(...args)
  } catch (error) {
    return steps.throw(error)
  }
  return steps.next(result)
}

function* walk(ground: Ground, path: string, options: WalkOptions, held: number[]): Steps<Found> {
  try {
    return yield* walkFrom(ground, path, options, held)
  } catch (error) {
    const code = errorCode(error)
    return isAbsence(error) ? { kind: 'missing', isDangling: false } : { kind: 'unreadable', code }
  }
}

interface Way {
  /** Folders from the top down to here. */
  readonly folders: HeldFolder[]
  /** The remaining names of the path. */
  readonly named: string[]
  /** The remaining names of a link that is being followed. */
  readonly detour: string[]
  links: number
  /** The path itself is a link, not just one of its folders. */
  endsInLink: boolean
}

function* walkFrom(ground: Ground, path: string, options: WalkOptions, held: number[]): Steps<Found> {
  const realTop = yield* ask('realpath', ground.top)
  const realRoot = yield* ask('realpath', ground.root)
  const inTop = relative(realTop, realRoot)
  if (inTop === '..' || inTop.startsWith(`..${sep}`)) return { kind: 'beyond' }
  const way: Way = {
    folders: [yield* holdFolder(realTop, held)],
    named: [...segmentsOf(inTop), ...segmentsOf(path)],
    detour: [],
    links: 0,
    endsInLink: false,
  }
  for (;;) {
    const isDetour = way.detour.length > 0
    const name = isDetour ? way.detour.shift() : way.named.shift()
    const folder = way.folders.at(-1)
    if (folder === undefined) return ledOut(way)
    // The path names the folder itself, through `.` or `..` in a link.
    if (name === undefined) return yield* asFound(folder)
    if (name === '..') {
      way.folders.pop()
      continue
    }
    // Git's own data is not part of the work: no link may lead there.
    if (isDetour && name.toLowerCase() === '.git') return ledOut(way)
    const isLast = way.detour.length === 0 && way.named.length === 0
    const place = options.isRaw === true ? atBytes(folder, name) : at(folder, name)
    const step = yield* enter(folder, place, held, options.make === true && !isLast)
    if (isLast && way.endsInLink && !name.endsWith(options.ending ?? '')) {
      const isFollowed = step?.stats.isSymbolicLink() === true && options.last !== 'keep'
      if (!isFollowed) return ledOut(way)
    }
    if (step === null) {
      const isDangling = way.endsInLink
      return isLast ? { kind: 'free', folder, name, isDangling } : { kind: 'missing', isDangling }
    }
    const { fd, stats } = step
    if (stats.isSymbolicLink() && !(isLast && options.last === 'keep')) {
      if (ground.followsLinks === false) return ledOut(way)
      way.links += 1
      way.endsInLink ||= way.named.length === 0
      if (way.links > MAX_LINKS) return loop(way)
      const target = yield* ask('readlink', place, options.isRaw === true ? 'latin1' : 'utf8')
      if (!follow(way, target, ground, realTop)) return ledOut(way)
    } else if (isLast) return { kind: 'found', folder, name, fd, stats }
    else if (stats.isDirectory()) way.folders.push({ path: join(folder.path, name), fd })
    else return { kind: 'missing', isDangling: false }
  }
}

/** Returns what is at a name in a folder; `null`: nothing. */
function* enter(
  folder: HeldFolder,
  place: PathLike,
  held: number[],
  make: boolean,
): Steps<{ readonly fd: number | null; readonly stats: Stats } | null> {
  try {
    if (folder.fd === null) return { fd: null, stats: yield* ask('lstat', place) }
    const fd = yield* ask('open', place, O_PATH | constants.O_NOFOLLOW)
    held.push(fd)
    return { fd, stats: yield* ask('fstat', fd) }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    if (!make) return null
  }
  try {
    yield* ask('mkdir', place)
  } catch (error) {
    // Another write may have created it in the meantime; check it like any other.
    if (errorCode(error) !== 'EEXIST') throw error
  }
  return yield* enter(folder, place, held, false)
}

function* holdFolder(path: string, held: number[]): Steps<HeldFolder> {
  if (!hasHandlePaths) return { path, fd: null }
  const fd = yield* ask('open', path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  held.push(fd)
  return { path, fd }
}

function* asFound(folder: HeldFolder): Steps<Found> {
  const stats = yield* folder.fd === null ? ask('lstat', folder.path) : ask('fstat', folder.fd)
  return { kind: 'found', folder, name: '.', fd: folder.fd, stats }
}

/** Returns whether a link's target can be walked to; an absolute one begins at the top, under either of its names. */
function follow(way: Way, target: string, ground: Ground, realTop: string): boolean {
  if (!target.startsWith('/') && !/^[a-z]:|^[\\/]{2}/i.test(target)) {
    way.detour.unshift(...segmentsOf(target))
    return true
  }
  for (const top of [realTop, ground.top]) {
    const inTop = relative(top, target)
    if (inTop === '..' || inTop.startsWith(`..${sep}`) || /^[a-z]:/i.test(inTop)) continue
    way.folders.splice(1)
    way.detour.unshift(...segmentsOf(inTop))
    return true
  }
  return false
}

function ledOut({ named }: Way): Refusal {
  return { kind: named.length === 0 ? 'led-out' : 'beyond' }
}

function loop({ named }: Way): Refusal {
  return named.length === 0
    ? { kind: 'missing', isDangling: true, isLoop: true }
    : { kind: 'unreadable', code: 'ELOOP' }
}

function segmentsOf(path: string): string[] {
  const names = sep === '/' ? path.split('/') : path.split(/[\\/]/)
  return names.filter((name) => name !== '' && name !== '.')
}

/**
 * Returns whether what was opened by name is what is there now, with no link on the path. Used only if names cannot be opened
 * beneath a handle: an attacker would have to swap a folder for a link and back in time for each of these checks.
 */
export async function isStillThere(folder: HeldFolder, name: string, opened: Stats): Promise<boolean> {
  if (folder.fd !== null) return true
  const place = join(folder.path, name)
  const [real, stats] = await Promise.all([promisify(realpath)(place), promisify(lstat)(place)])
  return real === place && isSameFile(stats, opened)
}

/** Like `isStillThere`, synchronous. */
export function isStillThereSync(folder: HeldFolder, name: string, opened: Stats): boolean {
  if (folder.fd !== null) return true
  const place = join(folder.path, name)
  return realpathSync(place) === place && isSameFile(lstatSync(place), opened)
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino
}
