import { join } from 'node:path'
import { readdir } from '../files/names.ts'
import type { Snapshotter } from '../ports/snapshotter.ts'
import type { GitSnapshot } from './git-snapshot.ts'
import { fromText, type RawPath, toText } from './raw-path.ts'
import type { WalkSnapshot } from './walk-snapshot.ts'

/** How many entries are searched for files named only by the end of their path. */
const MAX_SEARCHED = 200_000
/** Never part of the work, and large. */
const NOT_SEARCHED: ReadonlySet<string> = new Set(['.git', 'node_modules'])
/** How many folders are read at a time. */
const AT_ONCE = 8
/**
 * Empty folders, sockets and pipes are named by neither git nor a snapshot: paths that may be one are looked for in the folder
 * itself.
 */
const SURELY_A_FILE = /\.(?!(?:d|sock|socket|fifo|pipe)$)\w{1,10}$/i

/**
 * Finds files and folders by the end of their path. A snapshot knows their names: through git, those in the index, those not in it, and
 * ignored ones (only ignored folders are searched on disk); otherwise those that were walked. If they are incomplete, walks the folder
 * again. Never rejects.
 */
export async function pathsEndingIn(
  snapshot: GitSnapshot | WalkSnapshot,
  ends: readonly string[],
): ReturnType<Snapshotter['endingIn']> {
  const wanted = byLastName(ends)
  const named = snapshot.kind === 'git' ? await namesOf(snapshot) : namesWalked(snapshot)
  if (named === 'too many') return named
  if (named !== null) {
    const found = matches(named, wanted)
    if (ends.every((end) => found.has(end) || SURELY_A_FILE.test(end))) return found
  }
  const walked = await namesBelow(snapshot.directory, [''])
  return walked === 'too many' ? walked : matches(walked, wanted)
}

/** Returns the path endings as bytes, grouped by their last name. */
function byLastName(ends: readonly string[]): ReadonlyMap<string, readonly RawPath[]> {
  const wanted = new Map<string, RawPath[]>()
  for (const end of ends.map(fromText)) {
    const name = end.slice(end.lastIndexOf('/') + 1)
    wanted.set(name, [...(wanted.get(name) ?? []), end])
  }
  return wanted
}

/** Returns the files of a snapshot, including ignored ones; null if they are incomplete. */
async function namesOf({
  directory,
  index,
  dirty,
  ignored,
}: GitSnapshot): Promise<readonly RawPath[] | 'too many' | null> {
  if (ignored === null) return null
  const folders = ignored.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1))
  const inside = await namesBelow(directory, folders.filter(isSearched))
  if (inside === 'too many') return inside
  return [
    ...[...index.entries.keys()].filter((path) => !dirty.has(path)),
    ...[...dirty].flatMap(([path, { content }]) => (content === null ? [] : [path])),
    ...ignored.filter((path) => !path.endsWith('/')),
    ...folders,
    ...inside,
  ]
}

/** Returns the files of a walk; null if it was incomplete. */
function namesWalked({ files, excluded, unreadable, cutAt }: WalkSnapshot): readonly RawPath[] | null {
  return excluded.length > 0 || unreadable.length > 0 || cutAt !== null ? null : [...files.keys()]
}

/** Returns all names in some folders of a folder; follows no links. */
async function namesBelow(
  directory: string,
  folders: readonly RawPath[],
): Promise<readonly RawPath[] | 'too many'> {
  const names: RawPath[] = []
  const pending = [...folders]
  while (pending.length > 0) {
    const listed = await Promise.all(pending.splice(-AT_ONCE).map((folder) => namesIn(directory, folder)))
    for (const { path, isFolder } of listed.flat()) {
      if (names.length >= MAX_SEARCHED) return 'too many'
      names.push(path)
      if (isFolder) pending.push(path)
    }
  }
  return names
}

async function namesIn(
  directory: string,
  folder: RawPath,
): Promise<readonly { readonly path: RawPath; readonly isFolder: boolean }[]> {
  const entries = await readdir(join(directory, toText(folder)), { withFileTypes: true }).catch(() => [])
  const above = folder === '' ? '' : `${folder}/`
  return entries
    .filter(({ name }) => !NOT_SEARCHED.has(name))
    .map((entry) => ({ path: above + fromText(entry.name), isFolder: entry.isDirectory() }))
}

/** Returns files with such an ending, and the folders that they are in. */
function matches(
  names: readonly RawPath[],
  wanted: ReadonlyMap<string, readonly RawPath[]>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<RawPath, Set<string>>()
  const folders = new Set<RawPath>()
  const look = (path: RawPath): void => {
    const slash = path.lastIndexOf('/')
    for (const end of wanted.get(path.slice(slash + 1)) ?? []) {
      if (!path.endsWith(`/${end}`) || !isSearched(path)) continue
      found.set(end, (found.get(end) ?? new Set()).add(toText(path)))
    }
    const folder = path.slice(0, Math.max(0, slash))
    if (folder === '' || folders.has(folder)) return
    folders.add(folder)
    look(folder)
  }
  for (const path of names) look(path)
  return new Map([...found].map(([end, paths]) => [toText(end), [...paths]]))
}

function isSearched(path: RawPath): boolean {
  return !path.split('/').some((name) => NOT_SEARCHED.has(name))
}
