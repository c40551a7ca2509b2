import { createHash } from 'node:crypto'
import type { HashAlgorithm } from './content.ts'
import type { RawPath } from './raw-path.ts'

/** A file as a tree object lists it: its mode, such as `100644`, and the name of its blob. */
export interface TreeEntry {
  readonly mode: string
  readonly id: string
}

interface Folder {
  readonly files: Map<RawPath, TreeEntry>
  readonly folders: Map<RawPath, Folder>
  /** Its name, once asked for. */
  id: string | null
}

/** By the entries that they were made of: those of an index are the same object as long as nothing is staged. */
const known = new WeakMap<ReadonlyMap<RawPath, TreeEntry>, Folder>()

/**
 * Returns the name of git's tree object for these files with some changes (`null`: deleted), which is what `git write-tree` would print.
 * Folders without changes are hashed once. Throws if a path is both a file and a folder.
 */
export function treeName(
  entries: ReadonlyMap<RawPath, TreeEntry>,
  changes: ReadonlyMap<RawPath, TreeEntry | null>,
  algorithm: HashAlgorithm,
): string {
  const root = known.get(entries) ?? folderOf(entries)
  known.set(entries, root)
  return changedName(root, [...changes], algorithm) ?? nameOf([], algorithm)
}

function folderOf(entries: ReadonlyMap<RawPath, TreeEntry>): Folder {
  const root = emptyFolder()
  let last = { path: '', folder: root }
  for (const [path, entry] of entries) {
    const end = path.lastIndexOf('/')
    const at = path.slice(0, Math.max(end, 0))
    if (at !== last.path) last = { path: at, folder: within(root, at) }
    last.folder.files.set(path.slice(end + 1), entry)
  }
  return root
}

function within(root: Folder, path: RawPath): Folder {
  let folder = root
  for (const name of path === '' ? [] : path.split('/')) {
    const inner = folder.folders.get(name) ?? emptyFolder()
    folder.folders.set(name, inner)
    folder = inner
  }
  return folder
}

function emptyFolder(): Folder {
  return { files: new Map(), folders: new Map(), id: null }
}

type Changes = readonly (readonly [RawPath, TreeEntry | null])[]

/** Returns a folder's name after these changes, by their paths in it; `null` if it is empty then, and so not listed. */
function changedName(folder: Folder, changes: Changes, algorithm: HashAlgorithm): string | null {
  if (changes.length === 0 && folder.id !== null) return folder.id
  const files = new Map<RawPath, TreeEntry | null>(folder.files)
  const deeper = new Map<RawPath, (readonly [RawPath, TreeEntry | null])[]>()
  for (const [path, entry] of changes) {
    const end = path.indexOf('/')
    if (end < 0) files.set(path, entry)
    else {
      const name = path.slice(0, end)
      deeper.set(name, [...(deeper.get(name) ?? []), [path.slice(end + 1), entry]])
    }
  }
  const listed: [RawPath, TreeEntry][] = [...files].flatMap(([name, entry]) =>
    entry === null ? [] : [[name, entry]],
  )
  for (const name of new Set([...folder.folders.keys(), ...deeper.keys()])) {
    const id = changedName(folder.folders.get(name) ?? emptyFolder(), deeper.get(name) ?? [], algorithm)
    if (id === null) continue
    if (files.get(name) != null) throw new Error(`${JSON.stringify(name)} is both a file and a folder`)
    listed.push([name, { mode: FOLDER, id }])
  }
  const id = listed.length === 0 ? null : nameOf(listed, algorithm)
  if (changes.length === 0) folder.id = id
  return id
}

const FOLDER = '40000'

/** Entries are ordered by their bytes, folders as if their names ended in a slash. */
function nameOf(entries: readonly (readonly [RawPath, TreeEntry])[], algorithm: HashAlgorithm): string {
  const sorted = entries
    .map(([name, entry]) => ({ name, entry, key: entry.mode === FOLDER ? `${name}/` : name }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
  const bytes = Buffer.concat(
    sorted.flatMap(({ name, entry: { mode, id } }) => [
      Buffer.from(`${mode} ${name}\0`, 'latin1'),
      Buffer.from(id, 'hex'),
    ]),
  )
  return createHash(algorithm).update(`tree ${bytes.length}\0`).update(bytes).digest('hex')
}
