import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { RequestProblem } from '../../api/request-problem.ts'
import { isCacheFile, isCacheFolder } from '../../core/custody/tool-caches.ts'
import { removeAll } from '../files/remove-all.ts'
import { storageError } from '../files/storage-error.ts'
import { succeeds } from '../files/succeeds.ts'
import type { Log } from '../ports/log.ts'
import { changesOf } from './changes.ts'
import { ask, type Git, tryAsk } from './git.ts'
import {
  findDependencies,
  freshCopies,
  type Installed,
  installDependencies,
  installedAt,
  isSameInstalled,
} from './installed.ts'
import { isThere, type Repository, type Target } from './repository.ts'
import { authorOf, excludes, giveRepository, ownGit, ownSettings } from './tree-repository.ts'
import { type Beside, cachesAmong, createStamps, escapeGlob, filesIn, type Stamps } from './tree-stamps.ts'
import { isWithin } from './within-tree.ts'

/*
 * A pool of trees. Each tree is used by one attempt at a time and reset for the next.
 *
 * 1. The agent's repository in a tree (its `.git`) is private: it has its own refs, index, stash, hooks and configuration, and reads the
 *    operator's objects as alternates. Nothing an agent does with git in its tree affects the operator's repository, where
 *    `git worktree prune` has nothing to remove.
 * 2. Our own git commands on a tree use separate git data (`git/`, `index`), which the agent can't write from its sandbox.
 * 3. A slot stays taken until `release`. The next attempt that takes it cleans up after a crash.
 */

/** A tree at a commit. */
export interface PooledTree {
  /** Absolute path of its top folder. */
  readonly top: string
  /** The workspace's folder in it. */
  readonly directory: string
  /** Folder for data about the tree while it is in use. */
  readonly dataDirectory: string
  /** Ports that no other tree uses, of any workspace of this host. */
  readonly ports: readonly number[]
  /** The operator's folders that programs in the tree may read: objects, dependencies. */
  readonly reads: readonly string[]
  /** Writes the current files, without ignored ones, as a tree object and returns its name. Rejects if git fails. */
  write(): Promise<string>
  /** Records, before the agent runs, which files git does not track. Call after `write`. */
  mark(): Promise<void>
  /** Removes what was written since `mark` into tool caches that git does not track; tools write again what they need. */
  clearCaches(): Promise<void>
  /**
   * Returns whether a checkout of this tree object has the same contents as the folder: since `mark`, no untracked file was created,
   * changed or removed, and git converts no file. Call after `write`. Returns false if this cannot be determined. Folders of caches do not
   * count if they have no files that were not there before.
   */
  isWhole(tree: string): Promise<boolean>
  /** Replaces the files with those of another tree object. */
  checkOut(tree: string): Promise<void>
  /** Returns which of these paths (from the top) differ from the commit. */
  changed(paths: readonly string[]): Promise<readonly string[]>
  /** Returns a file's text in the commit, or `null` if the commit does not have the file. */
  text(path: string): Promise<string | null>
  /** Restores these paths (from the top) from the commit. */
  restore(paths: readonly string[]): Promise<void>
  /** Returns the author of the last commit in the tree as `name <mail>`, or `null` if there is none. */
  author(): Promise<string | null>
  release(): Promise<void>
}

export interface TreeRequest {
  readonly commit: string
  readonly target: Target
  /** Ignored files to copy, as paths from the workspace. */
  readonly copy: readonly string[]
  readonly ports: number
  readonly signal: AbortSignal
}

export interface TreePool {
  take(repository: Repository, request: TreeRequest): Promise<PooledTree>
  /** Removes trees over the limit, trees unused for a long time, and half-removed trees. Never rejects. */
  sweep(): Promise<void>
}

export interface TreePoolOptions {
  /** The workspace's folder in `trees/` of the data folder. */
  readonly directory: string
  /** Maximum number of trees; further requests wait. */
  readonly limit: () => number
  readonly log: Log
  /** Removes cache files in `top` whose last change (epoch ms) `isAgents` attributes to the agent, except those of `kept`. */
  readonly clearCaches: (
    top: string,
    places: { readonly caches: readonly string[]; readonly dependencies: readonly string[] },
    isAgents: (changedMs: number) => boolean,
    kept: ReadonlySet<string>,
  ) => Promise<void>
}

/** A tree unused for this long is removed. */
const UNUSED_MS = 14 * 24 * 60 * 60_000
/** The sweep removes a tree larger than this. */
const MAX_BYTES = 20 * 1024 ** 3
/** How often the sweep measures a tree, which takes as long as reading all of its folders. */
const MEASURED_EVERY_MS = 24 * 60 * 60_000
const FIRST_PORT = 42_000
const MAX_PORTS = 100
/** Up to port 61,999; with more trees that have ports than this, some share theirs. */
const MAX_BLOCKS = 200
/** The ports of each tree that has any, in blocks: heartbeats of several workspaces can run at the same time. */
const blocks = new Map<string, number>()

/** Returns the pool of one workspace. */
export function createTreePool({ directory, limit, log, clearCaches }: TreePoolOptions): TreePool {
  const taken = new Set<number>()
  const waiting: (() => void)[] = []
  const stamps = createStamps()

  async function slot(signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted()
      for (let number = 1; number <= Math.max(1, limit()); number += 1)
        if (!taken.has(number)) {
          taken.add(number)
          return number
        }
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', settle, { once: true })
        waiting.push(settle)
        function settle(): void {
          signal.removeEventListener('abort', settle)
          resolve()
        }
      })
    }
  }

  function free(number: number): void {
    taken.delete(number)
    for (const resolve of waiting.splice(0)) resolve()
  }

  return {
    take: async (repository, request) => {
      const number = await slot(request.signal)
      const place = join(directory, String(number))
      const prepare = () => prepareTree(repository, request, { place, stamps, clearCaches })
      try {
        const tree = await prepare().catch(async (error: unknown) => {
          request.signal.throwIfAborted()
          // Something in it cannot be reset: recreate it, once.
          log.warn('A tree is recreated', { place, error: String(error) })
          await discard(place)
          return prepare()
        })
        return { ...tree, release: async () => free(number) }
      } catch (error) {
        free(number)
        if (request.signal.aborted || error instanceof RequestProblem) throw error
        throw storageError('prepare a tree in', place, (await isFull(place)) ? FULL : error)
      }
    },
    sweep: async () => {
      try {
        for (const name of await readdir(directory).catch(() => [])) {
          const place = join(directory, name)
          const number = Number(name)
          const isOurs = Number.isInteger(number) && number >= 1 && number <= Math.max(1, limit())
          if (!isOurs || (await isUnused(place)) || (await isTooLarge(place))) {
            if (taken.has(number)) continue
            await discard(place)
          }
        }
      } catch (error) {
        log.warn('Trees could not be swept', { error: String(error) })
      }
    },
  }
}

const FULL = Object.assign(new Error('The disk is full'), { code: 'ENOSPC' })
const MIN_FREE_BYTES = 1024 * 1024

/** Returns whether there is hardly any room: git says only which file it could not write. */
async function isFull(place: string): Promise<boolean> {
  const found = await statfs(dirname(place)).catch(() => null)
  return (
    found !== null && (found.bavail * found.bsize < MIN_FREE_BYTES || (found.files > 0 && found.ffree === 0))
  )
}

async function isUnused(place: string): Promise<boolean> {
  return (await ageOf(join(place, 'used'))) > UNUSED_MS
}

async function isTooLarge(place: string): Promise<boolean> {
  const measured = join(place, 'measured')
  if ((await ageOf(measured)) < MEASURED_EVERY_MS) return false
  await writeFile(measured, '')
  return (await bytesOf(place)) > MAX_BYTES
}

/** Returns how long ago a file was written, in milliseconds; infinite if it doesn't exist. */
async function ageOf(path: string): Promise<number> {
  const stats = await stat(path).catch(() => null)
  return stats === null ? Number.POSITIVE_INFINITY : Date.now() - stats.mtimeMs
}

const run = promisify(execFile)

async function bytesOf(place: string): Promise<number> {
  const { stdout } = await run('du', ['-sk', place]).catch(() => ({ stdout: '0' }))
  return (Number.parseInt(stdout, 10) || 0) * 1024
}

/** Renames it first, so that a crash in between leaves nothing that looks like a tree. */
async function discard(place: string): Promise<void> {
  const away = `${place}.gone-${randomUUID()}`
  const moved = await succeeds(rename(place, away))
  await removeAll(moved ? away : place)
}

interface Slot {
  readonly place: string
  readonly stamps: Stamps
  readonly clearCaches: TreePoolOptions['clearCaches']
}

async function prepareTree(
  repository: Repository,
  { commit, target, copy, ports, signal }: TreeRequest,
  { place, stamps, clearCaches }: Slot,
): Promise<Omit<PooledTree, 'release'>> {
  const top = join(place, 'tree', basename(repository.top))
  for (const folder of [place, dirname(top), top])
    if ((await lstat(folder).catch(() => null))?.isSymbolicLink() === true) await rm(folder)
  const own = join(place, 'git')
  const index = join(place, 'index')
  await mkdir(top, { recursive: true, mode: 0o700 })
  await writeFile(join(place, 'used'), '')
  await removeAll(join(top, '.git'))
  await rm(`${index}.lock`, { force: true })
  const [settings, dependencies] = await Promise.all([ownSettings(repository), findDependencies(repository)])
  const itsOwn = { own, top, index, commit, settings }
  const git = await ownGit(repository, itsOwn)
  const copied = copy.map((path) => repository.prefix + path)
  await writeFile(join(own, 'info', 'exclude'), await excludes(repository, [...dependencies, ...copied]))
  signal.throwIfAborted()
  // Reading and copying installed files takes as long as the checkout.
  const [fresh] = await bothEnd([
    freshCopies(repository, { place, top, stamps }, dependencies),
    resetFiles(git, { commit, index, dependencies }),
  ])
  signal.throwIfAborted()
  await installDependencies(repository, { place, top, stamps }, dependencies, fresh)
  await copyIgnored(repository, top, copy)
  await giveRepository(repository, { ...itsOwn, target })
  const dataDirectory = join(place, 'state')
  await resetState(dataDirectory)
  return {
    top: await realpath(top),
    directory: join(await realpath(top), repository.prefix),
    dataDirectory,
    ports: ports === 0 ? [] : portsOf(place, ports),
    reads: [join(repository.common, 'objects'), repository.top],
    ...questionsOf(git, { top, commit, place, stamps, clearCaches, dependencies, copied }),
    author: () => authorOf(git, top, commit),
  }
}

function portsOf(place: string, count: number): readonly number[] {
  const block = blocks.get(place) ?? blocks.size
  blocks.set(place, block)
  const first = FIRST_PORT + (block % MAX_BLOCKS) * MAX_PORTS
  return Array.from({ length: count }, (_, at) => first + at)
}

/** Resets the files to those of the commit; installed dependencies stay. */
async function resetFiles(
  git: Git,
  {
    commit,
    index,
    dependencies,
  }: { readonly commit: string; readonly index: string; readonly dependencies: readonly string[] },
): Promise<void> {
  if (await isThere(index)) await checkOutFrom(git, commit)
  else await ask(git, 'read-tree', '--reset', '-u', commit)
  await ask(git, 'clean', '-ffdxq', ...dependencies.flatMap((path) => ['-e', `/${escapeGlob(path)}`]))
}

interface Questioned {
  readonly top: string
  readonly commit: string
  readonly place: string
  readonly stamps: Stamps
  readonly clearCaches: TreePoolOptions['clearCaches']
  readonly dependencies: readonly string[]
  /** The ignored files that the operator named. */
  readonly copied: readonly string[]
}

/** Returns the operations on a tree while it is in use. */
function questionsOf(
  git: Git,
  about: Questioned,
): Omit<PooledTree, 'top' | 'directory' | 'dataDirectory' | 'ports' | 'reads' | 'author' | 'release'> {
  const { top, commit, place } = about
  const ours = noticing(place)
  return {
    write: () =>
      ours.change(async () => {
        await ask(git, 'add', '--all', '--', '.')
        return ask(git, 'write-tree')
      }),
    ...comparing(git, about, ours.wereTouched),
    checkOut: (tree) => ours.change(() => checkOutFrom(git, tree)),
    changed: async (paths) => {
      const asked = paths.map((path) => `:(top,literal)${path}`)
      const { stdout } = await git([
        'status',
        '--porcelain=v1',
        '-z',
        '--no-renames',
        '--untracked-files=all',
        '--ignored=matching',
        '--',
        ...asked,
      ])
      return stdout
        .split('\0')
        .filter((line) => line !== '')
        .map((line) => line.slice(3))
    },
    text: async (path) => {
      const { ok, stdout } = await git(['cat-file', 'blob', `${commit}:${path}`])
      return ok ? stdout : null
    },
    restore: (paths) =>
      ours.change(async () => {
        for (const path of paths) {
          const isKnown = (await tryAsk(git, 'cat-file', '-e', `${commit}:${path}`)) !== null
          if (isKnown) await ask(git, 'checkout', '--force', commit, '--', `:(top,literal)${path}`)
          else if (await isWithin(top, path)) await rm(join(top, path), { recursive: true, force: true })
        }
      }),
  }
}

/**
 * Notices whether anything but our own commands changed our git data of a tree. An agent without a sandbox can reach it, and make git
 * overlook a file that the agent changed. No program can set a change time (ctime).
 */
function noticing(place: string): {
  readonly change: <T>(ours: () => Promise<T>) => Promise<T>
  readonly wereTouched: () => boolean
} {
  const paths = ['index', 'git', 'git/config', 'git/info', 'git/info/exclude'].map((path) =>
    join(place, path),
  )
  const look = async (): Promise<string> => {
    const all = await Promise.all(paths.map((path) => lstat(path, { bigint: true }).catch(() => null)))
    return all.map((stats) => `${stats?.ino} ${stats?.ctimeNs}`).join('\n')
  }
  let known: string | null = null
  let isTouched = false
  return {
    change: async (ours) => {
      isTouched ||= known !== null && known !== (await look())
      try {
        return await ours()
      } finally {
        known = await look()
      }
    },
    wereTouched: () => isTouched,
  }
}

/** Returns the operations that compare a tree with its state before the agent ran. */
function comparing(
  git: Git,
  { top, commit, place, stamps, clearCaches, dependencies, copied }: Questioned,
  wereTouched: () => boolean,
): Pick<PooledTree, 'mark' | 'clearCaches' | 'isWhole'> {
  const stamp = join(place, 'marked')
  let marked: readonly string[] = []
  let installed: readonly (Installed | null)[] = []
  let cached: ReadonlySet<string> = new Set()
  const absolute = (paths: readonly string[]) => paths.map((path) => join(top, path))
  const lookAtInstalled = () => Promise.all(absolute(dependencies).map(installedAt))
  const lookBeside = async (): Promise<Beside> => {
    const paths = (await untracked(git)).map(withoutSlash).filter((path) => !dependencies.includes(path))
    const isCache = (path: string): boolean => isToolCache(path) && !copied.includes(path)
    const inInstalled = await cachesAmong(absolute(dependencies))
    return {
      files: absolute(paths.filter((path) => !isCache(path))),
      caches: [...absolute(paths.filter(isCache)), ...inInstalled],
    }
  }
  return {
    mark: async () => {
      const [beside, found] = await Promise.all([lookBeside(), lookAtInstalled()])
      marked = beside.files
      installed = found
      cached = new Set((await filesIn(beside.caches)) ?? [])
      await stamps.write(stamp, '')
    },
    clearCaches: async () => {
      const [{ caches }, { mtimeMs }] = await Promise.all([lookBeside(), stat(stamp)])
      const isSince = (changedMs: number): boolean => changedMs >= Math.floor(mtimeMs)
      const fromTop = caches.map((path) => relative(top, path))
      await clearCaches(top, { caches: fromTop, dependencies }, isSince, new Set(copied))
    },
    isWhole: async (tree) => {
      if (wereTouched()) return false
      const [{ files, caches }, installedNow] = await Promise.all([lookBeside(), lookAtInstalled()])
      if (!installed.every((before, at) => isSameInstalled(before, installedNow[at] ?? null))) return false
      const inCaches = await filesIn(caches)
      // A folder that was moved there has files that did not change.
      if (inCaches?.every((path) => cached.has(path)) !== true) return false
      const isSame = await stamps.isSameSince(stamp, {
        files: [...new Set([...marked, ...files])],
        caches,
        installed: absolute(dependencies),
      })
      return isSame && (await isVerbatim(git, { from: commit, to: tree, copies: join(place, 'copies') }))
    },
  }
}

/** Replaces the files of the index. Writes all of them if the attributes differ, even those with the same contents in git. */
async function checkOutFrom(git: Git, treeish: string): Promise<void> {
  const where = ['--', ':(top,glob)**/.gitattributes']
  const attributes = await ask(git, 'diff-index', '--cached', '--name-only', treeish, ...where)
  await ask(git, 'read-tree', '--reset', '-u', treeish)
  if (attributes === '') return
  await ask(git, 'read-tree', '--empty')
  await ask(git, 'read-tree', '--reset', '-u', treeish)
}

/** Returns what is in the folder but not in the index: ignored files and empty folders. */
async function untracked(git: Git): Promise<readonly string[]> {
  const listed = await ask(git, 'ls-files', '-z', '--others', '--directory')
  return listed.split('\0').filter((path) => path !== '')
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '')
}

function isToolCache(path: string): boolean {
  return isCacheFolder(path) || isCacheFile(basename(path))
}

/** Returns whether git would check out the files that differ between two trees as they are in the folder; writes them to `copies`. */
async function isVerbatim(
  git: Git,
  { from, to, copies }: { readonly from: string; readonly to: string; readonly copies: string },
): Promise<boolean> {
  const paths: string[] = []
  for (const { path, mode } of await changesOf(git, { from, to })) {
    // Attributes decide what git writes for every file, even for files that do not differ.
    if (basename(path) === '.gitattributes') return false
    if (mode.startsWith('100')) paths.push(path)
  }
  if (paths.some((path) => /^"|\n/.test(path))) return false
  if (paths.length === 0) return true
  try {
    const input = paths.map((path) => `${path}\0`).join('')
    const written = await git(['checkout-index', '-q', `--prefix=${copies}/`, '-z', '--stdin'], { input })
    const both = [...paths, ...paths.map((path) => join(copies, path))].map((path) => `${path}\n`).join('')
    const { ok, stdout } = await git(['hash-object', '--no-filters', '--stdin-paths'], { input: both })
    const hashes = stdout.trimEnd().split('\n')
    return written.ok && ok && paths.every((_, at) => hashes[at] === hashes[at + paths.length])
  } finally {
    await removeAll(copies)
  }
}

/** Keeps only the test reports of the baseline for the next attempt; they name their baseline. */
async function resetState(directory: string): Promise<void> {
  const reports = join(directory, 'custody', 'reports.json')
  const kept = await readFile(reports).catch(() => null)
  await removeAll(directory)
  await mkdir(dirname(reports), { recursive: true, mode: 0o700 })
  if (kept !== null) await writeFile(reports, kept)
}

/** Resolves or rejects only when both have ended, so that nothing still runs in a folder that is recreated. */
async function bothEnd<A, B>(works: readonly [Promise<A>, Promise<B>]): Promise<readonly [A, B]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

/** Copies the ignored files that the operator named. Skips missing paths and links. */
async function copyIgnored(
  { top: from, prefix }: Repository,
  top: string,
  copy: readonly string[],
): Promise<void> {
  for (const path of copy) {
    const source = join(from, prefix, path)
    const stats = await lstat(source).catch(() => null)
    const goal = join(top, prefix, path)
    if (stats === null || stats.isSymbolicLink() || !(await isWithin(top, prefix + path))) continue
    // The commit has a link at this path, which can lead out of the tree.
    if ((await lstat(goal).catch(() => null))?.isSymbolicLink() === true) continue
    await mkdir(dirname(goal), { recursive: true })
    await cp(source, goal, {
      recursive: true,
      force: true,
      mode: constants.COPYFILE_FICLONE,
      verbatimSymlinks: true,
    })
  }
}
