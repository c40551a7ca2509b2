import type { FileDifference } from '../../core/verification/types.ts'
import { type Dirent, readdirSync } from '../files/names.ts'
import { sequentialLookup } from '../process/sequential-lookup.ts'
import { createYielder } from '../process/yield-to-loop.ts'
import { type Candidate, compareContents } from './compare.ts'
import { type Content, type ContentReader, createContentReader, UNREADABLE } from './content.ts'
import {
  askForHelp,
  type FileStates,
  findTouched,
  type Help,
  noStates,
  statesFor,
  withStates,
} from './file-states.ts'
import { isSameStamp, keepsTimes, type Stamp, stampAt, steadyStamp } from './kept-folders.ts'
import { compareInWalk, isWithin, placeOnDisk, type RawPath, toText } from './raw-path.ts'

/** The state of a plain folder: every file and symbolic link by content. */
export interface WalkSnapshot extends WalkedFiles {
  readonly kind: 'walk'
  readonly directory: string
  readonly excluded: readonly RawPath[]
  readonly folders: Listing['folders']
  /** Folders that could not be listed. */
  readonly unreadable: readonly RawPath[]
  /** Where the walk stopped, before this path; `null` if it was complete. */
  readonly cutAt: RawPath | null
  readonly incomplete: string | null
}

interface WalkedFiles {
  /** The states of all listed files, when they were read. */
  readonly states: FileStates
  /** The files that were still there. The same object as the previous walk's if everything is unchanged. */
  readonly files: ReadonlyMap<RawPath, Content>
}

/** Git's own data, and what package managers unpack: neither is the agent's work, and both are large. */
export const SKIPPED_FOLDERS: readonly string[] = ['.git', 'node_modules']

/** Limits of a listing: number of files and folders together, and real time. */
interface WalkLimits {
  readonly maxEntries: number
  readonly maxMs: number
}
const LIMITS: WalkLimits = { maxEntries: 200_000, maxMs: 20_000 }
const READS_AT_ONCE = 16

/** Walks `directory`, reusing what is unchanged since the walk `before`. Never rejects: `incomplete` says what could not be read. */
export async function takeWalk(
  directory: string,
  excluded: readonly RawPath[],
  before: WalkSnapshot | null,
  limits = LIMITS,
): Promise<WalkSnapshot> {
  // Started with the files of the previous walk, usually the same ones.
  const help = before === null ? null : askForHelp(directory, before.states)
  const isKnown = before !== null && before.excluded.join('\0') === excluded.join('\0')
  const device = keepsTimes(directory) ? (stampAt(directory)?.dev ?? null) : null
  const known = { folders: isKnown ? before.folders : NO_FOLDERS, device }
  const listing = await listFiles(directory, '', excluded, limits, known)
  return {
    kind: 'walk',
    directory,
    excluded,
    ...(await readFiles(directory, listing.files, before, help)),
    folders: listing.folders,
    unreadable: listing.unreadable,
    cutAt: listing.cutAt,
    incomplete: inWords(listing),
  }
}

async function readFiles(
  directory: string,
  paths: readonly RawPath[],
  before: WalkedFiles | null,
  help: Help | null,
): Promise<WalkedFiles> {
  const known = before === null ? noStates(paths) : statesFor(paths, before.states)
  const touched = before === null ? paths : await findTouched(directory, known, help)
  const reader = createContentReader(directory, 'sha256', new Map())
  const read = await readContents(touched, reader)
  const states = withStates(known, touched, reader.known())
  const isAsBefore = (path: RawPath): boolean =>
    read.get(path) === before?.files.get(path) && read.get(path) !== UNREADABLE
  if (known === before?.states && touched.every(isAsBefore)) return { states, files: before.files }
  // A copy keeps their order, and is fast.
  const files: Map<RawPath, Content | undefined> =
    known === before?.states && touched.every((path) => before.files.has(path))
      ? new Map(before.files)
      : new Map(paths.map((path) => [path, before?.files.get(path)]))
  for (const path of touched) files.set(path, read.get(path))
  for (const [path, content] of files) if (content === undefined) files.delete(path)
  // Safe: undefined values were removed.
  return { states, files: files as Map<RawPath, Content> }
}

/** Returns what changed between two walks. Omits and reports what one of them did not see. */
export async function differenceOfWalks(before: WalkSnapshot, after: WalkSnapshot): Promise<FileDifference> {
  const yielder = createYielder()
  const candidates: Candidate[] = []
  const [startOf, endOf] = [sequentialLookup(before.files), sequentialLookup(after.files)]
  for (const path of before.files === after.files ? [] : pathsOf(before, after)) {
    if (yielder.isDue()) await yielder.yield()
    const start = startOf(path) ?? null
    const end = endOf(path) ?? null
    // Nearly all paths are unchanged.
    if (start === end && start !== UNREADABLE) continue
    if (isSeen(path, before) && isSeen(path, after)) candidates.push({ path, start, end })
  }
  const lists = await compareContents(candidates)
  const folders = new Set([...before.unreadable, ...after.unreadable].filter((folder) => folder !== ''))
  const unsure = [...(lists.unsure ?? []), ...[...folders].map((folder) => `${toText(folder)}/`)]
  return {
    ...lists,
    ...(unsure.length > 0 && { unsure }),
    headMoved: null,
    incomplete: after.incomplete ?? before.incomplete,
  }
}

function* pathsOf(before: WalkSnapshot, after: WalkSnapshot): Generator<RawPath> {
  yield* before.files.keys()
  const startOf = sequentialLookup(before.files)
  for (const path of after.files.keys()) if (startOf(path) === undefined) yield path
}

function isSeen(path: RawPath, { cutAt, unreadable }: WalkSnapshot): boolean {
  const isBeforeCut = cutAt === null || compareInWalk(path, cutAt) < 0
  return isBeforeCut && !unreadable.some((folder) => folder === '' || isWithin(path, folder))
}

export interface Listing {
  readonly files: readonly RawPath[]
  readonly folders: ReadonlyMap<RawPath, ListedFolder>
  readonly unreadable: readonly RawPath[]
  readonly cutAt: RawPath | null
}

const NO_FOLDERS: Listing['folders'] = new Map()

/** What a walk knows before it begins. */
interface KnownListing {
  /** Folders listed with the same exclusions. */
  readonly folders: Listing['folders']
  /** The device if folder times are reliable there; else null. */
  readonly device: bigint | null
}

interface ListedFolder {
  /** From before it was listed; null if it says nothing. */
  readonly stamp: Stamp | null
  /** In the system's order; folders end in a slash. */
  readonly names: readonly string[]
  /** In reverse order, to pop from the end. */
  readonly entries: readonly Entry[]
}

interface Entry {
  readonly path: RawPath
  readonly isFolder: boolean
}

/**
 * Lists all files and links in `top`, depth first in the order of `compareInWalk`, up to a number and a time. Does not list
 * unchanged folders again, nor sort unchanged listings again.
 */
export async function listFiles(
  directory: string,
  top: RawPath,
  excluded: readonly RawPath[],
  limits = LIMITS,
  known: KnownListing = { folders: NO_FOLDERS, device: null },
): Promise<Listing> {
  const files: RawPath[] = []
  const folders = new Map<RawPath, ListedFolder>()
  const unreadable: RawPath[] = []
  const deadlineMs = performance.now() + limits.maxMs
  const yielder = createYielder()
  const pending: Entry[] = [{ path: top, isFolder: true }]
  for (let seen = 0, next = pending.pop(); next !== undefined; next = pending.pop(), seen++) {
    if (seen > limits.maxEntries || performance.now() > deadlineMs)
      return { files, folders, unreadable, cutAt: next.path }
    if (!next.isFolder) {
      files.push(next.path)
      continue
    }
    if (yielder.isDue()) await yielder.yield()
    const listed = listFolder(directory, next.path, excluded, known)
    if (listed === null) unreadable.push(next.path)
    else {
      folders.set(next.path, listed)
      for (const entry of listed.entries) pending.push(entry)
    }
  }
  return { files, folders, unreadable, cutAt: null }
}

function listFolder(
  directory: string,
  folder: RawPath,
  excluded: readonly RawPath[],
  { folders, device }: KnownListing,
): ListedFolder | null {
  const before = folders.get(folder)
  const place = placeOnDisk(directory, folder)
  const stamp = device === null ? null : steadyStamp(place, device)
  if (before !== undefined && stamp !== null && isSameStamp(stamp, before.stamp)) return before
  try {
    const names = namesIn(directory, folder)
    if (names.length === before?.names.length && names.every((name, at) => name === before.names[at]))
      return { ...before, stamp }
    return { stamp, names, entries: entriesOf(folder, names, excluded) }
  } catch (error) {
    // A folder that disappeared after its name was read is empty.
    const isGone = isMissing(error) && folder !== ''
    return isGone ? { stamp: null, names: [], entries: [] } : null
  }
}

/** Returns the names of files, links and folders (ending in a slash), one character per byte like all raw paths. */
function namesIn(directory: string, folder: RawPath): readonly string[] {
  const place = placeOnDisk(directory, folder)
  try {
    return namesOf(readdirSync(place, { withFileTypes: true, encoding: 'latin1' }))
  } catch (error) {
    // If the file system does not report an entry's type, Node.js looks it up by its decoded name, and fails if the bytes differ.
    if (stampAt(place)?.isDirectory() !== true) throw error
    return namesOf(
      readdirSync(place, { encoding: 'latin1' }).flatMap((name) => {
        const stats = stampAt(placeOnDisk(directory, folder === '' ? name : `${folder}/${name}`))
        return stats === null ? [] : [Object.assign(stats, { name })]
      }),
    )
  }
}

function namesOf(
  entries: readonly (Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'> & { readonly name: string })[],
): readonly string[] {
  const names: string[] = []
  for (const entry of entries)
    if (entry.isDirectory()) names.push(`${entry.name}/`)
    else if (entry.isFile() || entry.isSymbolicLink()) names.push(entry.name)
  return names
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function entriesOf(folder: RawPath, names: readonly string[], excluded: readonly RawPath[]): Entry[] {
  return names
    .map((name) =>
      name.endsWith('/') ? { name: name.slice(0, -1), isFolder: true } : { name, isFolder: false },
    )
    .filter(({ name, isFolder }) => !(isFolder && SKIPPED_FOLDERS.includes(name)))
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .map(({ name, isFolder }) => ({ path: folder === '' ? name : `${folder}/${name}`, isFolder }))
    .filter(({ path }) => !excluded.some((one) => isWithin(path, one)))
}

/** Returns the contents at `paths`, in order, without those that no longer exist. */
export async function readContents(
  paths: Iterable<RawPath>,
  reader: ContentReader,
): Promise<Map<RawPath, Content>> {
  const contents = new Map<RawPath, Content | null>()
  for (const path of paths) contents.set(path, null)
  const waiting = contents.keys()
  const yielder = createYielder()
  let pause: Promise<void> | null = null
  // Workers share one queue for large files; the first one handles all the small ones.
  const work = async (): Promise<void> => {
    for (const path of waiting) {
      if (pause === null && yielder.isDue())
        pause = yielder.yield().then(() => {
          pause = null
        })
      if (pause !== null) await pause
      const content = reader.read(path)
      contents.set(path, content instanceof Promise ? await content : content)
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work))
  for (const [path, content] of contents) if (content === null) contents.delete(path)
  // Safe: null values were removed.
  return contents as Map<RawPath, Content>
}

function inWords({ files, unreadable, cutAt }: Listing): string | null {
  if (cutAt !== null) return `the folder is too large: only its first ${files.length} files were read`
  return unreadable.includes('') ? 'the folder could not be listed' : null
}
