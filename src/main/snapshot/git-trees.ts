import { createHash } from 'node:crypto'
import { findTop, runGit } from './git-command.ts'
import { readRefs } from './git-refs.ts'
import { parseTreeChanges, type TreeChange } from './git-status.ts'
import type { WorkTreePlace } from './git-work-tree.ts'
import { type RawPath, withoutPrefix } from './raw-path.ts'

/** By path, as seen from the workspace. */
export type TreeChanges = ReadonlyMap<RawPath, TreeChange>

/** Commit, or tag, by the full name of a branch, a tag or notes. */
export type Branches = ReadonlyMap<string, string>

/** Where a repository stands. */
interface Position {
  readonly directory: string
  readonly place: WorkTreePlace
  readonly head: string | null
  readonly branches: Branches
}

/** What two commits hold differently below the workspace; no commit is an empty one. `null` where git has lost one of them. */
export async function changesBetween(
  { directory, place }: Pick<Position, 'directory' | 'place'>,
  from: string | null,
  to: string | null,
): Promise<TreeChanges | null> {
  const emptyTree = createHash(place.algorithm).update('tree 0\0').digest('hex')
  const output = await runGit(directory, [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    '--no-relative',
    '--ignore-submodules=none',
    from ?? emptyTree,
    to ?? emptyTree,
    '--',
    '.',
  ])
  const changes = output.ok ? parseTreeChanges(output.stdout) : null
  return changes === null
    ? null
    : new Map([...changes].map(([path, one]) => [withoutPrefix(path, place.prefix), one]))
}

const NAMED = ['refs/heads', 'refs/tags', 'refs/notes']

/** The local names with what they stand for; none where git cannot tell. */
export async function readBranches(directory: string): Promise<Branches> {
  const top = findTop(directory)
  const read = top === null ? null : readRefs(top, NAMED)
  return read ?? askBranches(directory)
}

async function askBranches(directory: string): Promise<Branches> {
  const output = await runGit(directory, ['for-each-ref', '--format=%(objectname) %(refname)', ...NAMED])
  const lines = output.stdout.toString('latin1').split('\n')
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, commit, name] = /^([0-9a-f]+) (.+)$/.exec(line) ?? []
      return commit === undefined || name === undefined ? [] : [[name, commit]]
    }),
  )
}

/** Branches looked at: an agent makes one or two, a fetch that sets up a clone makes hundreds. */
const MAX_BRANCHES = 20

/**
 * The paths that are different on branches which were made or moved and are not checked out: an agent that works on a
 * branch, or in a work tree of its own, and comes back leaves nothing else behind.
 */
export async function changedOnBranches(before: Position, after: Position): Promise<readonly RawPath[]> {
  const moved = [...after.branches].filter(
    ([name, commit]) =>
      name.startsWith('refs/heads/') &&
      commit !== before.branches.get(name) &&
      commit !== before.head &&
      commit !== after.head,
  )
  const changes = await Promise.all(
    moved
      .slice(0, MAX_BRANCHES)
      .map(([name, commit]) => changesBetween(after, before.branches.get(name) ?? before.head, commit)),
  )
  return changes.flatMap((one) => [...(one?.keys() ?? [])])
}

/** Names that are gone, and those that no longer hold what they held, as sentences for people; at most twenty are looked at. */
export async function describeLostNames(before: Position, after: Position): Promise<readonly string[]> {
  // Of the one that is checked out it is told whether its history is lost.
  const changed = [...before.branches].filter(
    ([name, commit]) =>
      after.branches.get(name) !== commit && (commit !== before.head || !after.branches.has(name)),
  )
  const said = await Promise.all(
    changed.slice(0, MAX_BRANCHES).map(async ([name, commit]): Promise<string[]> => {
      const now = after.branches.get(name)
      const short = name.replace(/^refs\/(heads|tags|notes)\//, '')
      const kind = name.startsWith('refs/tags/') ? 'tag' : name.startsWith('refs/notes/') ? 'note' : 'branch'
      if (now === undefined && kind === 'branch') {
        const isKept = await isHeldBySomething(after, commit)
        return isKept ? [] : [`the branch ${short} was deleted, and nothing else holds its work`]
      }
      if (now === undefined) return [`the ${kind} ${short} was deleted`]
      if (kind !== 'branch') return [`the ${kind} ${short} was moved`]
      const ancestor = await runGit(after.directory, ['merge-base', '--is-ancestor', commit, now])
      return ancestor.exitCode === 1 ? [`the ${kind} ${short} was thrown back or rewritten`] : []
    }),
  )
  return said.flat()
}

/** Where git cannot tell, nothing is said to be lost. */
async function isHeldBySomething({ directory, head }: Position, commit: string): Promise<boolean> {
  const holding = await runGit(directory, ['for-each-ref', '--count=1', '--contains', commit])
  if (!holding.ok || holding.stdout.length > 0) return true
  if (head === null) return false
  return (await runGit(directory, ['merge-base', '--is-ancestor', commit, head])).exitCode !== 1
}
