import { changedPaths } from '../../core/verification/difference.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../core/verification/types.ts'
import { changedIgnored } from './asked-ignored.ts'
import { type Candidate, compareContents } from './compare.ts'
import { type Content, createContentReader } from './content.ts'
import { committedContent, type GitSnapshot, takeSubmodule } from './git-snapshot.ts'
import { changedOnBranches, changesBetween, type TreeChanges } from './git-trees.ts'
import { joinLists, listsBelow } from './join-differences.ts'
import { type RawPath, toText } from './raw-path.ts'
import { readContents } from './walk-snapshot.ts'

/**
 * Returns what changed between two snapshots. Rereads files that were dirty and are clean now. A changed submodule is a path by
 * itself, and what changed inside it is listed too. Null if the repository is another one, and cannot tell.
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
  const embedded = [...new Set([...before.nested, ...after.nested].map(toText))].sort()
  const known = new Set(before.nested.map(toText))
  const newlyEmbedded = embedded.filter((folder) => !known.has(folder))
  const own: FileDifference = {
    ...difference,
    ...withCommitted(difference, committed),
    ...(unsure.length > 0 && { unsure }),
    ...(ignored.changed.length > 0 && { ignored: ignored.changed }),
    headMoved,
    ...(embedded.length > 0 && { embedded }),
    ...(newlyEmbedded.length > 0 && { newlyEmbedded }),
    incomplete: after.incomplete ?? before.incomplete,
  }
  const submodules = await Promise.all(candidates.map((one) => insideSubmodule(before, after, one)))
  return submodules.reduce<FileDifference>(
    (whole, one) => (one === null ? whole : joinLists(whole, one)),
    own,
  )
}

/** Returns what changed inside a submodule that exists before and after, and differs. */
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
  // Ignored by git then, and no longer.
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
  // Then a commit's content differs from what is on disk.
  const hasFilters = after.repository.filters !== ''
  const onDisk: RawPath[] = []
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
    // It was dirty, so its bytes are known and are compared with those on disk, whatever filter the commit went through; or no
    // commit has it any more, and it may still be there, ignored.
    else onDisk.push(path)
  }
  const reader = createContentReader(after.directory, after.place.algorithm, after.known)
  for (const [path, content] of await readContents(onDisk, reader)) ends.set(path, content)
  return ends
}
