import {
  copyFile,
  link,
  lstat,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readBoundedFile } from '../files/bounded-file.ts'
import { type Change, changesOf, type Move, NO_FILE } from './changes.ts'
import { ask, type Git, type GitResult, gitAt, tryAsk } from './git.ts'
import { causeIn, isThere, type Repository, type Target } from './repository.ts'

/** The result of moving the target. */
export type Moved =
  | { readonly kind: 'moved' }
  /** The target moved in the meantime, so the combination has changed. */
  | { readonly kind: 'raced' }
  /** The target cannot move yet; `because` is a sentence. */
  | { readonly kind: 'waits'; readonly for: 'clean-tree' | 'remote'; readonly because: string }

/** A step at which a test can kill the process. */
export type Checkpoint = (step: string) => Promise<void>

/** What was found in the work trees that have a target checked out. */
export interface Look {
  /** Why the target cannot move now, or `null`. */
  readonly because: string | null
  readonly trees: readonly WorkTree[]
  readonly update: Update | null
}

/** What a work tree needs to follow the target. */
interface Update {
  readonly changes: readonly Change[]
  /** The changes as a patch with every byte as one character; `null` if git has to update the files itself. */
  readonly patch: string | null
}

interface WorkTree {
  readonly path: string
  /** The path of its index file. */
  readonly index: string
}

/**
 * Moves the target from one commit to the next and updates the work trees that have it checked out. `look`: what `lookAtTrees` has just
 * found, without a reason to wait; updating a work tree refuses whatever has changed since.
 */
export async function moveTarget(
  repository: Repository,
  target: Target,
  { from, to, look = null }: Move & { readonly look?: Look | null },
  checkpoint: Checkpoint,
): Promise<Moved> {
  return target.remote === null
    ? moveLocal(repository, target, { from, to, look }, checkpoint)
    : push(repository, target, { from, to }, checkpoint)
}

async function moveLocal(
  repository: Repository,
  target: Target,
  { from, to, look }: Move & { readonly look: Look | null },
  checkpoint: Checkpoint,
): Promise<Moved> {
  const { ref, name } = target
  const { because, trees, update } = look ?? (await lookAtTrees(repository, target, { from, to }))
  if (because !== null) return { kind: 'waits', for: 'clean-tree', because }
  const moved = await repository.git(['update-ref', '-m', 'pulseward: land', ref, to, from])
  if (!moved.ok) {
    const now = await tryAsk(repository.git, 'rev-parse', '--verify', '--quiet', ref)
    if (now !== from) return { kind: 'raced' }
    return { kind: 'waits', for: 'clean-tree', because: `git cannot move ${name}: ${causeIn(moved.error)}` }
  }
  await checkpoint('ref-moved')
  for (const tree of trees) {
    const failed = await followTarget(tree, { from, to }, update)
    if (failed === null) continue
    // The operator changed something at this moment: keep it and move the branch back.
    const back = await repository.git(['update-ref', '-m', 'pulseward: land undone', ref, from, to])
    if (!back.ok) return { kind: 'raced' }
    for (const other of trees.slice(0, trees.indexOf(tree)))
      await followTarget(other, { from: to, to: from }, null)
    return { kind: 'waits', for: 'clean-tree', because: `${name} is checked out in ${tree.path}: ${failed}` }
  }
  return { kind: 'moved' }
}

/** Looks at the work trees of a local branch; a remote one has none. `to`: a commit or a tree. */
export async function lookAtTrees(
  { git, common }: Repository,
  { ref, name, remote }: Pick<Target, 'ref' | 'name' | 'remote'>,
  move: Move,
  known?: readonly Change[],
): Promise<Look> {
  if (remote !== null) return { because: null, trees: [], update: null }
  const [paths, rebased, changes] = await Promise.all([
    checkedOut(git, ref),
    isRebased(common, ref),
    known ?? changesOf(git, move),
  ])
  if (rebased)
    return { because: `${name} is being rebased: finish or abort the rebase`, trees: [], update: null }
  if (paths.length === 0) return { because: null, trees: [], update: null }
  const [looks, patch] = await Promise.all([
    Promise.all(paths.map((path) => lookAt(gitAt({ directory: path }), path, move, changes))),
    patchOf(git, move, changes),
  ])
  const at = looks.findIndex(({ because }) => because !== null)
  return {
    because: at === -1 ? null : `${name} is checked out in ${paths[at]}, ${looks[at]?.because}`,
    trees: looks.map(({ index }, each) => ({ path: paths[each] ?? '', index })),
    update: { changes, patch },
  }
}

/** The contents of `index.lock` while we hold it, to recognize it after a crash. */
const OUR_LOCK = 'pulseward\n'

/**
 * Updates index and files of a work tree from one commit to the next, without hooks. Works on a copy of the index while holding the lock of
 * the real one, so that a crash leaves a complete index. Returns why it failed, or `null`. `update`: `null` after a crash, and to move back.
 */
async function followTarget(
  { path: tree, index }: WorkTree,
  move: Move,
  update: Update | null,
  isAfterCrash = false,
): Promise<string | null> {
  const [lock, copy] = [`${index}.lock`, `${index}.pulseward`]
  if (!(await takeLock(lock))) return `another git process works there (${lock})`
  try {
    await rm(`${copy}.lock`, { force: true })
    await copyFile(index, copy)
    const onCopy = gitAt({ directory: tree, env: { GIT_INDEX_FILE: copy } })
    const isPatched = update !== null && (await patchFiles(onCopy, { tree, index, copy }, move.to, update))
    const failed = isPatched ? null : await readTree(onCopy, { tree, index, copy }, move, isAfterCrash)
    if (failed === null) await rename(copy, index)
    return failed
  } finally {
    await rm(copy, { force: true })
    await rm(lock, { force: true })
  }
}

interface Place {
  readonly tree: string
  readonly index: string
  /** A copy of the index to work on. */
  readonly copy: string
}

/** Has git replace the files that differ. Looks at every file and object, and says what is in the way. */
async function readTree(
  git: Git,
  { tree, index, copy }: Place,
  { from, to }: Move,
  isAfterCrash: boolean,
): Promise<string | null> {
  await git(['update-index', '-q', '--refresh'])
  const cutOff = isAfterCrash ? await takeWritten(git, tree, { from, to }) : []
  const [inTheWay, refused] = await Promise.all([
    changesOf(git, { from, to }).then((changes) => pathsInTheWay(git, tree, changes)),
    git(['read-tree', '-n', '-m', '-u', from, to]).then(failureOf),
  ])
  if (inTheWay.length > 0) return wouldOverwrite(inTheWay)
  if (refused !== null) return refused
  const failed =
    failureOf(await git(['read-tree', '-m', '-u', from, to], { timeoutMs: 0 })) ??
    (await writeFiles(git, cutOff, true))
  if (failed === null) return null
  await copyAgain(index, copy)
  await putBack(git, tree, await changesOf(git, { from, to }))
  return failed
}

const MAX_PATCHED = 1000
const MAX_PATCH_CHARACTERS = 8 * 1024 * 1024

/**
 * Returns the changes as a patch, or `null` if a patch cannot say everything: attributes decide what git writes for other files, too, and
 * a nested repository has no contents here.
 */
async function patchOf(git: Git, { from, to }: Move, changes: readonly Change[]): Promise<string | null> {
  const isPlain = changes.every(
    ({ path, mode, modeBefore }) =>
      basename(path) !== '.gitattributes' && mode !== NESTED && modeBefore !== NESTED,
  )
  if (!isPlain || changes.length > MAX_PATCHED) return null
  const patch = await git([...PATCH, from, to], { encoding: 'latin1' })
  return patch.ok && patch.stdout.length <= MAX_PATCH_CHARACTERS ? patch.stdout : null
}

/**
 * Applies the changes as a patch, which looks only at the files that differ: a third of what `readTree` takes with 10,000 files. Returns
 * false, with files and index as they were, if there is no patch, something is in the way, or a sparse checkout lacks files.
 */
async function patchFiles(
  git: Git,
  { tree, index, copy }: Place,
  to: string,
  { changes, patch }: Update,
): Promise<boolean> {
  if (patch === null || (await isThere(join(dirname(index), 'info/sparse-checkout')))) return false
  const before = await Promise.all(changes.map(({ path }) => shapeOf(join(tree, path))))
  // Git would write a missing file before it changes it.
  if (changes.some(({ modeBefore }, at) => modeBefore !== NO_FILE && before[at] === null)) return false
  const applied = await git(['apply', '--index', '--whitespace=nowarn', '-'], {
    input: patch,
    encoding: 'latin1',
    timeoutMs: 0,
  })
  if (applied.ok && (await git(['diff-index', '--cached', '--quiet', to])).ok) return true
  const after = await Promise.all(changes.map(({ path }) => shapeOf(join(tree, path))))
  await copyAgain(index, copy)
  await putBack(
    git,
    tree,
    changes.filter((_, at) => before[at] !== after[at]),
  )
  return false
}

/** The mode of a nested repository (a submodule). */
const NESTED = '160000'
const PATCH = [
  ...['diff-tree', '-r', '-p', '--binary', '--full-index', '--no-renames', '--no-color'],
  ...['--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'],
]

/** Returns what changes when a file is written or replaced; `null` if nothing is there. */
async function shapeOf(path: string): Promise<string | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null)
  return stats === null ? null : [stats.ino, stats.mode, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
}

async function copyAgain(index: string, copy: string): Promise<void> {
  await rm(`${copy}.lock`, { force: true })
  await copyFile(index, copy)
}

/** Uses a hard link, so that the lock never exists without the contents that identify it. */
async function takeLock(lock: string): Promise<boolean> {
  const named = `${lock}.pulseward`
  try {
    await writeFile(named, OUR_LOCK)
    await link(named, lock)
    return true
  } catch {
    const reading = await readBoundedFile(lock, OUR_LOCK.length)
    return reading.ok && reading.bytes.toString('utf8') === OUR_LOCK
  } finally {
    await rm(named, { force: true })
  }
}

/**
 * Adds files that were written before a crash to the index, so that git leaves them as they are, and returns the paths of those that were
 * cut off, which must be written again. Changes no file.
 */
async function takeWritten(git: Git, tree: string, move: Move): Promise<readonly string[]> {
  const written: string[] = []
  const cutOff: string[] = []
  for (const change of await changesOf(git, move)) {
    const state = await writtenState(git, tree, change)
    if (state === 'cut-off') cutOff.push(change.path)
    if (state !== 'other') written.push(`${change.mode} ${change.id}\t${change.path}\0`)
  }
  if (written.length > 0) await git(['update-index', '-z', '--index-info'], { input: written.join('') })
  return cutOff
}

/** Restores what a failed update wrote or removed, with an index that is still at `from`. Keeps what the operator wrote since. */
async function putBack(git: Git, tree: string, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    if ((await writtenState(git, tree, change)) === 'other') continue
    await rm(join(tree, change.path))
    await removeEmptyFolders(tree, change.path)
  }
  const had = changes.filter(({ modeBefore }) => modeBefore !== NO_FILE).map(({ path }) => path)
  await writeFiles(git, had, false)
}

/** Writes files as the index has them; without `overwrite` only missing ones. Returns why it failed, or `null`. */
async function writeFiles(git: Git, paths: readonly string[], overwrite: boolean): Promise<string | null> {
  if (paths.length === 0) return null
  const input = paths.map((path) => `${path}\0`).join('')
  // No limit, because a large change takes long.
  return failureOf(
    await git(['checkout-index', '-q', '-u', ...(overwrite ? ['-f'] : []), '-z', '--stdin'], {
      input,
      timeoutMs: 0,
    }),
  )
}

function failureOf({ ok, error }: GitResult): string | null {
  return ok ? null : causeIn(error)
}

/** Git cannot write a file where an empty folder is left. */
async function removeEmptyFolders(tree: string, path: string): Promise<void> {
  try {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) await rmdir(join(tree, folder))
  } catch {
    // The folder is not empty.
  }
}

/** Returns whether the move wrote a file: `whole`, only its beginning, or not (`other`, also if there is no file). */
async function writtenState(
  git: Git,
  tree: string,
  { mode, id, path, modeBefore, idBefore }: Change,
): Promise<'whole' | 'cut-off' | 'other'> {
  if (mode === NO_FILE || (await firstInTheWay(tree, path)) !== path) return 'other'
  const file = join(tree, path)
  const stats = await lstat(file)
  if (mode === '120000') {
    if (!stats.isSymbolicLink()) return 'other'
    const { stdout } = await git(['cat-file', 'blob', id])
    return stdout === (await readlink(file)) ? 'whole' : 'other'
  }
  if (!stats.isFile()) return 'other'
  const hash = await tryAsk(git, 'hash-object', `--path=${path}`, '--', file)
  const isNewMode = mode === modeBefore || ((stats.mode & 0o100) !== 0) === (mode === '100755')
  // The file as it was before can be the beginning of the new contents too.
  if (hash === idBefore && !(hash === id && isNewMode)) return 'other'
  if (hash === id) return 'whole'
  // Only the beginning of the new contents: nothing of the operator's is lost.
  const { ok, stdout } = await git(['cat-file', '--filters', `--path=${path}`, id], { encoding: 'latin1' })
  if (!ok || stats.size >= stdout.length) return 'other'
  return stdout.startsWith((await readFile(file)).toString('latin1')) ? 'cut-off' : 'other'
}

/**
 * Updates, after a crash, the work trees of a branch that has not moved since. Keeps what the operator changed since then. Returns
 * a sentence for each work tree that could not be updated.
 */
export async function finishMove(
  repository: Repository,
  { ref }: Target,
  { from, to }: Move,
): Promise<readonly string[]> {
  const tip = await tryAsk(repository.git, 'rev-parse', '--verify', '--quiet', ref)
  const failures: string[] = []
  for (const tree of await checkedOut(repository.git, ref)) {
    const git = gitAt({ directory: tree })
    const index = await ask(git, 'rev-parse', '--path-format=absolute', '--git-path', 'index')
    const lock = `${index}.lock`
    if ((await isThere(lock)) && (await takeLock(lock))) await rm(lock, { force: true })
    if (tip !== to) continue
    const failed = await followTarget({ path: tree, index }, { from, to }, null, true)
    if (failed !== null) failures.push(`The files in ${tree} are not updated: ${failed}`)
  }
  return failures
}

/**
 * Returns untracked and ignored files at paths that the move writes. Git itself protects only files that it does not ignore.
 */
async function pathsInTheWay(git: Git, tree: string, changes: readonly Change[]): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const { path, modeBefore } of changes) {
    if (modeBefore !== NO_FILE) continue
    const there = await firstInTheWay(tree, path)
    if (there !== null) found.add(there)
  }
  const inTheWay: string[] = []
  const candidates = [...found]
  for (let at = 0; at < candidates.length; at += PATHS_PER_CALL) {
    const asked = candidates.slice(at, at + PATHS_PER_CALL).map((path) => `:(top,literal)${path}`)
    const untracked = await ask(
      git,
      'ls-files',
      '-z',
      '--others',
      '--directory',
      '--no-empty-directory',
      '--',
      ...asked,
    )
    inTheWay.push(...untracked.split('\0').filter((each) => each !== ''))
  }
  return inTheWay
}

const PATHS_PER_CALL = 200

/** Returns the path if something exists there, or its first part that is not a folder; `null` if the path is free. */
async function firstInTheWay(tree: string, path: string): Promise<string | null> {
  const parts = path.split('/')
  for (let length = 1; length <= parts.length; length += 1) {
    const part = parts.slice(0, length).join('/')
    const stats = await lstat(join(tree, part)).catch(() => null)
    if (stats === null) return null
    if (length === parts.length || !stats.isDirectory()) return part
  }
  return null
}

function wouldOverwrite(paths: readonly string[]): string {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
  return `files there that git does not track would be overwritten (${paths.slice(0, 3).join(', ')}${more}): move them away`
}

/** Returns the work trees that have the branch checked out. */
export async function checkedOut(git: Git, ref: string): Promise<readonly string[]> {
  const listed = await ask(git, 'worktree', 'list', '--porcelain', '-z')
  return listed.split('\0\0').flatMap((entry) => {
    const lines = entry.split('\0').filter((line) => line !== '')
    const path = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length)
    const isGone = lines.some((line) => line === 'bare' || line.startsWith('prunable'))
    return path !== undefined && !isGone && lines.includes(`branch ${ref}`) ? [path] : []
  })
}

/** Where git keeps the branches that it moves at the end of a rebase. Until then their work tree is on no branch. */
const REBASED = ['rebase-merge/head-name', 'rebase-apply/head-name', 'rebase-merge/update-refs']
const MAX_REBASED_BYTES = 1024 * 1024

/** Returns whether a branch is being rebased in any work tree: git could not finish if the branch moved in between. */
async function isRebased(common: string, ref: string): Promise<boolean> {
  const linked = await readdir(join(common, 'worktrees')).catch(() => [])
  const folders = await Promise.all(
    linked.map(async (name) => {
      const folder = join(common, 'worktrees', name)
      // Without it, the work tree was deleted in the middle of its rebase.
      return (await isThere((await linesOf(join(folder, 'gitdir')))[0] ?? '')) ? [folder] : []
    }),
  )
  const branches = await Promise.all(
    [common, ...folders.flat()].flatMap((folder) => REBASED.map((path) => linesOf(join(folder, path)))),
  )
  return branches.flat().includes(ref)
}

async function linesOf(path: string): Promise<readonly string[]> {
  const reading = await readBoundedFile(path, MAX_REBASED_BYTES)
  return reading.ok ? reading.bytes.toString('utf8').split('\n') : []
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

/** Returns why a work tree that has the branch checked out prevents moving it, or `null`, and its index. */
async function lookAt(
  git: Git,
  tree: string,
  move: Move,
  changes: readonly Change[],
): Promise<{ readonly because: string | null; readonly index: string }> {
  const names = [...UNDER_WAY.map(([name]) => name), 'index']
  const [said, status, inTheWay, refused] = await Promise.all([
    ask(git, 'rev-parse', '--path-format=absolute', ...names.flatMap((name) => ['--git-path', name])),
    git(['status', '--porcelain=v1', '-z', '--untracked-files=no']),
    pathsInTheWay(git, tree, changes),
    whyNotUpdated(git, move, changes),
  ])
  const paths = said.split('\n')
  return { because: await whyNotClean(), index: paths.at(-1) ?? '' }

  async function whyNotClean(): Promise<string | null> {
    for (const [at, [, words]] of UNDER_WAY.entries())
      if (await isThere(paths[at] ?? '')) return `and ${words}`
    if (!status.ok) return `and git cannot tell whether it is clean: ${causeIn(status.error)}`
    const changed = status.stdout.split('\0').filter((line) => line !== '')
    if (changed.length > 0) {
      const shown = changed.slice(0, 3).map((line) => line.slice(3))
      return `and has uncommitted changes (${shown.join(', ')}${changed.length > 3 ? ` and ${changed.length - 3} more` : ''}): commit or stash them`
    }
    if (inTheWay.length > 0) return `and ${wouldOverwrite(inTheWay)}`
    return refused === null ? null : `and git cannot update its files: ${refused}`
  }
}

/**
 * Returns why git refuses to update files that `git status` does not look at: those marked as unchanged (`--assume-unchanged`) or left out
 * (`--skip-worktree`). Where none that differs is marked, a clean work tree can be updated.
 */
async function whyNotUpdated(
  git: Git,
  { from, to }: Move,
  changes: readonly Change[],
): Promise<string | null> {
  const paths = changes.flatMap(({ path, modeBefore }) => (modeBefore === NO_FILE ? [] : [path]))
  if (paths.length === 0) return null
  const marked =
    paths.length > PATHS_PER_CALL ||
    (await ask(git, 'ls-files', '-v', '-z', '--', ...paths.map((path) => `:(top,literal)${path}`)))
      .split('\0')
      .some((line) => line !== '' && !line.startsWith('H '))
  return marked ? failureOf(await git(['read-tree', '-n', '-m', '-u', from, to])) : null
}

async function push(
  { git }: Repository,
  { remote, branch, name }: Target,
  { from, to }: Move,
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
        ? `${remote} cannot be reached to land on ${name}: ${causeIn(pushed.error)}`
        : `${remote} refused the push to ${name}: ${refusal}${words === '' ? '' : ` (${words})`}`,
  }
}

/** Returns what the remote's hook printed. */
function remoteWords(error: string): string {
  return error
    .split('\n')
    .flatMap((line) => /^remote: (?!error: hook declined)(.*\S)/.exec(line)?.[1] ?? [])
    .slice(0, 3)
    .join(' ')
    .slice(0, 300)
}
