import { changedPaths } from '../../core/verification/difference.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../core/verification/types.ts'
import { existsSync } from '../files/names.ts'
import { changedIgnored } from './asked-ignored.ts'
import { type Candidate, compareContents } from './compare.ts'
import { bytesOf, type Content, createContentReader } from './content.ts'
import { committedContent, type GitSnapshot, takeSubmodule } from './git-snapshot.ts'
import { changedOnBranches, changesBetween, type TreeChanges } from './git-trees.ts'
import { joinLists, listsBelow } from './join-differences.ts'
import { onDisk, type RawPath, toText } from './raw-path.ts'
import { readContents } from './walk-snapshot.ts'

/**
 * Returns what changed between two snapshots. Rereads files that were dirty and are clean now. A changed submodule is a path by itself, and
 * what changed inside it is listed too. Null if the repository is a different one, which cannot tell.
 */
export async function differenceOfGit(
  before: GitSnapshot,
  after: GitSnapshot,
): Promise<FileDifference | null> {
  const headMoved = before.head === after.head ? null : { from: before.head, to: after.head }
  const changes = headMoved === null ? new Map() : await changesBetween(after, before.head, after.head)
  if (changes === null || before.place.prefix !== after.place.prefix) return null

  const paths = [...new Set([...before.dirty.keys(), ...after.dirty.keys(), ...changes.keys()])]
  const starts = new Map(paths.map((path) => [path, startOf(path, before, after, changes)]))
  const ends = await endsOf(paths, before, after, changes)
  const candidates = paths.map((path) => ({
    path,
    start: starts.get(path) ?? null,
    end: ends.get(path) ?? null,
  }))
  const difference = await compareContents(candidates)
  const committed = [...changes.keys(), ...(await changedOnBranches(before, after))]
  const ignored = changedIgnored(before.asked, after.asked, (path) => starts.has(path))
  const unsure = [...(difference.unsure ?? []), ...ignored.unsure]
  const embedded = findEmbedded(before, after)
  const own: FileDifference = {
    ...difference,
    ...withCommitted(difference, committed),
    ...(unsure.length > 0 && { unsure }),
    ...(ignored.changed.length > 0 && { ignored: ignored.changed }),
    headMoved,
    ...namesOfEmbedded(embedded, after),
    ...withChangedElsewhere(candidates, embedded, after),
    ...onlyInIndexOf(after),
    incomplete: after.incomplete ?? before.incomplete,
  }
  const submodules = await Promise.all(candidates.map((one) => insideSubmodule(before, after, one)))
  return submodules.reduce<FileDifference>(
    (whole, one) => (one === null ? whole : joinLists(whole, one)),
    own,
  )
}

/** Returns the paths that git was told to track without a file: they are in the index alone, neither in the work tree nor in a commit. */
function onlyInIndexOf({ index, dirty }: GitSnapshot): Pick<FileDifference, 'onlyInIndex'> {
  // Whenever it was planted: an earlier attempt may have done so.
  const planted = index.flagged.filter((path) => {
    const seen = dirty.get(path)
    const isNowhere = seen !== undefined && seen.committed === null && seen.content === null
    return isNowhere && index.entries.get(path)?.isSkipped === true
  })
  return planted.length === 0 ? {} : { onlyInIndex: planted.map(toText).sort() }
}

interface Embedded {
  readonly known: ReadonlySet<RawPath>
  readonly made: ReadonlySet<RawPath>
}

/**
 * Returns the repositories and work trees inside this tree. Excludes a folder whose files belonged to this tree, even if it was made a
 * repository.
 */
function findEmbedded(before: GitSnapshot, after: GitSnapshot): Embedded {
  const known = new Set(before.nested)
  const taken = new Set(takenFolders(before, after))
  return { known, made: new Set(after.nested.filter((path) => !known.has(path) && !taken.has(path))) }
}

/** Returns folders that contain files of this tree and became nested repositories. Git no longer looks into them. */
export function takenFolders(before: GitSnapshot, after: GitSnapshot): readonly RawPath[] {
  const known = new Set(before.nested)
  const made = new Set(after.nested.filter((path) => !known.has(path)))
  if (made.size === 0) return []
  const wasThere = [...before.dirty].flatMap(([path, { content }]) => (content === null ? [] : [path]))
  const taken = new Set([...before.index.entries.keys(), ...wasThere].map((path) => folderIn(path, made)))
  return [...made].filter((folder) => taken.has(folder))
}

/** Returns the outermost of these folders that a path lies in; `undefined` if it lies in none. */
function folderIn(path: RawPath, folders: ReadonlySet<RawPath>): RawPath | undefined {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at)
    if (folders.has(folder)) return folder
  }
  return undefined
}

function namesOfEmbedded(
  { known, made }: Embedded,
  after: GitSnapshot,
): Pick<FileDifference, 'embedded' | 'newlyEmbedded' | 'removedEmbedded'> {
  const removed = [...known].filter((folder) => !existsSync(onDisk(after.directory, folder)))
  const [embedded, newlyEmbedded, removedEmbedded] = [[...known, ...made], [...made], removed].map((paths) =>
    paths.length === 0 ? undefined : paths.map(toText).sort(),
  )
  return {
    ...(embedded !== undefined && { embedded }),
    ...(newlyEmbedded !== undefined && { newlyEmbedded }),
    ...(removedEmbedded !== undefined && { removedEmbedded }),
  }
}

/**
 * Returns the paths in other work trees and clones of this repository that changed and differ from this tree's file. Omits files that were
 * only checked out there, that were removed with their work tree, or that belong to another project: none of that is work on this tree.
 */
function withChangedElsewhere(
  candidates: readonly Candidate[],
  { known, made }: Embedded,
  after: GitSnapshot,
): Pick<FileDifference, 'changedElsewhere'> {
  const folders = new Set([...known, ...made])
  if (folders.size === 0) return {}
  const isThere = new Set(after.nested)
  const ends = new Map(candidates.map(({ path, end }) => [path, end]))
  const contentHere = (path: RawPath): Content | null =>
    ends.get(path) ?? committedContent(after.index.entries.get(path) ?? null)
  const related = new Set<RawPath>()
  const changed: { readonly path: RawPath; readonly folder: RawPath }[] = []
  for (const { path, start, end } of candidates) {
    const folder = folderIn(path, folders)
    if (folder === undefined || !isThere.has(folder)) continue
    const inside = path.slice(folder.length + 1)
    if (inside === '.git') continue
    const here = contentHere(inside)
    const isCopy = end !== null && here !== null && bytesOf(end) === bytesOf(here)
    if (isCopy) related.add(folder)
    else if (bytesOf(start ?? '') !== bytesOf(end ?? '')) changed.push({ path, folder })
  }
  const changedElsewhere = changed.flatMap(({ path, folder }) => (related.has(folder) ? [toText(path)] : []))
  return changedElsewhere.length === 0 ? {} : { changedElsewhere: changedElsewhere.sort() }
}

/** Returns what changed inside a submodule that exists before and after but differs. */
async function insideSubmodule(before: GitSnapshot, after: GitSnapshot, { path, start, end }: Candidate) {
  if (start === end || !start?.startsWith('commit:') || !end?.startsWith('commit:')) return null
  const inside = after.submodules.get(path) ?? (await takeSubmodule(after.directory, path))
  if (inside === null) return null
  // A clean submodule is known only by its commit.
  const clean = { ...inside, head: start.slice('commit:'.length), dirty: new Map(), submodules: new Map() }
  const difference = await differenceOfGit(before.submodules.get(path) ?? clean, inside)
  return difference === null ? null : listsBelow(toText(path), difference)
}

/** Adds the paths of commits that changed nothing on disk. */
function withCommitted(
  difference: Awaited<ReturnType<typeof compareContents>>,
  committed: readonly RawPath[],
): Pick<FileDifference, 'otherwiseChanged'> {
  const changed = new Set(changedPaths({ ...EMPTY_DIFFERENCE, ...difference }))
  const paths = new Set([...(difference.otherwiseChanged ?? []), ...committed.map(toText)])
  const others = [...paths].filter((path) => !changed.has(path)).sort()
  return others.length === 0 ? {} : { otherwiseChanged: others }
}

function startOf(
  path: RawPath,
  before: GitSnapshot,
  after: GitSnapshot,
  changes: TreeChanges,
): Content | null {
  const dirty = before.dirty.get(path)
  if (dirty !== undefined) return dirty.content
  // Ignored by git then, but no longer.
  const ignored = before.asked.contents.get(path)
  if (ignored !== undefined) return ignored
  const change = changes.get(path)
  // If both HEADs agree, the later snapshot knows the earlier content.
  return change === undefined ? (after.dirty.get(path)?.committed ?? null) : committedContent(change.before)
}

async function endsOf(
  paths: readonly RawPath[],
  before: GitSnapshot,
  after: GitSnapshot,
  changes: TreeChanges,
): Promise<Map<RawPath, Content | null>> {
  const ends = new Map<RawPath, Content | null>()
  // In this case a commit's content differs from what is on disk.
  const hasFilters = after.repository.filters !== ''
  const unread: RawPath[] = []
  for (const path of paths) {
    const dirty = after.dirty.get(path)
    const change = changes.get(path)
    const committed =
      change === undefined ? (before.dirty.get(path)?.committed ?? null) : committedContent(change.after)
    if (dirty !== undefined) ends.set(path, dirty.content)
    else if (
      committed !== null &&
      (committed.startsWith('commit:') || !(before.dirty.has(path) || hasFilters))
    )
      ends.set(path, committed)
    // Either it was dirty, so its bytes are known and are compared with those on disk, whatever filter the commit went through; or no
    // commit has it any more, and it may still be there, ignored.
    else unread.push(path)
  }
  const reader = createContentReader(after.directory, after.place.algorithm, after.known)
  for (const [path, content] of await readContents(unread, reader)) ends.set(path, content)
  return ends
}
