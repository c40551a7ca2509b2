import { createHash } from 'node:crypto'
import { findTop, runGit } from './git-command.ts'
import { readRefs } from './git-refs.ts'
import { parseTreeChanges, type TreeChange } from './git-status.ts'
import type { WorkTreePlace } from './git-work-tree.ts'
import { type RawPath, withoutPrefix } from './raw-path.ts'

/** By path, relative to the workspace. */
export type TreeChanges = ReadonlyMap<RawPath, TreeChange>

/** Commit, or tag, by the full name of a branch, a tag or notes. */
export type Branches = ReadonlyMap<string, string>

/** A repository's HEAD and names. */
interface Position {
  readonly directory: string
  readonly place: WorkTreePlace
  readonly head: string | null
  readonly branches: Branches
}

/** Returns the differences between two commits in the workspace; no commit counts as an empty one. `null` if git has lost one of them. */
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

/** Returns the local names with their targets; empty if git cannot tell. */
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

/** Branches examined: an agent creates one or two, a fetch that sets up a clone hundreds. */
const MAX_BRANCHES = 20

/**
 * Returns paths that differ on branches which were created or moved and are not checked out. An agent that works on a branch, or
 * in its own work tree, and comes back leaves no other trace.
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

/** Returns names that are gone or lost their work, as sentences for users; examines at most twenty. */
export async function describeLostNames(before: Position, after: Position): Promise<readonly string[]> {
  // For the branch that is checked out, lost history is reported elsewhere.
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
        return isKept ? [] : [`the branch ${short} was deleted, and nothing else contains its work`]
      }
      if (now === undefined) return [`the ${kind} ${short} was deleted`]
      if (kind !== 'branch') return [`the ${kind} ${short} was moved`]
      const ancestor = await runGit(after.directory, ['merge-base', '--is-ancestor', commit, now])
      return ancestor.exitCode === 1 ? [`the ${kind} ${short} was reset or rewritten`] : []
    }),
  )
  return said.flat()
}

/** If git cannot tell, nothing is reported as lost. */
async function isHeldBySomething({ directory, head }: Position, commit: string): Promise<boolean> {
  const holding = await runGit(directory, ['for-each-ref', '--count=1', '--contains', commit])
  if (!holding.ok || holding.stdout.length > 0) return true
  if (head === null) return false
  return (await runGit(directory, ['merge-base', '--is-ancestor', commit, head])).exitCode !== 1
}
