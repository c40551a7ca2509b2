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
 * Opens paths that an agent can shape. A path is checked and opened in one: each folder on the way is opened beneath the handle of the
 * one before, no link is followed by the system, and what links say is walked here, never past the top. So a folder that is
 * swapped for a link between two looks leads nowhere: the handle stays that of the folder.
 *
 * Linux reaches a name beneath a handle by /proc/self/fd. Other systems have no such way in Node.js: there a path is walked by name, and
 * what was opened is compared with what stands there afterwards (`isStillThere`).
 */

/** Where paths start, and the folder that no link may leave. Both are the operator's, absolute, and may be reached by links. */
export interface Ground {
  readonly root: string
  readonly top: string
}

/** A folder that is held open: its own path, and its handle where this system can reach names beneath it. */
export interface HeldFolder {
  readonly path: string
  readonly fd: number | null
}

export type Found =
  /** Something stands there; `fd` names it on Linux, without having opened it. `stats.isSymbolicLink()` only where the last link is kept. */
  | {
      readonly kind: 'found'
      readonly folder: HeldFolder
      readonly name: string
      readonly fd: number | null
      readonly stats: Stats
    }
  /** Nothing does, in a folder that is there. `isDangling`: a link leads here. */
  | {
      readonly kind: 'free'
      readonly folder: HeldFolder
      readonly name: string
      readonly isDangling: boolean
    }
  | Refusal

export type Refusal =
  /** A folder on the way is missing, or is none. */
  | { readonly kind: 'missing'; readonly isDangling: boolean; readonly isLoop?: boolean }
  /** The path itself is a link that leads out. */
  | { readonly kind: 'led-out' }
  /** A folder on the way is one. */
  | { readonly kind: 'beyond' }
  | { readonly kind: 'unreadable'; readonly code: string }

export interface WalkOptions {
  /** Links in the last place are followed unless they are to be looked at, replaced or removed themselves. */
  readonly last?: 'follow' | 'keep'
  /** Makes the folders that are missing. */
  readonly make?: boolean
  /** A link may only lead to a name with this ending. */
  readonly ending?: string
  /** The path has one character per byte, as names that are no UTF-8 have to be written. */
  readonly isRaw?: boolean
}

/** As many as Linux follows. */
const MAX_LINKS = 40
/** Names a file without opening it: nothing happens to a device, and no pipe is waited for. Node.js has no name for it. */
const O_PATH = 0o10000000
const hasHandlePaths = process.platform === 'linux' && existsSync('/proc/self/fd')

/** How a name beneath a held folder is called. */
export function at({ path, fd }: HeldFolder, name: string): string {
  return fd === null ? join(path, name) : `/proc/self/fd/${fd}/${name}`
}

/** The same for a name with one character per byte. */
function atBytes(folder: HeldFolder, name: string): Buffer {
  const [path, rest] = folder.fd === null ? [folder.path, sep + name] : [at(folder, ''), name]
  return Buffer.concat([Buffer.from(path), Buffer.from(rest, 'latin1')])
}

/** The repository that a folder lies in, else the folder. One whose top is the home folder is none: it holds dot files. */
export function groundOf(directory: string): Ground {
  for (let folder = directory; folder !== dirname(folder) && folder !== homedir(); folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return { root: directory, top: folder }
  return { root: directory, top: directory }
}

/** The folder alone: no link that leaves it is followed, wherever it lies. */
export function onlyIn(directory: string): Ground {
  return { root: directory, top: directory }
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
/** One walk for both: it says what to ask the system, and whoever drives it asks at once or waits. */
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

/** Like `holding`, at once. */
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
  /** What the path still names. */
  readonly named: string[]
  /** What a link on the way names in the place of itself. */
  readonly detour: string[]
  links: number
  /** The path itself is a link, and not a folder on its way alone. */
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
    // The path names the folder itself, by `.` or `..` in a link.
    if (name === undefined) return yield* asFound(folder)
    if (name === '..') {
      way.folders.pop()
      continue
    }
    // What git goes by is nobody's work: a link has no business there.
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

/** What stands at a place in a folder; `null`: nothing. */
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
    // Another write may have made it meanwhile; whatever it is, it is looked at like any other.
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

/** Whether a link's target is one that can be walked to; one that is absolute begins at the top, by either of its names. */
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
 * Whether what was opened by name is what stands there now, with no link on the way. Only asked where names cannot be reached
 * beneath a handle: who swaps a folder for a link and back would have to meet each of these looks.
 */
export async function isStillThere(folder: HeldFolder, name: string, opened: Stats): Promise<boolean> {
  if (folder.fd !== null) return true
  const place = join(folder.path, name)
  const [real, stats] = await Promise.all([promisify(realpath)(place), promisify(lstat)(place)])
  return real === place && isSameFile(stats, opened)
}

/** Like `isStillThere`, at once. */
export function isStillThereSync(folder: HeldFolder, name: string, opened: Stats): boolean {
  if (folder.fd !== null) return true
  const place = join(folder.path, name)
  return realpathSync(place) === place && isSameFile(lstatSync(place), opened)
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino
}
