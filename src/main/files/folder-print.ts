import { createHash, randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { createYielder } from '../process/yield-to-loop.ts'
import { type BigIntStats, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from './names.ts'

/*
 * Detects whether anything below a folder was touched, whatever git says: each write sets the time at which the system last changed a file,
 * which no program can set. Only files that changed a moment ago are read, because their times might not show a second write.
 */

/** Everything below a folder, and where links from it lead. */
export interface FolderPrint {
  /** By absolute path. Only empty folders are included. */
  readonly entries: ReadonlyMap<string, string>
  /** Files whose content is part of their entry. */
  readonly hashed: ReadonlySet<string>
  /** How long making it took. */
  readonly tookMs: number
}

/** More would take longer than most checks do. */
const MAX_ENTRIES = 100_000
/** File systems store times in steps of up to 2 s. */
const TIMES_SETTLE_NS = 2_500_000_000n
const MAX_HASHED_BYTES = 16 * 1024 * 1024
/** Folders of git's data that store contents by their hash; new ones change nothing that is checked out. */
const GIT_STORES = new Set(['objects', 'lfs'])

/**
 * Records everything below `top` except the `excluded` folders, with everything that links lead to. `hashed`: files to compare by content,
 * in addition to those that changed a moment ago. Null if something could not be examined. Never rejects.
 */
export async function printFolder(
  top: string,
  excluded: readonly string[],
  hashed: ReadonlySet<string> = new Set(),
): Promise<FolderPrint | null> {
  const begunMs = performance.now()
  try {
    const walk = new Walk(realpathSync(top), new Set(excluded.map(realPathOf)), hashed)
    await walk.run()
    return { entries: walk.entries, hashed: walk.hashed, tookMs: performance.now() - begunMs }
  } catch {
    return null
  }
}

/** Returns a digest that is equal if and only if the prints are. */
export function digestOf({ entries }: FolderPrint): string {
  const hash = createHash('sha256')
  for (const path of [...entries.keys()].sort()) hash.update(`${path}\0${entries.get(path)}\0`)
  return hash.digest('base64')
}

/** Returns the paths whose entries differ. */
export function touchedBetween(one: FolderPrint, other: FolderPrint): readonly string[] {
  const paths = new Set([...one.entries.keys(), ...other.entries.keys()])
  return [...paths].filter((path) => one.entries.get(path) !== other.entries.get(path))
}

class Walk {
  readonly entries = new Map<string, string>()
  readonly hashed = new Set<string>()
  readonly #top: string
  readonly #excluded: ReadonlySet<string>
  readonly #wanted: ReadonlySet<string>
  readonly #folders: string[]
  readonly #seen: Set<string>
  readonly #settledNs = BigInt(Date.now()) * 1_000_000n - TIMES_SETTLE_NS
  #bytesLeft = MAX_HASHED_BYTES

  constructor(top: string, excluded: ReadonlySet<string>, wanted: ReadonlySet<string>) {
    this.#top = top
    this.#excluded = excluded
    this.#wanted = wanted
    this.#folders = [top]
    this.#seen = new Set(this.#folders)
  }

  /** Throws if anything cannot be examined. */
  async run(): Promise<void> {
    const yielder = createYielder()
    for (let folder = this.#folders.pop(); folder !== undefined; folder = this.#folders.pop()) {
      const names = readdirSync(folder)
      if (names.length === 0) this.#set(folder, 'empty')
      const isGit = isInGit(folder)
      for (const name of names) {
        if (yielder.isDue()) await yielder.yield()
        if (!(isGit && GIT_STORES.has(name))) this.#look(join(folder, name), name)
      }
    }
  }

  #look(path: string, name: string): void {
    if (this.#excluded.has(path)) return
    const stats = lstatSync(path, { bigint: true })
    if (stats.isDirectory()) {
      if (!this.#seen.has(path)) this.#folders.push(path)
      this.#seen.add(path)
      return
    }
    this.#set(path, this.#entryOf(path, stats))
    if (stats.isSymbolicLink()) this.#follow(path)
    if (name === '.git' && stats.isFile()) this.#followGit(path)
  }

  #entryOf(path: string, stats: BigIntStats): string {
    const { mode, size, mtimeNs, ctimeNs, ino } = stats
    const entry = `${mode}:${size}:${mtimeNs}:${ctimeNs}:${ino}`
    if (stats.isSymbolicLink()) return `${entry}:${readlinkSync(path)}`
    const isHashed = stats.isFile() && (ctimeNs > this.#settledNs || this.#wanted.has(path))
    if (!isHashed) return entry
    // A file that is too large to read now equals nothing, not even itself a moment later.
    return `${entry}:${size > this.#bytesLeft ? randomUUID() : this.#hash(path)}`
  }

  /** Follows a link, unless it leads into the folder, which is examined anyway. */
  #follow(path: string): void {
    const target = targetOf(path)
    if (target === null) this.#set(`${path}\n`, 'leads to nothing')
    else if (!this.#covers(target)) this.#lookOutside(target)
  }

  #lookOutside(target: string): void {
    if (this.#seen.has(target)) return
    this.#seen.add(target)
    const stats = statSync(target, { bigint: true })
    if (stats.isDirectory()) this.#folders.push(target)
    else this.#set(target, this.#entryOf(target, stats))
  }

  /** Throws if a `.git` file leads elsewhere (a linked work tree, a submodule), because that data may be shared. */
  #followGit(path: string): void {
    const [, named] = /^gitdir: (.+)$/m.exec(readAtOnce(path, 4096).toString()) ?? []
    const target = named === undefined ? null : resolve(dirname(path), named)
    if (target !== null && !this.#covers(target)) throw new Error(`${path} leads to ${target}`)
  }

  #covers(path: string): boolean {
    return path === this.#top || path.startsWith(this.#top + sep)
  }

  #hash(path: string): string {
    const bytes = readAtOnce(path, this.#bytesLeft)
    this.#bytesLeft -= bytes.length
    this.hashed.add(path)
    return createHash('sha256').update(bytes).digest('base64')
  }

  #set(path: string, entry: string): void {
    this.entries.set(path, entry)
    if (this.entries.size > MAX_ENTRIES) throw new Error('There is too much to look at')
  }
}

function realPathOf(path: string): string {
  return targetOf(path) ?? path
}

function isInGit(folder: string): boolean {
  return folder.split(sep).includes('.git')
}

function targetOf(link: string): string | null {
  try {
    return realpathSync(link)
  } catch {
    return null
  }
}

/** Reads a file; fails if it has become a pipe or a link. */
function readAtOnce(path: string, maxBytes: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > maxBytes) throw new Error(`${path} cannot be read`)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}
