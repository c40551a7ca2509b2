import { createHash } from 'node:crypto'
import { runGit } from './git-command.ts'
import { parseTreeChanges, type TreeChange } from './git-status.ts'
import type { WorkTreePlace } from './git-work-tree.ts'
import { type RawPath, withoutPrefix } from './raw-path.ts'

/** By path, as seen from the workspace. */
export type TreeChanges = ReadonlyMap<RawPath, TreeChange>

/** Commit by branch. */
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

/** The local branches with their commits; none where git cannot tell. */
export async function readBranches(directory: string): Promise<Branches> {
  const output = await runGit(directory, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads'])
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
      commit !== before.branches.get(name) && commit !== before.head && commit !== after.head,
  )
  const changes = await Promise.all(
    moved
      .slice(0, MAX_BRANCHES)
      .map(([name, commit]) => changesBetween(after, before.branches.get(name) ?? before.head, commit)),
  )
  return changes.flatMap((one) => [...(one?.keys() ?? [])])
}
