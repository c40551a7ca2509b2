import { isUnchanged } from '../../core/verification/completion.ts'
import { changedPaths } from '../../core/verification/difference.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../core/verification/types.ts'
import { type Candidate, compareContents } from './compare.ts'
import { bytesOf, createContentReader } from './content.ts'
import { runGit } from './git-command.ts'
import { differenceOfGit, takenFolders } from './git-difference.ts'
import { SUBMODULE } from './git-index.ts'
import { committedContent, type GitSnapshot } from './git-snapshot.ts'
import { describeLostNames } from './git-trees.ts'
import { joinLists } from './join-differences.ts'
import { movedNames } from './moved-names.ts'
import { type RawPath, toText } from './raw-path.ts'
import { describeRepositoryChanges, mayHideChanges } from './repository-state.ts'
import { findRewritten, withRewritten } from './rewritten-files.ts'
import { isConverted, rawPaths, TIMES_SETTLE_MS, walkForGit } from './walk-for-git.ts'
import { readContents } from './walk-snapshot.ts'

/**
 * Returns what changed since a snapshot that was taken through git, whatever happened to the repository since. Trusts git if nothing
 * suggests that it may be deceived; otherwise walks the folder, and what only the walk shows is `hidden`. `after` is null if there is no
 * repository any more. Never rejects.
 */
export async function differenceSinceGit(
  before: GitSnapshot,
  after: GitSnapshot | null,
  excluded: readonly RawPath[],
): Promise<FileDifference> {
  const plain = after === null ? null : await differenceOfGit(before, after)
  if (after === null || plain === null) return walkedDifference(before, after, excluded)
  const notes = await repositoryNotes(before, after)
  const isDoubtful = mayHideChanges(before.repository, after.repository) || hasNewFlags(before, after)
  const candidates = isDoubtful
    ? (await walkForGit(before, excluded)).candidates.filter((one) => !isNotLaidOut(after, one))
    : await findUnshown(before, after)
  const shown = await withHidden(plain, candidates, await shownByUsAlone(before, after))
  const seen = withRewritten(shown, await findRewritten(before, after))
  const names = isUnchanged(seen) ? movedNames(before, after) : []
  return withNotes(names.length === 0 ? seen : { ...seen, names }, notes)
}

/** True if git leaves a tracked file out of the work tree: a sparse checkout deletes nothing. */
function isNotLaidOut({ index }: GitSnapshot, { path, start, end }: Candidate): boolean {
  const entry = index.entries.get(path)
  return (
    end === null &&
    entry?.isSkipped === true &&
    bytesOf(committedContent(entry) ?? '') === bytesOf(start ?? '')
  )
}

/** Uses the walk alone, because git cannot say what changed. */
async function walkedDifference(
  before: GitSnapshot,
  after: GitSnapshot | null,
  excluded: readonly RawPath[],
): Promise<FileDifference> {
  const { candidates, incomplete } = await walkForGit(before, excluded)
  const difference = {
    ...EMPTY_DIFFERENCE,
    ...(await compareContents(candidates)),
    headMoved: after === null || after.head === before.head ? null : { from: before.head, to: after.head },
    incomplete,
    walked: true,
  }
  return withNotes(difference, [
    after === null
      ? "the folder's git repository can't be read any more: its files were compared one by one"
      : 'the git repository is not the same as before: its files were compared one by one',
    ...(after === null ? [] : describeRepositoryChanges(before.repository, after.repository)),
  ])
}

/**
 * Returns paths that we see and the repository's own git would not: those under new flags, those ignored by new rules outside the
 * work tree, and those under a new filter.
 */
async function shownByUsAlone(before: GitSnapshot, after: GitSnapshot): Promise<ReadonlySet<string>> {
  const ignored =
    before.repository.excludes === after.repository.excludes
      ? []
      : [...before.dirty.keys()].filter((path) => !after.dirty.has(path) && !after.index.entries.has(path))
  return new Set(
    [...newlyFlagged(before, after), ...ignored, ...(await underNewFilters(before, after))].map(toText),
  )
}

/**
 * Returns files under a filter that the repository did not have before: git shows the filter's output, not the bytes. Excludes
 * Git LFS, which agents set up as part of their work; its changes are shown anyway.
 */
async function underNewFilters(before: GitSnapshot, after: GitSnapshot): Promise<readonly RawPath[]> {
  const known = new Set(before.repository.filters.split('\n'))
  const drivers = new Set(
    after.repository.filters
      .split('\n')
      .filter((name) => name !== '' && !known.has(name))
      .map((name) => name.slice('filter.'.length, name.lastIndexOf('.'))),
  )
  drivers.delete('lfs')
  const paths = [...after.dirty.keys()]
  if (drivers.size === 0 || paths.length === 0) return []
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
  const output = await runGit(after.directory, ['check-attr', '-z', '--stdin', 'filter'], { input })
  // Path, attribute and value, each ended by a zero byte.
  const words = output.stdout.toString('latin1').split('\0')
  return paths.filter((_path, index) => drivers.has(words[index * 3 + 2] ?? ''))
}

/** Adds what the difference lacks, and reports everything that git would not have shown as hidden. */
async function withHidden(
  plain: FileDifference,
  candidates: readonly Candidate[],
  shownByUs: ReadonlySet<string>,
): Promise<FileDifference> {
  if (candidates.length === 0 && shownByUs.size === 0) return plain
  const shown = rawPaths([...changedPaths(plain), ...(plain.otherwiseChanged ?? []), ...(plain.unsure ?? [])])
  const lists = await compareContents(candidates.filter(({ path }) => !shown.has(path)))
  const unshown = new Set([...plain.added, ...plain.modified].filter((path) => shownByUs.has(path)))
  const hidden = [...changedPaths({ ...EMPTY_DIFFERENCE, ...lists }), ...unshown]
  if (hidden.length === 0) return plain
  return { ...joinLists(plain, lists), hidden: [...new Set(hidden)].sort() }
}

function withNotes(difference: FileDifference, notes: readonly string[]): FileDifference {
  return notes.length === 0 ? difference : { ...difference, repository: notes }
}

/** True if git assumes that files are unchanged because of flags that were not set before. */
function hasNewFlags(before: GitSnapshot, after: GitSnapshot): boolean {
  return newlyFlagged(before, after).length > 0
}

function newlyFlagged(before: GitSnapshot, after: GitSnapshot): readonly RawPath[] {
  return after.index.flagged.filter((path) => before.index.entries.get(path)?.isFlagged !== true)
}

/**
 * Returns files that the index says were changed since `before`, although git finds them clean: a filter or a forged index made it see the
 * committed content. Compares their bytes.
 */
async function findUnshown(before: GitSnapshot, after: GitSnapshot): Promise<readonly Candidate[]> {
  const sinceMs = before.takenAtMs - TIMES_SETTLE_MS
  if (after.index.lastChangedMs < sinceMs) return []
  const recent = [...after.index.entries].filter(
    ([path, { changedMs, mode }]) => changedMs >= sinceMs && mode !== SUBMODULE && !after.dirty.has(path),
  )
  const reader = createContentReader(after.directory, after.place.algorithm, after.known)
  const ends = await readContents(
    recent.map(([path]) => path),
    reader,
  )
  const unshown: Candidate[] = []
  for (const [path, entry] of recent) {
    const start = committedContent(entry)
    const end = ends.get(path) ?? null
    if (start !== end && !(await isConverted(after, path, start, end))) unshown.push({ path, start, end })
  }
  return unshown
}

/** How many flags a sentence names at most. */
const MAX_NAMED = 5

async function repositoryNotes(before: GitSnapshot, after: GitSnapshot): Promise<readonly string[]> {
  const flagged = newlyFlagged(before, after).map(toText)
  const taken = takenFolders(before, after).map(toText)
  return [
    ...describeRepositoryChanges(before.repository, after.repository),
    ...(await describeLostNames(before, after)),
    ...(flagged.length === 0
      ? []
      : [`git was told to take files for unchanged without looking: ${firstOf(flagged)}`]),
    ...(taken.length === 0 ? [] : [`folders became separate repositories: ${firstOf(taken)}`]),
    ...((await isHistoryLost(before, after))
      ? [
          `no branch or tag contains the commit any more that was checked out before (${before.head?.slice(0, 10)})`,
        ]
      : []),
  ]
}

function firstOf(paths: readonly string[]): string {
  return paths.slice(0, MAX_NAMED).join(', ') + (paths.length > MAX_NAMED ? ' and others' : '')
}

/** True if the former HEAD can no longer be reached from any name. */
async function isHistoryLost(before: GitSnapshot, after: GitSnapshot): Promise<boolean> {
  if (before.head === null || before.head === after.head) return false
  const holding = await runGit(after.directory, ['for-each-ref', '--count=1', '--contains', before.head])
  if (!holding.ok || holding.stdout.length > 0) return false
  if (after.head === null) return true
  const ancestor = await runGit(after.directory, ['merge-base', '--is-ancestor', before.head, after.head])
  return ancestor.exitCode === 1
}
