import { rm, stat } from 'node:fs/promises'
import { ask, type Git, gitAt, tryAsk } from './git.ts'
import { isThere, lastLine, type Repository, type Target } from './repository.ts'

/** What came of moving the target. */
export type Moved =
  | { readonly kind: 'moved' }
  /** Somebody else moved it: the combination is another one now. */
  | { readonly kind: 'raced' }
  /** It may not move yet, in a sentence. */
  | { readonly kind: 'waits'; readonly for: 'clean-tree' | 'remote'; readonly because: string }

/** A step at which a test may end us. */
export type Checkpoint = (step: string) => Promise<void>

/** Moves the target from one commit to the next, and the work trees that have it checked out. */
export async function moveTarget(
  repository: Repository,
  target: Target,
  { from, to }: { readonly from: string; readonly to: string },
  checkpoint: Checkpoint,
): Promise<Moved> {
  return target.remote === null
    ? moveLocal(repository, target, { from, to }, checkpoint)
    : push(repository, target, { from, to }, checkpoint)
}

async function moveLocal(
  repository: Repository,
  { ref, name }: Target,
  { from, to }: { readonly from: string; readonly to: string },
  checkpoint: Checkpoint,
): Promise<Moved> {
  const trees = await checkedOut(repository.git, ref)
  for (const tree of trees) {
    const because = await whyNotClean(gitAt({ directory: tree }), tree, { from, to })
    if (because !== null)
      return { kind: 'waits', for: 'clean-tree', because: `${name} is checked out in ${tree}, ${because}` }
  }
  const moved = await repository.git(['update-ref', '-m', 'pulseward: land', ref, to, from])
  if (!moved.ok) {
    const now = await tryAsk(repository.git, 'rev-parse', '--verify', '--quiet', ref)
    if (now !== from) return { kind: 'raced' }
    return { kind: 'waits', for: 'clean-tree', because: `git cannot move ${name}: ${lastLine(moved.error)}` }
  }
  await checkpoint('ref-moved')
  for (const tree of trees) {
    const failed = await followTarget(tree, { from, to })
    if (failed === null) continue
    // The operator changed something in this very moment: they keep it, and the branch goes back.
    const back = await repository.git(['update-ref', '-m', 'pulseward: land undone', ref, from, to])
    if (!back.ok) return { kind: 'raced' }
    for (const other of trees.slice(0, trees.indexOf(tree))) await followTarget(other, { from: to, to: from })
    return { kind: 'waits', for: 'clean-tree', because: `${name} is checked out in ${tree}: ${failed}` }
  }
  return { kind: 'moved' }
}

/** Takes a work tree that has the branch checked out along; without hooks. Returns why not; `null`: it is there. Repeatable. */
async function followTarget(
  tree: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string | null> {
  const git = gitAt({ directory: tree })
  await git(['update-index', '-q', '--refresh'])
  const { ok, error } = await git(['read-tree', '-m', '-u', from, to])
  return ok ? null : lastLine(error)
}

/**
 * After a crash: takes along the work trees that still stand where the branch stood. A lock of the index that is older than our start was
 * ours: it was made between the moment in which the move was recorded and our start.
 */
export async function finishMove(
  repository: Repository,
  { ref }: Target,
  { from, to }: { readonly from: string; readonly to: string },
  ours: { readonly fromMs: number; readonly toMs: number },
): Promise<string | null> {
  for (const tree of await checkedOut(repository.git, ref)) {
    const git = gitAt({ directory: tree })
    const lock = await ask(git, 'rev-parse', '--path-format=absolute', '--git-path', 'index.lock')
    const stats = await stat(lock).catch(() => null)
    if (stats !== null && stats.mtimeMs >= ours.fromMs && stats.mtimeMs < ours.toMs)
      await rm(lock, { force: true })
    const failed = await followTarget(tree, { from, to })
    if (failed !== null) return failed
  }
  return null
}

/** Work trees whose `HEAD` is the branch. */
async function checkedOut(git: Git, ref: string): Promise<readonly string[]> {
  const listed = await ask(git, 'worktree', 'list', '--porcelain', '-z')
  return listed.split('\0\0').flatMap((entry) => {
    const lines = entry.split('\0').filter((line) => line !== '')
    const path = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length)
    const isGone = lines.some((line) => line === 'bare' || line.startsWith('prunable'))
    return path !== undefined && !isGone && lines.includes(`branch ${ref}`) ? [path] : []
  })
}

const UNDER_WAY = [
  ['MERGE_HEAD', 'a merge is under way'],
  ['rebase-merge', 'a rebase is under way'],
  ['rebase-apply', 'a rebase is under way'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is under way'],
  ['REVERT_HEAD', 'a revert is under way'],
  ['BISECT_LOG', 'a bisect is under way'],
  ['index.lock', 'git is at work there'],
] as const

/** Returns why the branch cannot move under a work tree; `null`: it can. */
async function whyNotClean(
  git: Git,
  tree: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string | null> {
  for (const [name, words] of UNDER_WAY) {
    const path = await tryAsk(git, 'rev-parse', '--path-format=absolute', '--git-path', name)
    if (path !== null && (await isThere(path))) return `and ${words}`
  }
  const status = await git(['status', '--porcelain=v1', '-z', '--untracked-files=no'])
  if (!status.ok) return `and git cannot tell whether it is clean: ${lastLine(status.error)}`
  const changed = status.stdout.split('\0').filter((line) => line !== '')
  if (changed.length > 0) {
    const names = changed.slice(0, 3).map((line) => line.slice(3))
    return `and has uncommitted changes (${names.join(', ')}${changed.length > 3 ? ` and ${changed.length - 3} more` : ''}): commit or stash them`
  }
  const tried = await git(['read-tree', '-n', '-m', '-u', from, to])
  if (tried.ok) return null
  return `and files there that git does not track would be overwritten: ${lastLine(tried.error)} (${tree})`
}

async function push(
  { git }: Repository,
  { remote, branch, name }: Target,
  { from, to }: { readonly from: string; readonly to: string },
  checkpoint: Checkpoint,
): Promise<Moved> {
  const full = `refs/heads/${branch}`
  const pushed = await git([
    'push',
    '--porcelain',
    '--no-verify',
    `--force-with-lease=${full}:${from}`,
    remote ?? '',
    `${to}:${full}`,
  ])
  if (pushed.ok) {
    await checkpoint('ref-moved')
    return { kind: 'moved' }
  }
  const said = `${pushed.stdout}\n${pushed.error}`
  if (
    /\[rejected\].*(?:stale info|non-fast-forward|fetch first)|failed to update ref|cannot lock ref/i.test(
      said,
    )
  )
    return { kind: 'raced' }
  const refusal = /\[remote rejected\][^\n]*\((.*)\)/.exec(said)?.[1]
  const words = remoteWords(pushed.error)
  return {
    kind: 'waits',
    for: 'remote',
    because:
      refusal === undefined
        ? `${remote} cannot be reached to land on ${name}: ${lastLine(pushed.error)}`
        : `${remote} refused the push to ${name}: ${refusal}${words === '' ? '' : ` (${words})`}`,
  }
}

/** What the remote's own hook said. */
function remoteWords(error: string): string {
  return error
    .split('\n')
    .flatMap((line) => /^remote: (?!error: hook declined)(.*\S)/.exec(line)?.[1] ?? [])
    .slice(0, 3)
    .join(' ')
    .slice(0, 300)
}

/** Returns where the target stands now, as the remote itself says where it is one; `null`: it cannot be told. */
export async function readBack({ git }: Repository, { remote, ref, branch }: Target): Promise<string | null> {
  if (remote === null) return tryAsk(git, 'rev-parse', '--verify', '--quiet', ref)
  const listed = await tryAsk(git, 'ls-remote', '--refs', remote, `refs/heads/${branch}`)
  return listed === null ? null : (listed.split('\t')[0] ?? null)
}
