import { basename, dirname, join } from 'node:path'
import { mayBeShadowed } from '../../core/custody/compiled.ts'
import { holdsDependencies, isEnvironment, isPassedOver } from '../../core/custody/protected.ts'
import { type Ground, onlyIn } from '../files/beneath.ts'
import { type BigIntStats, entriesOf, lstatSync, readlinkSync } from '../files/names.ts'
import type { ContentStore } from './content-store.ts'
import { isCacheEntry } from './tool-caches.ts'
import { createPause } from './turns.ts'

/** What is at a guarded path. */
export interface GuardedFile {
  /** SHA-256 of its content, with `:x` appended for an executable file; `link:…`, or `large:…` for content that is not kept. */
  readonly content: string
  /** Size, times and inode: while they are the same, so is the content. */
  readonly state: string
}

export type GuardedFiles = ReadonlyMap<string, GuardedFile>

interface ScanRequest {
  readonly top: string
  /** Returns whether a path from the top is guarded. */
  readonly isGuarded: (path: string) => boolean
  /** Paths of sources that may have compiled code next to them, including those of earlier looks. The scan adds to it. */
  readonly sources: Set<string>
  /** Files that are guarded whatever their name, because checks execute them. */
  readonly also: ReadonlySet<string>
  /** Absolute paths of Pulseward's own folders. */
  readonly excluded: readonly string[]
  readonly known: GuardedFiles
  /** Called with each folder of installed dependencies. */
  readonly foundDependencies: (path: string) => void
  /** Called with each cache of a tool. */
  readonly foundCache: (path: string) => void
  readonly store: ContentStore
  /** Returns the absolute path for a path from the top; `undefined` if it is below the top. */
  readonly placeOf?: (path: string) => string | undefined
  /** What was found in folders before, with the same paths guarded. The scan updates it. */
  readonly folders?: Map<string, KnownFolder>
}

/** What matters in a folder: while its times are the same, so are its names. */
export interface KnownFolder {
  readonly state: string
  readonly guarded: readonly string[]
  readonly folders: readonly string[]
  readonly dependencies: readonly string[]
  readonly caches: readonly string[]
  /** Number of all its entries. */
  readonly entries: number
}

/** Enough for a large repository. Tests are not expected beyond this, and a heartbeat must begin. */
const MAX_ENTRIES = 300_000
const MAX_KEPT_BYTES = 16 * 1024 * 1024
const AT_ONCE = 16
/** If a file was changed less than this before it was read, another change may not show in its times. */
const TIMES_SETTLE_NS = 2_500_000_000n

/**
 * Returns the guarded files below `top`, after storing their contents. Doesn't follow links to folders. Never rejects.
 *
 * Reads folders and times synchronously, for a few milliseconds at a time: a call through the thread pool takes ten times as long as
 * the file access itself, and each attempt does this for thousands of files.
 */
export async function scanGuarded(request: ScanRequest): Promise<GuardedFiles> {
  const pause = createPause()
  const found = new Map<string, GuardedFile>()
  const unread: { path: string; stats: BigIntStats }[] = []
  const look = (path: string): void => {
    const seen = lookAt(request, path)
    if (seen === null) return
    if ('content' in seen) found.set(path, seen)
    else unread.push({ path, stats: seen })
  }
  for (const path of request.also) look(path)
  for await (const path of guardedPaths(request, pause)) if (!request.also.has(path)) look(path)
  const waiting = unread.values()
  const worker = async (): Promise<void> => {
    for (const { path, stats } of waiting) {
      const file = await readGuarded(request, path, stats)
      if (file !== null) found.set(path, file)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return found
}

async function* guardedPaths(
  request: ScanRequest,
  pause: () => Promise<void> | void,
): AsyncGenerator<string> {
  const skipped = new Set(request.excluded)
  const waiting = ['']
  for (
    let seen = 0, folder = waiting.pop();
    folder !== undefined && seen < MAX_ENTRIES;
    folder = waiting.pop()
  ) {
    await pause()
    const absolute = folder === '' ? request.top : join(request.top, folder)
    if (skipped.has(absolute)) continue
    const { guarded, folders, dependencies, caches, entries } = lookIntoFolder(request, folder, absolute)
    seen += entries
    for (const path of dependencies) request.foundDependencies(path)
    for (const path of caches) request.foundCache(path)
    waiting.push(...folders)
    yield* guarded
  }
}

function lookIntoFolder(
  { isGuarded, folders, sources }: ScanRequest,
  folder: string,
  absolute: string,
): KnownFolder {
  const stats = folders === undefined ? undefined : folderStats(absolute)
  const before = folders?.get(folder)
  if (stats !== undefined && before?.state === stateOf(stats)) return before
  const entries = entriesOf(absolute)
  const found = { guarded: [], folders: [], dependencies: [], caches: [] } as Record<
    'guarded' | 'folders' | 'dependencies' | 'caches',
    string[]
  >
  const names = entries.map(({ name }) => name)
  for (const name of names) if (mayBeShadowed(name)) sources.add(folder === '' ? name : `${folder}/${name}`)
  if (folder !== '' && isEnvironment(names)) found.dependencies.push(folder)
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isCacheEntry(path, entry)) found.caches.push(path)
    if (entry.isDirectory()) {
      if (!isPassedOver(path)) found.folders.push(path)
      if (holdsDependencies(path, names)) found.dependencies.push(path)
    } else if ((entry.isFile() || entry.isSymbolicLink()) && isGuarded(path)) found.guarded.push(path)
  }
  // A name that comes or goes within one tick of the clock would not show.
  const state = stats !== undefined && isSettled(stats) ? stateOf(stats) : 'unsettled'
  const known = { ...found, state, entries: entries.length }
  if (stats !== undefined) folders?.set(folder, known)
  return known
}

function folderStats(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

/** Returns what is known about the file, or its status if it has to be read; `null` if it doesn't exist. */
function lookAt({ top, known, placeOf }: ScanRequest, path: string): GuardedFile | BigIntStats | null {
  try {
    // Joined by hand, because each look does this thousands of times and the path is already normalized.
    const file = placeOf?.(path) ?? `${top}/${path}`
    const stats = lstatSync(file, { bigint: true })
    if (stats.isSymbolicLink()) return { content: `link:${readlinkSync(file)}`, state: 'link' }
    if (!stats.isFile()) return null
    const before = known.get(path)
    return before?.state === stateOf(stats) ? before : stats
  } catch {
    return null
  }
}

/** Returns a text that stays the same only while the content does. */
export function stateOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size}:${mtimeNs}:${ctimeNs}:${ino}`
}

async function readGuarded(
  { top, store, placeOf }: ScanRequest,
  path: string,
  stats: BigIntStats,
): Promise<GuardedFile | null> {
  try {
    // Files that git depends on may be beside the tree.
    const elsewhere = placeOf?.(path)
    const [ground, inGround] =
      elsewhere === undefined ? [onlyIn(top), path] : [onlyIn(dirname(elsewhere)), basename(elsewhere)]
    const content = await contentOf(ground, inGround, stats, store)
    return { content, state: isSettled(stats) ? stateOf(stats) : 'unsettled' }
  } catch {
    return null
  }
}

/** Returns whether a later change would show in the file's times. */
export function isSettled({ ctimeNs }: BigIntStats): boolean {
  return BigInt(Date.now()) * 1_000_000n - ctimeNs > TIMES_SETTLE_NS
}

async function contentOf(
  ground: Ground,
  path: string,
  stats: BigIntStats,
  store: ContentStore,
): Promise<string> {
  const large = `large:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`
  if (stats.size > BigInt(MAX_KEPT_BYTES)) return large
  // If the disk refuses, a change can still be detected, but the file can't be restored.
  const hash = await store.keepFile(ground, path)
  if (hash === null) return large
  return (stats.mode & 0o100n) === 0n || process.platform === 'win32' ? hash : `${hash}:x`
}
