import type { LandingConflict } from '../../core/record/landing-record.ts'
import { OUR_ADDRESS, OUR_NAME } from './commit.ts'
import { ask, type Git } from './git.ts'

/** The result of merging an attempt's work with the target. */
export type Merge =
  | { readonly kind: 'merged'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly conflict: LandingConflict }

const MAX_PATHS = 50
const MAX_SHOWN = 5
const MAX_SIDE_CHARACTERS = 4000

interface MergedCommits {
  readonly base: string
  readonly source: string
  readonly tip: string
  /** The tree of `source`. */
  readonly tree: string
}

/*
 * The work is the difference between `base` and `source`, even if the target's history was rewritten since: its old commits must not come
 * back. So this merges three commits without other history.
 */
export async function mergeWork(git: Git, { base, source, tip, tree }: MergedCommits): Promise<Merge> {
  if (base === tip) return { kind: 'merged', tree }
  const trees = await ask(git, 'rev-parse', ...[base, source, tip].map((commit) => `${commit}^{tree}`))
  const [baseTree, sourceTree = '', tipTree = ''] = trees.split('\n')
  if (baseTree === tipTree) return { kind: 'merged', tree: sourceTree }
  const bare = async (tree = '', ...parents: string[]): Promise<string> => {
    const words = ['commit-tree', tree, ...parents.flatMap((each) => ['-p', each]), '-m', 'merge']
    const made = await git([...AS_US, ...words], { env: AT_NO_TIME })
    if (!made.ok) throw new Error(`git commit-tree failed: ${made.error}`)
    return made.stdout.trim()
  }
  const root = await bare(baseTree)
  const [ours, theirs] = await Promise.all([bare(tipTree, root), bare(sourceTree, root)])
  const merged = await git(['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs])
  const [mergedTree = '', ...paths] = merged.stdout.split('\0').filter((each) => each !== '')
  if (merged.ok) return { kind: 'merged', tree: mergedTree }
  if (merged.exitCode !== 1 || mergedTree === '') throw new Error(`git merge-tree failed: ${merged.error}`)
  const names = [...new Set(paths)]
  return {
    kind: 'conflict',
    conflict: {
      kind: 'textual',
      paths: names.slice(0, MAX_PATHS),
      sides: await sidesOf(git, mergedTree, names, { [ours]: 'the target', [theirs]: 'this attempt' }),
      reasons: [],
    },
  }
}

/** With a fixed name and time, equal trees give equal commits, and repeated merges leave no new objects. */
const AT_NO_TIME = { GIT_AUTHOR_DATE: '@0 +0000', GIT_COMMITTER_DATE: '@0 +0000' }
const AS_US = [
  ...['-c', `user.name=${OUR_NAME}`, '-c', `user.email=${OUR_ADDRESS}`],
  ...['-c', 'commit.gpgsign=false'],
]

/** Returns the conflicting files with git's conflict markers, with the sides named by `whose`: git names commits of a trial. */
async function sidesOf(
  git: Git,
  tree: string,
  paths: readonly string[],
  whose: Readonly<Record<string, string>>,
): Promise<string> {
  const shown = await Promise.all(
    paths.slice(0, MAX_SHOWN).map(async (path) => {
      const { ok, stdout } = await git(['cat-file', 'blob', `${tree}:${path}`])
      return `--- ${path}\n${ok ? aroundMarkers(stdout, whose) : 'one side removed it'}`
    }),
  )
  const more = paths.length > MAX_SHOWN ? [`and ${paths.length - MAX_SHOWN} more files`] : []
  return [...shown, ...more].join('\n').slice(0, MAX_SIDE_CHARACTERS * MAX_SHOWN)
}

const AROUND = 3

function aroundMarkers(text: string, whose: Readonly<Record<string, string>>): string {
  if (text.includes('\0')) return 'a binary file'
  const lines = text.split('\n')
  const kept = new Set<number>()
  let isInside = false
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('<<<<<<< ')) isInside = true
    if (isInside) for (let near = at - AROUND; near <= at + AROUND; near += 1) kept.add(near)
    if (line.startsWith('>>>>>>> ')) isInside = false
  }
  return lines
    .filter((_, at) => kept.size === 0 || kept.has(at))
    .map((line) =>
      line.replace(/^(<{7}|>{7}) (\S+)$/, (marker, sign, commit) =>
        whose[commit] === undefined ? marker : `${sign} ${whose[commit]}`,
      ),
    )
    .join('\n')
    .slice(0, MAX_SIDE_CHARACTERS)
}
