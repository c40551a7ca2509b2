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
import { sha256 } from '../files/sha256.ts'
import { findTop, type GitOutput, runGit } from './git-command.ts'
import { readRegular, realGitDirectory } from './git-folder.ts'
import type { Committed } from './git-status.ts'
import type { WorkTreePlace } from './git-work-tree.ts'
import type { RawPath } from './raw-path.ts'

/** The index entry of a path. */
export interface IndexEntry extends Committed {
  /** Git assumes that it is unchanged without looking. */
  readonly isFlagged: boolean
  /** It is not checked out in the work tree (sparse checkout). */
  readonly isSkipped?: true
  /** When the file that the entry was made from was last changed (wall clock); 0 if git does not know. */
  readonly changedMs: number
  /**
   * The size of that file, in bytes modulo 2³²; 0 if git does not know. While git finds the file clean by itself, it equals the
   * size on disk.
   */
  readonly size: number
}

/** The part of a repository's index below a folder. */
export interface GitIndex {
  /** By path relative to the folder; for an unmerged path, the last stage. */
  readonly entries: ReadonlyMap<RawPath, IndexEntry>
  readonly flagged: readonly RawPath[]
  readonly submodules: readonly RawPath[]
  /** The latest `changedMs`. */
  readonly lastChangedMs: number
}

/*
 * Nothing is staged between most snapshots, and reading ten thousand entries takes as long as a third of a `git status`. So
 * entries are cached by the bytes of the index file, which no program can change unnoticed; file times are not trusted here.
 */
const kept = new Map<string, GitIndex>()
/** Some megabytes each in a large repository; a heartbeat takes two or three snapshots in a row. */
const MAX_KEPT = 8
/** A larger index is listed by git every time. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024

/**
 * Reads the index below `directory`; returns git's output if that fails. Never rejects. Reads its bytes while git does other
 * work. Lets git list it if the bytes are incomplete or contain a flag, whose meaning may depend on what is on disk.
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
  // If it was written to in the meantime, the listing may be of the old or the new index.
  if ('entries' in listed && file !== null && file.name === indexFileOf(directory)?.name)
    keep(file.name, listed)
  return listed
}

/** Reads the same from git's listing. */
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
  /** What a listing depends on: the folder and the bytes of the index. */
  readonly name: string
  readonly bytes: Buffer
}

/** Null if the bytes are incomplete. */
function indexFileOf(directory: string): IndexFile | null {
  const top = findTop(directory)
  if (top === null) return null
  const gitDirectory = realGitDirectory(join(top, '.git'))
  const bytes = readRegular(join(gitDirectory, 'index'), MAX_INDEX_BYTES)
  // An index may be split into two files, and the other one can be written alone.
  if (bytes === null || bytes.length >= MAX_INDEX_BYTES) return null
  if (mayBeSplit(gitDirectory)) return null
  const digest = sha256(bytes)
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
 * lines with the file's metadata, `ctime: <seconds>:<ns>` first and `size: <bytes>`, a tab and the flags last. A lower-case tag
 * is an assume-unchanged file, "S" a skip-worktree file.
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

/** Parses the bytes of the file; `null` if only git can tell. */
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
  // In one pass: most processes read ten thousand entries once, before any of this code is compiled.
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
