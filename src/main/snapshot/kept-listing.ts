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
 * Which files are untracked and which ignored takes git half of a `git status` to find out, since it lists every folder. What it found
 * holds for as long as the folders and the rules in them stand as they did, the index names the same files, and nothing outside the
 * work tree says otherwise. Files themselves are asked for at every look.
 */

/** A status, and what it rests on beside the work tree. */
export interface Listing {
  readonly status: GitStatus
  readonly index: GitIndex
  readonly repository: RepositoryState
}

interface Kept extends Listing {
  readonly begunNs: bigint
  /** As they were before it began; null where they were not looked at yet. */
  readonly folders: KeptFolders | null
  /** Of the whole configuration. */
  readonly key: string
  readonly outside: Outside | null
}

/** What a listing rests on beside the folders below the workspace. */
interface Outside {
  /** Its bytes are compared as well: the stamp only tells early that they moved. */
  readonly index: Stamp | null
  /** In the folders above. */
  readonly rules: readonly (Stamp | null)[]
}

/** A command looks twice and ends: to list all folders then would spare nothing. */
const LOOKS_OF_A_COMMAND = 2
const RESTING_LOOKS = 50

/** What git has found to be untracked and ignored in a folder, from one look to the next. */
export class KeptListing {
  #kept: Kept | null = null
  #folders: KeptFolders | null = null
  #begunNs = 0n
  #outside: Outside | null = null
  #looks = 0
  /** Until then it is not tried: what could not be told most often cannot be told the next time, and a try in vain costs a look more. */
  #restsUntil = LOOKS_OF_A_COMMAND

  /**
   * Called before git is asked: whether what was found still holds as far as the work tree goes, so that only tracked files need be asked
   * about. `prefix`: of the folder below the top of the work tree. Never rejects.
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

  /** What was read of tracked files alone, with what was found of the others; null where it rests on something that has changed. */
  complete<Read extends Listing>(read: Read): Read | null {
    const kept = this.#kept
    // Its stamp is the same: one whose bytes are not all there is to it (split, or none yet) is read anew each time.
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

  /** Called with what was read of all files. */
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

/** Which folders are left out: those that are ignored, in the order that git lists them in. */
function foldersIn({ ignored }: GitStatus): string {
  return ignored.filter((path) => path.endsWith('/')).join('\0')
}

/** `begunNs`: rules whose times had not settled by then may have changed once more. */
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
