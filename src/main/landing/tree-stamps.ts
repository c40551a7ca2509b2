import { execFile } from 'node:child_process'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { isCacheFolder } from '../../core/custody/tool-caches.ts'

/* Determines whether anything in a tree has changed since a given moment, by change times, which no program can set. */

const run = promisify(execFile)

/** Absolute paths of everything in a tree that is not in git. */
export interface Beside {
  readonly files: readonly string[]
  readonly caches: readonly string[]
}

/** Files whose modification time records when something was determined. An agent without a sandbox can change them. */
export interface Stamps {
  write(path: string, text: string): Promise<void>
  /** Returns whether nothing in these places has changed since the stamp was written. Returns false if the stamp itself was changed. */
  isSameSince(
    path: string,
    places: Partial<Beside & { readonly installed: readonly string[] }>,
  ): Promise<boolean>
}

export function createStamps(): Stamps {
  const written = new Map<string, bigint>()
  return {
    write: async (path, text) => {
      await writeFile(path, text)
      written.set(path, (await stat(path, { bigint: true })).mtimeNs)
    },
    isSameSince: async (path, { files = [], caches = [], installed = [] }) => {
      const stats = await stat(path, { bigint: true }).catch(() => null)
      // The change time cannot be set.
      if (stats === null || stats.mtimeNs !== stats.ctimeNs || stats.mtimeMs > Date.now()) return false
      if ((written.get(path) ?? stats.mtimeNs) !== stats.mtimeNs) return false
      const answers = [isOlder(path, files), areFilesOlder(path, caches), areInstalledOlder(path, installed)]
      return (await Promise.all(answers)).every(Boolean)
    },
  }
}

function isOlder(stamp: string, folders: readonly string[]): Promise<boolean> {
  return inTwo(folders, (part) => findsNone(part, ['-newercm', stamp]))
}

/** Looks only at files: a folder changes when its contents are cleared. */
function areFilesOlder(stamp: string, caches: readonly string[]): Promise<boolean> {
  return findsNone(caches, ['!', '-type', 'd', '-newercm', stamp])
}

/** Leaves out the folders themselves, whose entries are compared by name: they change when a tool creates its cache there. */
async function areInstalledOlder(stamp: string, folders: readonly string[]): Promise<boolean> {
  return inTwo(folders, async (part) => {
    const passedOver = (await cachesAmong(part)).flatMap((path) => [
      '-path',
      escapeGlob(path),
      '-prune',
      '-o',
    ])
    return findsNone(part, ['-mindepth', '1', ...passedOver, '-newercm', stamp])
  })
}

/** Returns the files in these folders, at any depth; for a file, itself. `null`: they cannot be listed. Never rejects. */
export async function filesIn(paths: readonly string[]): Promise<readonly string[] | null> {
  if (paths.length === 0) return []
  const options = { maxBuffer: MAX_LISTED_BYTES }
  const found = await run('find', [...paths, '!', '-type', 'd', '-print0'], options).catch(() => null)
  return found === null ? null : found.stdout.split('\0').filter((path) => path !== '')
}

const MAX_LISTED_BYTES = 64 * 1024 * 1024

/** Returns the caches that tools keep in these installed folders. */
export async function cachesAmong(folders: readonly string[]): Promise<readonly string[]> {
  const found = folders.map(async (folder) =>
    (await readdir(folder).catch(() => []))
      .filter((name) => isCacheAmong(folder, name))
      .map((name) => join(folder, name)),
  )
  return (await Promise.all(found)).flat()
}

/** Runs two programs at the same time, for two cores. */
async function inTwo(
  paths: readonly string[],
  work: (part: readonly string[]) => Promise<boolean>,
): Promise<boolean> {
  const half = Math.ceil(paths.length / 2)
  return (await Promise.all([work(paths.slice(0, half)), work(paths.slice(half))])).every(Boolean)
}

/** Returns false if `find` finds anything, or fails. */
async function findsNone(paths: readonly string[], condition: readonly string[]): Promise<boolean> {
  for (let at = 0; at < paths.length; at += PATHS_PER_CALL) {
    const asked = paths.slice(at, at + PATHS_PER_CALL)
    const found = await run('find', [...asked, ...condition, '-print', '-quit']).catch(() => null)
    if (found === null || found.stdout !== '') return false
  }
  return true
}

const PATHS_PER_CALL = 200

/** True if a tool keeps its cache under this name in an installed folder. */
export function isCacheAmong(folder: string, name: string): boolean {
  return isCacheFolder(`${basename(folder)}/${name}`)
}

/** Returns a path as a pattern of git or `find` that matches it alone. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]!# ]/g, '\\$&')
}
