import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  INDEX_MODE_AT,
  INDEX_SIZE_AT,
  INDEX_STAT_BYTES,
  type IndexRecord,
  numbersIn,
  readGitIndex,
} from '../files/git-index-bytes.ts'
import { readdirSync } from '../files/names.ts'
import { findTop, type GitOutput, runGit } from './git-command.ts'
import { readRegular, realGitDirectory } from './git-folder.ts'
import type { Committed } from './git-status.ts'
import type { WorkTreePlace } from './git-work-tree.ts'
import type { RawPath } from './raw-path.ts'

/** What the index has for a path. */
export interface IndexEntry extends Committed {
  /** Git takes it for unchanged without looking. */
  readonly isFlagged: boolean
  /** It is not to be laid out in the work tree. */
  readonly isSkipped?: true
  /** When the file was last changed that the entry was made from (wall clock); 0 where git does not know. */
  readonly changedMs: number
  /** Of that file, in bytes modulo 2³²; 0 also where git does not know. While git calls the file clean without being told to, it is that of the file on disk. */
  readonly size: number
}

/** The index of a repository, as far as it lies below a folder. */
export interface GitIndex {
  /** By path as seen from the folder; of an unmerged path the last stage. */
  readonly entries: ReadonlyMap<RawPath, IndexEntry>
  readonly flagged: readonly RawPath[]
  readonly submodules: readonly RawPath[]
  /** The latest `changedMs`. */
  readonly lastChangedMs: number
}

/*
 * Nothing is staged between most looks, and to read ten thousand entries takes as long as a third of a `git status`. What was read is
 * kept by the bytes of the index file, which no program can change without their being others: no time of a file is believed here.
 */
const kept = new Map<string, GitIndex>()
/** Some megabytes each in a large repository; a heartbeat looks twice or three times, one after the other. */
const MAX_KEPT = 8
/** A larger one is listed by git every time. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024

/**
 * The index below `directory`; what git said where it fails. Never rejects. Its bytes are read while git is at work on something else;
 * git lists it where they are not all there is to it, or hold a flag: what that means, git may see otherwise by what is on disk.
 */
export async function readIndex(directory: string, place: WorkTreePlace): Promise<GitIndex | GitOutput> {
  const file = indexFileOf(directory)
  const known = file === null ? undefined : kept.get(file.name)
  const index = known ?? (file === null ? null : indexIn(file.bytes, place))
  if (file !== null && index !== null) {
    keep(file.name, index)
    return index
  }
  const listed = await listIndex(directory)
  // Written to while git read it, it may have been listed as it was or as it is.
  if ('entries' in listed && file !== null && file.name === indexFileOf(directory)?.name)
    keep(file.name, listed)
  return listed
}

/** The same, as git lists it. */
export async function listIndex(directory: string): Promise<GitIndex | GitOutput> {
  const listing = await runGit(directory, ['ls-files', '-v', '--stage', '--debug', '-z'])
  return listing.ok ? parseIndex(listing.stdout) : listing
}

function keep(name: string, index: GitIndex): void {
  kept.delete(name)
  kept.set(name, index)
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break
    kept.delete(oldest)
  }
}

interface IndexFile {
  /** What a listing of it depends on: the folder and the bytes of the index. */
  readonly name: string
  readonly bytes: Buffer
}

/** Null where these are not all there is to it. */
function indexFileOf(directory: string): IndexFile | null {
  const top = findTop(directory)
  if (top === null) return null
  const gitDirectory = realGitDirectory(join(top, '.git'))
  const bytes = readRegular(join(gitDirectory, 'index'), MAX_INDEX_BYTES)
  // An index may be split in two files, of which the other can be written alone.
  if (bytes === null || bytes.length >= MAX_INDEX_BYTES) return null
  if (mayBeSplit(gitDirectory)) return null
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { name: `${digest} ${gitDirectory}\0${directory}`, bytes }
}

function mayBeSplit(gitDirectory: string): boolean {
  try {
    return readdirSync(gitDirectory).some((name) => name.startsWith('sharedindex'))
  } catch {
    return true
  }
}

/*
 * Output of `git ls-files -v --stage --debug -z`: `<tag> <mode> <id> <stage>`, a tab and the path, ended by a zero byte; then
 * lines of what git noted of the file, `ctime: <seconds>:<ns>` first and `size: <bytes>`, a tab and the flags last. A tag in lower case is an assumed-unchanged file, "S" one
 * that is not to be in the work tree.
 */
const INDEX_ENTRY =
  /([A-Za-z]) (\d{6}) ([0-9a-f]{40,64}) \d\t([^\0]+)\0(?: {2}ctime: (\d+):(\d+)\n(?: {2}[^\0\n]+\n){3} {2}size: (\d+))?/g

function parseIndex(output: Buffer): GitIndex {
  const entries = new Map<RawPath, IndexEntry>()
  let lastChangedMs = 0
  for (const [, tag = '', mode = '', id = '', path = '', seconds = '0', ns = '0', size = '0'] of output
    .toString('latin1')
    .matchAll(INDEX_ENTRY)) {
    const changedMs = Number(seconds) * 1000 + Number(ns) / 1e6
    lastChangedMs = Math.max(lastChangedMs, changedMs)
    entries.set(path, {
      mode,
      id,
      isFlagged: /[a-z]|S/.test(tag),
      ...(/s/i.test(tag) && { isSkipped: true as const }),
      changedMs,
      size: Number(size),
    })
  }
  const pathsWhere = (holds: (entry: IndexEntry) => boolean): RawPath[] =>
    [...entries].flatMap(([path, entry]) => (holds(entry) ? [path] : []))
  return {
    entries,
    flagged: pathsWhere(({ isFlagged }) => isFlagged),
    submodules: pathsWhere(({ mode }) => mode === SUBMODULE),
    lastChangedMs,
  }
}

/** The same, from the bytes of the file; `null` where only git can tell. */
export function indexIn(bytes: Buffer, { algorithm, prefix }: WorkTreePlace): GitIndex | null {
  const within = prefix === '' ? '' : `${prefix}/`
  const entries = new Map<RawPath, IndexEntry>()
  const numbers = numbersIn(bytes)
  const modes = new Map<number, string>()
  const modeOf = (number: number): string => {
    const mode = number.toString(8).padStart(6, '0')
    modes.set(number, mode)
    return mode
  }
  const submodules: RawPath[] = []
  let lastChangedMs = 0
  let isAnyFlagged = false
  // All in one pass: ten thousand entries are read once in most processes, and nothing of this is compiled yet.
  const take = ({ name, at, idBytes, isFlagged }: IndexRecord): void => {
    isAnyFlagged ||= isFlagged
    if (within !== '' && !name.startsWith(within)) return
    const path = within === '' ? name : name.slice(within.length)
    const number = numbers.getUint32(at + INDEX_MODE_AT)
    const mode = modes.get(number) ?? modeOf(number)
    const id = bytes.toString('hex', at + INDEX_STAT_BYTES, at + INDEX_STAT_BYTES + idBytes)
    const changedMs = numbers.getUint32(at) * 1000 + numbers.getUint32(at + 4) / 1e6
    if (changedMs > lastChangedMs) lastChangedMs = changedMs
    // The stages of a merge follow each other.
    if (mode === SUBMODULE && submodules.at(-1) !== path) submodules.push(path)
    entries.set(path, { mode, id, isFlagged, changedMs, size: numbers.getUint32(at + INDEX_SIZE_AT) })
  }
  const isRead = readGitIndex(bytes, take, [algorithm]) !== null
  return isRead && !isAnyFlagged ? { entries, flagged: [], submodules, lastChangedMs } : null
}

/** Mode of a submodule in a tree. */
export const SUBMODULE = '160000'
