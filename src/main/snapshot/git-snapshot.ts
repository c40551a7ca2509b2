import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { realpathSync } from '../files/names.ts'
import { sha256 } from '../files/sha256.ts'
import { type AskedIgnored, readAskedIgnored } from './asked-ignored.ts'
import {
  bytesOf,
  type Content,
  type ContentReader,
  createContentReader,
  fileContent,
  type KnownContents,
} from './content.ts'
import { findTop, runGit } from './git-command.ts'
import { configKey } from './git-config-key.ts'
import { type Configured, readConfigured } from './git-filters.ts'
import { type GitIndex, readIndex, SUBMODULE } from './git-index.ts'
import { type Committed, type GitStatus, parseGitStatus } from './git-status.ts'
import { type Branches, readBranches } from './git-trees.ts'
import { findWorkTree, type NoGit, type WorkTreePlace } from './git-work-tree.ts'
import { KeptListing, type Listing } from './kept-listing.ts'
import { isWithin, type RawPath, toText, withoutPrefix } from './raw-path.ts'
import { type RepositoryState, readRepositoryState } from './repository-state.ts'
import { listFiles, readContents } from './walk-snapshot.ts'

/**
 * The state of a folder in a git work tree: HEAD, and the content of every path that differs from it. Ignored files are not seen.
 * With a clean filter or line ending conversion, a file that becomes dirty with its bytes unchanged (by `chmod`, or a reset of
 * HEAD alone) counts as modified, because only the filtered form of its former content is stored.
 */
export interface GitSnapshot {
  readonly kind: 'git'
  readonly directory: string
  readonly place: WorkTreePlace
  /** `null` before the first commit. */
  readonly head: string | null
  readonly branches: Branches
  readonly dirty: ReadonlyMap<RawPath, DirtyContent>
  /** Ignored files, and whole folders, which end in "/"; null if the known names are incomplete. */
  readonly ignored: readonly RawPath[] | null
  /** Ignored files that a check reads. */
  readonly asked: AskedIgnored
  /** All tracked files in the workspace, so that git is not needed later. */
  readonly index: GitIndex
  /** The parts of the repository that may hide or keep a change. */
  readonly repository: RepositoryState
  /** Wall clock, like file times. */
  readonly takenAtMs: number
  /** Those that differ from their recorded commit. */
  readonly submodules: ReadonlyMap<RawPath, GitSnapshot>
  /** Nested repositories and work trees that are not submodules. */
  readonly nested: readonly RawPath[]
  readonly known: KnownContents
  readonly incomplete: string | null
}

interface DirtyContent {
  readonly committed: Content | null
  readonly content: Content | null
}

const STATUS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  // Nothing uses the ahead/behind counts, and computing them would walk the history.
  '--no-ahead-behind',
  // In a submodule git would run that repository's own filters, so we look there ourselves.
  '--ignore-submodules=dirty',
  '--no-renames',
]
/** Ignored files are listed too, since a path that is looked up by name may be among them. */
const ALL_FILES = ['--untracked-files=all', '--ignored=matching']
const TRACKED_FILES = ['--untracked-files=no']

/** Options of a snapshot; an omitted one is not used. */
export interface LookOptions {
  /** Paths that are read even if git ignores them. */
  readonly asked?: readonly string[]
  /** From earlier snapshots. */
  readonly listing?: KeptListing
  /** Runs while git is working. */
  readonly beside?: () => void
}

/** Reads the folder's state through git. Never rejects. */
export async function takeGit(
  directory: string,
  excluded: readonly RawPath[],
  previous: KnownContents,
  { asked = [], listing = new KeptListing(), beside = () => {} }: LookOptions = {},
): Promise<GitSnapshot | NoGit> {
  const takenAtMs = Date.now()
  const key = configKey(directory)
  const [place, configured] = await Promise.all([
    findWorkTree(directory, key),
    readConfigured(directory, key),
  ])
  if ('kind' in place) return place
  if (configured === null)
    return { kind: 'no-git', reason: "its configuration can't be read, or names too many filters" }
  const ask = (which: readonly string[]) => readThroughGit(directory, configured, place, which, beside)
  const isStill = await listing.isStill(directory, place.prefix, key)
  const tracked = isStill ? await ask(TRACKED_FILES) : null
  const completed = tracked === null || 'kind' in tracked ? null : listing.complete(tracked)
  const read = completed ?? (await ask(ALL_FILES))
  if ('kind' in read) return read
  if (completed === null) listing.keep(read, key)
  const { status, index, branches, repository } = read

  const reader = createContentReader(directory, place.algorithm, previous)
  const seen = below(status, index, place.prefix, excluded)
  const { dirty, submodules, incomplete } = await readDirty(directory, seen, excluded, reader)
  const ignored = status.ignored.map((path) => withoutPrefix(path, place.prefix))
  return {
    kind: 'git',
    directory,
    place,
    head: status.head,
    branches,
    dirty,
    ignored: excluded.length > 0 ? null : ignoredOf(status, index, place.prefix),
    asked: await readAskedIgnored(directory, asked, ignored, excluded, reader),
    index,
    repository,
    takenAtMs,
    submodules,
    nested: seen.nested,
    known: reader.known(),
    incomplete,
  }
}

interface ReadThroughGit extends Listing {
  readonly branches: Branches
}

/** Reads the status, and other things once git has started: reading the whole index must not delay git. */
async function readThroughGit(
  directory: string,
  configured: Configured,
  place: WorkTreePlace,
  which: readonly string[],
  beside: () => void,
): Promise<ReadThroughGit | NoGit> {
  const asking = runGit(directory, [...STATUS, ...which, '--', '.'], { settings: configured.withoutFilters })
  await setImmediate()
  const repository = readRepositoryState(directory, configured)
  const reading = Promise.all([asking, readIndex(directory, place), readBranches(directory)])
  beside()
  const [output, index, branches] = await reading
  if ('error' in index) return { kind: 'no-git', reason: index.error }
  if (repository === null) return { kind: 'no-git', reason: 'its repository is gone' }
  if (!output.ok) return { kind: 'no-git', reason: output.error }
  const status = parseGitStatus(output.stdout)
  if (status === null) return { kind: 'no-git', reason: 'the output of git status could not be parsed' }
  return { status, index, branches, repository }
}

/**
 * Above this, flagged files are from a sparse checkout and mostly not on disk: checking each would cost more than the rest of the
 * snapshot, and git itself checks those that are there.
 */
const MAX_FLAGGED = 2000

/**
 * Returns the status relative to the workspace, plus the files that git assumes to be unchanged without looking: such a flag hides any
 * change.
 */
function below(status: GitStatus, index: GitIndex, prefix: RawPath, excluded: readonly RawPath[]): GitStatus {
  const flagged = index.flagged.length > MAX_FLAGGED ? [] : index.flagged
  const isMeant = (path: RawPath): boolean => !excluded.some((one) => isWithin(path, one))
  const dirty: GitStatus['dirty'] = new Map([
    ...[...flagged, ...index.submodules].map((path) => {
      const committed = index.entries.get(path) ?? null
      const isSkipped = index.entries.get(path)?.isSkipped === true
      return [
        path,
        { committed, isSubmodule: committed?.mode === SUBMODULE, isUnasked: true, isSkipped },
      ] as const
    }),
    ...[...status.dirty].map(([path, one]) => [withoutPrefix(path, prefix), one] as const),
  ])
  return {
    head: status.head,
    dirty: new Map([...dirty].filter(([path]) => isMeant(path))),
    nested: status.nested.map((path) => withoutPrefix(path, prefix)).filter(isMeant),
    ignored: status.ignored,
  }
}

/** Null if there are nested repositories, or files that are not looked for on disk. */
function ignoredOf({ nested, ignored }: GitStatus, index: GitIndex, prefix: RawPath): GitSnapshot['ignored'] {
  if (nested.length > 0 || index.submodules.length > 0 || index.flagged.length > MAX_FLAGGED) return null
  return ignored.map((path) => withoutPrefix(path, prefix))
}

async function readDirty(
  directory: string,
  status: GitStatus,
  excluded: readonly RawPath[],
  reader: ContentReader,
): Promise<Pick<GitSnapshot, 'dirty' | 'submodules' | 'incomplete'>> {
  const reasons: string[] = []
  const untracked: RawPath[] = []
  for (const folder of status.nested) {
    const listing = await listFiles(directory, folder, excluded)
    untracked.push(...listing.files)
    if (listing.cutAt !== null || listing.unreadable.length > 0)
      reasons.push(`the repository in ${toText(folder)} could not be read completely`)
  }
  const contents = withoutLedAway(await readContents([...status.dirty.keys(), ...untracked], reader))
  const dirty = new Map<RawPath, DirtyContent>()
  for (const path of untracked) dirty.set(path, { committed: null, content: contents.get(path) ?? null })
  const submodules = new Map<RawPath, GitSnapshot>()
  for (const [path, { committed, isSubmodule, isUnasked = false, isSkipped = false }] of status.dirty) {
    // Not checked out, but the commit has it.
    if (isSkipped && (contents.get(path) ?? null) === null) continue
    const submodule = isSubmodule ? await takeSubmodule(directory, path) : null
    if (isSubmodule && isUnasked && isUntouched(committed, submodule)) continue
    if (submodule !== null) submodules.set(path, submodule)
    dirty.set(path, {
      committed: committedContent(committed),
      content: submodule === null ? (contents.get(path) ?? null) : submoduleContent(submodule),
    })
  }
  return { dirty, submodules, incomplete: reasons.length === 0 ? null : reasons.join('; ') }
}

/** Nothing exists behind a link that replaced a folder of the path, wherever it leads: git sees it that way too. */
function withoutLedAway(
  contents: ReadonlyMap<RawPath, Content | null>,
): ReadonlyMap<RawPath, Content | null> {
  const links = new Set(
    [...contents].flatMap(([path, content]) => (content?.startsWith('link:') ? [path] : [])),
  )
  if (links.size === 0) return contents
  return new Map([...contents].map(([path, content]) => [path, isBehind(path, links) ? null : content]))
}

function isBehind(path: RawPath, links: ReadonlySet<RawPath>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (links.has(path.slice(0, end))) return true
  return false
}

/** True if a submodule is at its recorded commit; one that is not checked out cannot differ. */
function isUntouched(committed: Committed | null, submodule: GitSnapshot | null): boolean {
  return (
    committed !== null && (submodule === null || submoduleContent(submodule) === `commit:${committed.id}`)
  )
}

/** Returns the state inside a submodule; `null` if there is no repository any more. */
export async function takeSubmodule(directory: string, path: RawPath): Promise<GitSnapshot | null> {
  const folder = join(directory, toText(path))
  // A folder that lost its repository, or a link that replaced it, leads to the repository around it, and recursion would not
  // end.
  if (!isOwnTop(folder)) return null
  const inside = await takeGit(folder, [], new Map())
  return inside.kind === 'git' && inside.place.prefix === '' ? inside : null
}

function isOwnTop(folder: string): boolean {
  try {
    return findTop(folder) === join(realpathSync.native(dirname(folder)), basename(folder))
  } catch {
    return false
  }
}

/** Returns its commit with a digest of what differs from it. */
function submoduleContent(inside: GitSnapshot): Content {
  const changes = [...inside.dirty]
    .map(([name, { committed, content }]) => ({
      name,
      was: bytesOf(committed ?? ''),
      is: bytesOf(content ?? ''),
    }))
    .filter(({ was, is }) => was !== is)
    .map(({ name, is }) => [name, is])
    .sort()
  if (changes.length === 0) return `commit:${inside.head}`
  return `commit:${inside.head}+${sha256(JSON.stringify(changes))}`
}

/** Returns a tree's entry in the form in which files on disk are read. */
export function committedContent(committed: Committed | null): Content | null {
  if (committed === null) return null
  if (committed.mode === '120000') return `link:${committed.id}`
  if (committed.mode === SUBMODULE) return `commit:${committed.id}`
  return fileContent(committed.id, committed.mode === '100755')
}
