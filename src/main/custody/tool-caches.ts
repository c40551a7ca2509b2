import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isPassedOver } from '../../core/custody/protected.ts'
import {
  CACHES_OF_USER,
  isCacheFile,
  isCacheFolder,
  isInCache,
  isTemporaryCache,
} from '../../core/custody/tool-caches.ts'
import { onlyIn, removeBeneath } from '../files/beneath.ts'
import { type Dirent, entriesOf, lstatSync } from '../files/names.ts'
import type { Log } from '../ports/log.ts'
import { createPause } from './turns.ts'

/** Files and folders below a tree, by path from its top. */
export interface CachePlaces {
  /** Caches found next to the sources. */
  readonly caches: readonly string[]
  /** Folders of installed packages, which have their own caches. */
  readonly dependencies: readonly string[]
}

/**
 * Removes only these from caches: files for whose last change (epoch ms) `isAgents` returns true, links that replace them,
 * and byte code whose source changed then; keeps those in `kept`. Tools recreate what they need. Checks every file, however
 * many an agent wrote, because tools would believe one that was missed. Never rejects.
 */
export async function clearCaches(
  top: string,
  places: CachePlaces,
  isAgents: (changedMs: number) => boolean,
  { kept, log }: { readonly kept: ReadonlySet<string>; readonly log: Pick<Log, 'warn'> },
): Promise<void> {
  const pause = createPause()
  const ground = onlyIn(top)
  for (const path of cachedFiles(top, places)) {
    await pause()
    const source = sourceOf(path)
    const isTouched = (each: string): boolean => isChanged(join(top, each), isAgents)
    if (kept.has(path) || !(isTouched(path) || (source !== null && isTouched(source)))) continue
    await removeBeneath(ground, path).catch((error: unknown) =>
      log.warn('A cache could not be cleared', { path, error: String(error) }),
    )
  }
}

/** Removes from the user's own caches the files for whose last change (epoch ms) `isAgents` returns true. Never rejects. */
export async function clearCachesOfUser(
  isAgents: (changedMs: number) => boolean,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const own = process.getuid?.()
  const isOwn = (path: string): boolean => own === undefined || ownerOf(path) === own
  const temporary = tmpdir()
  const found = entriesOf(temporary).flatMap(({ name }) =>
    isTemporaryCache(name) && isOwn(join(temporary, name)) ? [name] : [],
  )
  const options = { kept: new Set<string>(), log }
  await clearCaches(temporary, { caches: found, dependencies: [] }, isAgents, options)
  const kept = CACHES_OF_USER.filter((path) => isFolder(join(homedir(), path)))
  await clearCaches(homedir(), { caches: kept, dependencies: [] }, isAgents, options)
}

function ownerOf(path: string): number | null {
  try {
    return lstatSync(path).uid
  } catch {
    return null
  }
}

/**
 * Returns the caches next to the sources of a tree, by path from its top: whole folders, or single files if `kept` (called
 * only if there is a cache) returns some of the folder's files. Skips those of installed packages.
 */
export async function cachesExcept(
  top: string,
  kept: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const pause = createPause()
  const found: string[] = []
  let known: readonly string[] | null = null
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    await pause()
    for (const entry of entriesOf(join(top, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (isCacheEntry(path, entry)) {
        known ??= (await kept()).filter(isInCache)
        const inside = new Set(known.filter((name) => name === path || name.startsWith(`${path}/`)))
        if (inside.size === 0) found.push(path)
        else for (const file of filesOf(top, path)) if (!inside.has(file)) found.push(file)
      } else if (entry.isDirectory() && !isPassedOver(path)) waiting.push(path)
    }
  }
  return found
}

/**
 * Returns the Python source of byte code. Python accepts the code if it was compiled from a source of the same size that was
 * changed in the same second.
 */
function sourceOf(path: string): string | null {
  const found = /^(.*)__pycache__\/([^/.]+)\.[^/]*\.pyc$/.exec(path)
  return found === null ? null : `${found[1]}${found[2]}.py`
}

function* cachedFiles(top: string, { caches, dependencies }: CachePlaces): Generator<string> {
  for (const path of caches) yield* filesOf(top, path)
  for (const folder of dependencies) yield* cachesOfPackages(top, folder)
}

/**
 * Yields the caches of packages: Python packages have byte code in each of their folders, Node.js packages share the caches next to them.
 */
function* cachesOfPackages(top: string, folder: string): Generator<string> {
  const isPython = basename(folder) !== 'node_modules'
  for (const entry of entriesOf(join(top, folder))) {
    const path = `${folder}/${entry.name}`
    if (isCacheFolder(path)) yield* filesOf(top, path)
    else if (isPython && entry.isDirectory()) yield* cachesOfPackages(top, path)
  }
}

/** Yields all files of a folder. Yields the path itself if it is not a folder: a file, or a link to one elsewhere. */
function* filesOf(top: string, path: string): Generator<string> {
  const waiting = [path]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isFolder(join(top, next))) {
      yield next
      continue
    }
    for (const entry of entriesOf(join(top, next))) {
      const inside = `${next}/${entry.name}`
      if (entry.isDirectory()) waiting.push(inside)
      else yield inside
    }
  }
}

/** Returns whether an entry of a folder is a cache by its name: a folder, a link that replaces one, or a file. */
export function isCacheEntry(path: string, entry: Pick<Dirent, 'name' | 'isFile'>): boolean {
  return entry.isFile() ? isCacheFile(entry.name) : isCacheFolder(path) || isCacheFile(entry.name)
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory()
  } catch {
    return false
  }
}

/** A socket or pipe is not a cache, wherever it is: a running program listens there. */
function isChanged(path: string, isAgents: (changedMs: number) => boolean): boolean {
  try {
    const stats = lstatSync(path)
    return !stats.isSocket() && !stats.isFIFO() && isAgents(stats.ctimeMs)
  } catch {
    return false
  }
}
