import { join } from 'node:path'
import { findTop } from './git-command.ts'
import { realGitDirectory } from './git-folder.ts'
import type { GitIndex } from './git-index.ts'
import { addUntracked, type GitStatus } from './git-status.ts'
import {
  isSameStamp,
  type KeptFolders,
  lookAtFolders,
  nowNs,
  type Stamp,
  settledNs,
  stampAt,
} from './kept-folders.ts'
import { placeOnDisk, type RawPath, withoutPrefix } from './raw-path.ts'
import { mayHideChanges, type RepositoryState } from './repository-state.ts'

/*
 * Finding out which files are untracked and which are ignored takes half of a `git status`, since git lists every folder. The
 * listing stays valid as long as the folders and their rules files are unchanged, the index names the same files, and nothing
 * outside the work tree changes it. Files themselves are checked in every snapshot.
 */

/** A git status, and what it depends on besides the work tree. */
export interface Listing {
  readonly status: GitStatus
  readonly index: GitIndex
  readonly repository: RepositoryState
}

interface Kept extends Listing {
  readonly begunNs: bigint
  /** The folders before git began; null if they were not read yet. */
  readonly folders: KeptFolders | null
  /** Key of the whole configuration. */
  readonly key: string
  readonly outside: Outside | null
}

/** What a listing depends on besides the folders in the workspace. */
interface Outside {
  /** The index's metadata. Its bytes are compared as well; this is an early sign that they changed. */
  readonly index: Stamp | null
  /** Metadata of the rules files in the folders above. */
  readonly rules: readonly (Stamp | null)[]
}

/** A command takes two snapshots and exits: for it, listing all folders would save nothing. */
const LOOKS_OF_A_COMMAND = 2
const RESTING_LOOKS = 50

/** Git's listing of untracked and ignored files, kept from one snapshot to the next. */
export class KeptListing {
  #kept: Kept | null = null
  #folders: KeptFolders | null = null
  #begunNs = 0n
  #outside: Outside | null = null
  #looks = 0
  /** No try is made until then: what was unknown once is usually unknown the next time, and a failed try costs an extra snapshot. */
  #restsUntil = LOOKS_OF_A_COMMAND

  /**
   * Called before git: returns whether the listing is still valid for the work tree, so that only tracked files need to be
   * checked. `prefix`: of the folder, from the top of the work tree. Never rejects.
   */
  async isStill(directory: string, prefix: RawPath, key: string | null): Promise<boolean> {
    this.#looks += 1
    this.#begunNs = nowNs()
    this.#outside = outsideOf(directory, prefix)
    const kept = this.#kept
    if (this.#looks <= this.#restsUntil || kept === null || key === null) return false
    const ignored = kept.status.ignored.filter((path) => path.endsWith('/'))
    const left = new Set(ignored.map((path) => withoutPrefix(path, prefix).slice(0, -1)))
    this.#folders = await lookAtFolders(directory, left, this.#folders)
    if (this.#folders === null) this.#rest()
    return (
      this.#folders !== null &&
      this.#folders === kept.folders &&
      this.#folders.settledNs < kept.begunNs &&
      kept.key === key &&
      isStillOutside(kept.outside, this.#outside, kept.begunNs)
    )
  }

  /** Completes a status of tracked files with the kept listing; null if something it depends on has changed. */
  complete<Read extends Listing>(read: Read): Read | null {
    const kept = this.#kept
    // The stamp is the same, but an index whose bytes are incomplete (split, or missing) is read again each time.
    if (kept?.index !== read.index) this.#rest()
    if (kept?.index !== read.index || mayHideChanges(kept.repository, read.repository)) return null
    const dirty = new Map(read.status.dirty)
    for (const [path, { isUntracked }] of kept.status.dirty)
      if (isUntracked === true) addUntracked(dirty, path)
    return { ...read, status: { ...read.status, dirty, ignored: kept.status.ignored } }
  }

  #rest(): void {
    this.#restsUntil = this.#looks + RESTING_LOOKS
  }

  /** Called with a status of all files. */
  keep({ status, index, repository }: Listing, key: string | null): void {
    const [begunNs, outside, before] = [this.#begunNs, this.#outside, this.#kept]
    const isKnown = before !== null && foldersIn(before.status) === foldersIn(status)
    const isPlain = status.nested.length === 0 && index.submodules.length === 0
    this.#kept =
      key === null || !isPlain
        ? null
        : { begunNs, folders: isKnown ? this.#folders : null, key, outside, status, index, repository }
  }
}

/** Returns the folders that are omitted: the ignored ones, in git's order. */
function foldersIn({ ignored }: GitStatus): string {
  return ignored.filter((path) => path.endsWith('/')).join('\0')
}

/** `begunNs`: rules with times that had not settled by then may have changed again. */
function isStillOutside(before: Outside | null, now: Outside | null, begunNs: bigint): boolean {
  if (before === null || now === null || before.rules.length !== now.rules.length) return false
  const areRules = before.rules.every(
    (stamp, at) =>
      isSameStamp(stamp, now.rules[at] ?? null) && (stamp === null || settledNs(stamp) < begunNs),
  )
  return areRules && isSameStamp(before.index, now.index)
}

function outsideOf(directory: string, prefix: RawPath): Outside | null {
  const top = findTop(directory)
  if (top === null) return null
  const names = prefix === '' ? [] : prefix.split('/')
  return {
    index: stampAt(join(realGitDirectory(join(top, '.git')), 'index')),
    rules: names.map((_, depth) =>
      stampAt(placeOnDisk(top, [...names.slice(0, depth), '.gitignore'].join('/'))),
    ),
  }
}
