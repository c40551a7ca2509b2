import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findTop, type GitOutput, runGit } from './git-command.ts'
import { readRegular, realGitDirectory } from './git-folder.ts'
import type { Committed } from './git-status.ts'
import type { RawPath } from './raw-path.ts'

/** What the index has for a path. */
export interface IndexEntry extends Committed {
  /** Git takes it for unchanged without looking. */
  readonly isFlagged: boolean
  /** When the file was last changed that the entry was made from (wall clock); 0 where git does not know. */
  readonly changedMs: number
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
 * Nothing is staged between most looks, and to have ten thousand entries listed and to read them takes longer than `git status`.
 * What was listed is kept by the bytes of the index file, which no program can change without their being others: no time of a
 * file is believed here.
 */
const kept = new Map<string, GitIndex>()
/** Some megabytes each in a large repository; a heartbeat looks twice or three times, one after the other. */
const MAX_KEPT = 8
/** A larger one is listed every time. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024

/** The index below `directory`; what git said where it fails. Never rejects. */
export async function readIndex(directory: string): Promise<GitIndex | GitOutput> {
  const name = nameOf(directory)
  const known = name === null ? undefined : kept.get(name)
  if (name !== null && known !== undefined) {
    keep(name, known)
    return known
  }
  const listing = await runGit(directory, ['ls-files', '-v', '--stage', '--debug', '-z'])
  if (!listing.ok) return listing
  const index = parseIndex(listing.stdout)
  // Written to while git read it, it may have been listed as it was or as it is.
  if (name !== null && name === nameOf(directory)) keep(name, index)
  return index
}

function keep(name: string, index: GitIndex): void {
  kept.delete(name)
  kept.set(name, index)
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break
    kept.delete(oldest)
  }
}

/** What the listing depends on: the folder and the bytes of the index. Null where they are not all. */
function nameOf(directory: string): string | null {
  const top = findTop(directory)
  if (top === null) return null
  const gitDirectory = realGitDirectory(join(top, '.git'))
  const bytes = readRegular(join(gitDirectory, 'index'), MAX_INDEX_BYTES)
  // An index may be split in two files, of which the other can be written alone.
  if (bytes === null || bytes.length >= MAX_INDEX_BYTES) return null
  if (mayBeSplit(gitDirectory)) return null
  return `${createHash('sha256').update(bytes).digest('hex')} ${gitDirectory}\0${directory}`
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
 * lines of what git noted of the file, `ctime: <seconds>:<ns>` first. A tag in lower case is an assumed-unchanged file, "S" one
 * that is not to be in the work tree.
 */
const INDEX_ENTRY = /([A-Za-z]) (\d{6}) ([0-9a-f]{40,64}) \d\t([^\0]+)\0(?: {2}ctime: (\d+):(\d+))?/g

function parseIndex(output: Buffer): GitIndex {
  const entries = new Map<RawPath, IndexEntry>()
  const text = output.toString('latin1')
  let lastChangedMs = 0
  for (const [, tag = '', mode = '', id = '', path = '', seconds = '0', ns = '0'] of text.matchAll(
    INDEX_ENTRY,
  )) {
    const changedMs = Number(seconds) * 1000 + Number(ns) / 1e6
    lastChangedMs = Math.max(lastChangedMs, changedMs)
    entries.set(path, { mode, id, isFlagged: /[a-z]|S/.test(tag), changedMs })
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

/** Mode of a submodule in a tree. */
export const SUBMODULE = '160000'
