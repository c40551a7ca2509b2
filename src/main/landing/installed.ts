import { execFile } from 'node:child_process'
import { lstat, mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { removeAll } from '../files/remove-all.ts'
import { tryAsk } from './git.ts'
import { isThere, type Repository } from './repository.ts'
import { cachesAmong, isCacheAmong, type Stamps } from './tree-stamps.ts'
import { isWithin } from './within-tree.ts'

/*
 * Dependencies that package managers installed in the operator's folder, and their copies in trees.
 */

/** Folders that package managers install into; used where git ignores them. */
const DEPENDENCIES = new Set([
  'node_modules',
  '.venv',
  'venv',
  'vendor',
  '.bundle',
  'bower_components',
  'jspm_packages',
])
const MAX_DEPENDENCY_FOLDERS = 200
const run = promisify(execFile)

/** A tree, and the folder for data about it. */
interface InTree {
  readonly place: string
  readonly top: string
  readonly stamps: Stamps
}

/** Identifies an installed folder, in addition to the change times of its contents. */
export interface Installed {
  readonly inode: bigint
  /** Its entries, without tool caches, which change when packages are only used. */
  readonly names: readonly string[]
}

/** Returns what identifies the folder; `null` if it doesn't exist. */
export async function installedAt(folder: string): Promise<Installed | null> {
  try {
    const stats = await lstat(folder, { bigint: true })
    if (!stats.isDirectory()) return null
    const names = await readdir(folder)
    return { inode: stats.ino, names: names.filter((name) => !isCacheAmong(folder, name)).toSorted() }
  } catch {
    return null
  }
}

export function isSameInstalled(one: Installed | null, other: Installed | null): boolean {
  return one?.inode === other?.inode && hasSameNames(one, other)
}

function hasSameNames(one: Installed | null, other: Installed | null): boolean {
  return one?.names.join('\0') === other?.names.join('\0')
}

export async function findDependencies({ git }: Repository): Promise<readonly string[]> {
  const listed = await tryAsk(
    git,
    'ls-files',
    '-z',
    '--others',
    '--ignored',
    '--exclude-standard',
    '--directory',
  )
  return (listed ?? '')
    .split('\0')
    .filter((path) => path.endsWith('/') && DEPENDENCIES.has(basename(path)))
    .map((path) => path.slice(0, -1))
    .slice(0, MAX_DEPENDENCY_FOLDERS)
}

/**
 * Copies installed dependencies that have changed since the last copy, as clones if the file system supports them. Returns their paths.
 * Compares change times (ctime), which an agent cannot set. Copies them beside the tree, because a commit can have a link in their place.
 */
export async function freshCopies(
  { top: from }: Repository,
  { place, top, stamps }: InTree,
  dependencies: readonly string[],
): Promise<readonly string[]> {
  const stamp = join(place, 'installed')
  const known = (await readFile(stamp, 'utf8').catch(() => '')).split('\n')
  const copies = join(place, 'copies-of-installed')
  await removeAll(copies)
  const fresh: string[] = []
  for (const [at, path] of dependencies.entries()) {
    const [source, copy] = [join(from, path), join(top, path)]
    const [theirs, ours] = await Promise.all([installedAt(source), installedAt(copy)])
    const isKnown =
      known.includes(noteOf(path, ours)) && hasSameNames(theirs, ours) && (await isWithin(top, path))
    if (isKnown && (await stamps.isSameSince(stamp, { installed: [source, copy] }))) continue
    await mkdir(copies, { recursive: true, mode: 0o700 })
    await copyInstalled(source, join(copies, String(at)))
    fresh.push(path)
  }
  return fresh
}

async function copyInstalled(from: string, to: string): Promise<void> {
  const clones =
    process.platform === 'linux' ? ['--reflink=auto'] : process.platform === 'darwin' ? ['-c'] : []
  await run('cp', ['-a', ...clones, from, to])
}

/** Moves copies to their places, and records that all dependencies are now as they were installed. */
export async function installDependencies(
  { top: from }: Repository,
  { place, top, stamps }: InTree,
  dependencies: readonly string[],
  fresh: readonly string[],
): Promise<void> {
  const copies = join(place, 'copies-of-installed')
  const stamp = join(place, 'installed')
  for (const [at, path] of dependencies.entries()) {
    const copy = join(top, path)
    const isFresh = fresh.includes(path)
    if (!(await isWithin(top, path))) continue
    // The checkout may have removed a folder that was kept.
    if (!isFresh && (await isThere(copy))) {
      await renewCaches(join(from, path), copy, (files) => stamps.isSameSince(stamp, { files }))
      continue
    }
    await removeAll(copy)
    await mkdir(dirname(copy), { recursive: true })
    await (isFresh ? rename(join(copies, String(at)), copy) : copyInstalled(join(from, path), copy))
  }
  await removeAll(copies)
  await new Promise((resolve) => setImmediate(resolve))
  const notes = dependencies.map(async (path) => noteOf(path, await installedAt(join(top, path))))
  await stamps.write(stamp, (await Promise.all(notes)).join('\n'))
}

/**
 * Copies the operator's caches again where an attempt or its checks wrote some, so that nothing they left is there for the next attempt.
 */
async function renewCaches(
  from: string,
  to: string,
  areSame: (paths: readonly string[]) => Promise<boolean>,
): Promise<void> {
  if ((await lstat(to)).isSymbolicLink()) return
  const names = (await cachesAmong([from, to])).map((path) => basename(path))
  for (const name of new Set(names)) {
    const both = [join(from, name), join(to, name)] as const
    const [source, copy] = both
    const hasSource = await isThere(source)
    if (hasSource && (await isThere(copy)) && (await areSame(both))) continue
    await removeAll(copy)
    if (hasSource) await copyInstalled(source, copy)
  }
}

/**
 * Returns a text that identifies the folder installed at a path. Change times are not enough: a folder that is moved there keeps those of
 * its files.
 */
function noteOf(path: string, installed: Installed | null): string {
  return `${installed?.inode ?? 'none'} ${path}`
}
