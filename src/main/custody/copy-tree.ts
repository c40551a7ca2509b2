import {
  constants,
  copyFileSync,
  type Dirent,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { isCache } from '../../core/custody/protected.ts'
import { withOpenedSync } from '../files/beneath.ts'
import { createPause } from './turns.ts'

/*
 * Copies a tree for a clean room where there are no overlays. Nothing in the copy leads back, so whatever a check writes stays in it,
 * including in `node_modules` and git's data. Uses the file system's clones where available (APFS, Btrfs, XFS, ReFS).
 */

export interface CopyLimits {
  /** Limits for the tree with its dependencies. */
  readonly files: number
  readonly bytes: number
  /** Limits for each cache: a larger one is not copied, and the check runs without it. */
  readonly cacheFiles: number
  readonly cacheBytes: number
}

const LIMITS: CopyLimits = {
  files: 150_000,
  bytes: 4 * 1024 ** 3,
  cacheFiles: 20_000,
  cacheBytes: 1024 ** 3,
}

/** Says what is too large to copy. */
export class TooLargeToCopy extends Error {}

interface Budget {
  files: number
  bytes: number
}

interface Copying {
  readonly top: string
  readonly copy: string
  /** Absolute paths that are not copied. */
  readonly left: ReadonlySet<string>
  readonly signal: AbortSignal
  readonly pause: () => Promise<void> | void
  /** Cache folders, which are copied last. */
  readonly caches: string[]
}

/** Copies `top` to `copy`, which must not exist yet. Rejects if it is too large, or the disk refuses. */
export async function copyTree(
  top: string,
  copy: string,
  { left, signal }: { readonly left: readonly string[]; readonly signal: AbortSignal },
  limits = LIMITS,
): Promise<void> {
  const copying = { top, copy, left: new Set(left), signal, pause: createPause(), caches: [] }
  await copyFolder(copying, '', { files: limits.files, bytes: limits.bytes })
  for (const cache of copying.caches.splice(0)) {
    const budget = { files: limits.cacheFiles, bytes: limits.cacheBytes }
    await copyFolder({ ...copying, caches: [] }, cache, budget).catch(async (error: unknown) => {
      if (!(error instanceof TooLargeToCopy)) throw error
      await rm(join(copy, cache), { recursive: true, force: true })
    })
  }
}

async function copyFolder(copying: Copying, folder: string, budget: Budget): Promise<void> {
  const { top, copy, left, signal, pause, caches } = copying
  const folders = [folder]
  const inCache = folder !== ''
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const from = join(top, next)
    mkdirSync(join(copy, next), { recursive: true })
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      await pause()
      signal.throwIfAborted()
      const path = join(next, entry.name)
      if (left.has(join(top, path))) continue
      if (entry.isDirectory() && isObjectsOfGit(from, entry)) borrowObjects(copying, path)
      else if (entry.isDirectory() && isCache(path.replaceAll(sep, '/')) && !inCache) caches.push(path)
      else if (entry.isDirectory()) folders.push(path)
      else copyEntry(copying, path, entry, budget)
    }
  }
}

function copyEntry({ top, copy }: Copying, path: string, entry: Dirent, budget: Budget): void {
  const [from, to] = [join(top, path), join(copy, path)]
  if (entry.isSymbolicLink()) {
    symlinkSync(withinCopy(readlinkSync(from), top, copy), to)
    return
  }
  if (!entry.isFile()) return
  // If a link has replaced the file since it was listed, it is not part of the tree.
  withOpenedSync(top, path, (opened, stats) => {
    budget.files -= 1
    budget.bytes -= stats.size
    if (budget.files < 0 || budget.bytes < 0)
      throw new TooLargeToCopy('the tree with what is installed in it is too large to be copied')
    copyFileSync(opened, to, constants.COPYFILE_FICLONE)
    // Builds and byte code depend on modification times.
    utimesSync(to, stats.atimeMs / 1000, stats.mtimeMs / 1000)
  })
}

/** Redirects an absolute link into the tree, which would lead the check back into the workspace. */
function withinCopy(target: string, top: string, copy: string): string {
  if (!isAbsolute(target)) return target
  const way = relative(top, target)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? target : join(copy, way)
}

function isObjectsOfGit(folder: string, { name }: Dirent): boolean {
  return (
    name === 'objects' && (folder.endsWith(`${sep}.git`) || folder.includes(`${sep}.git${sep}modules${sep}`))
  )
}

/** Lets git read the original's objects in its own way; new ones are written to the copy. */
function borrowObjects({ top, copy }: Copying, path: string): void {
  mkdirSync(join(copy, path, 'info'), { recursive: true })
  mkdirSync(join(copy, path, 'pack'), { recursive: true })
  writeFileSync(join(copy, path, 'info', 'alternates'), `${join(top, path)}\n`)
}
