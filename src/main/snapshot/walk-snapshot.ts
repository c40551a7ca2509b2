import { readdirSync } from 'node:fs'
import type { FileDifference } from '../../core/verification/types.ts'
import { takeTurns } from '../process/take-turns.ts'
import { type Candidate, compareContents } from './compare.ts'
import { type Content, type ContentReader, UNREADABLE } from './content.ts'
import { compareInWalk, isWithin, placeOnDisk, type RawPath, toText } from './raw-path.ts'

/** The state of a plain folder: every file and symbolic link by content. */
export interface WalkSnapshot {
  readonly kind: 'walk'
  readonly directory: string
  readonly files: ReadonlyMap<RawPath, Content>
  /** Folders that could not be listed. */
  readonly unreadable: readonly RawPath[]
  /** Where the walk stopped, this path not looked at; `null` where it came to the end. */
  readonly cutAt: RawPath | null
  readonly incomplete: string | null
}

/** Git's own data, and what package managers unpack: neither is the agent's work, and both are large. */
export const SKIPPED_FOLDERS: readonly string[] = ['.git', 'node_modules']

/** How far a folder is listed: files and folders together, and real time. */
interface WalkLimits {
  readonly maxEntries: number
  readonly maxMs: number
}
const LIMITS: WalkLimits = { maxEntries: 200_000, maxMs: 20_000 }
const READS_AT_ONCE = 16

/** Walks `directory`. Never rejects: what could not be seen is said in `incomplete`. */
export async function takeWalk(
  directory: string,
  excluded: readonly RawPath[],
  reader: ContentReader,
  limits = LIMITS,
): Promise<WalkSnapshot> {
  const listing = await listFiles(directory, '', excluded, limits)
  const files = await readContents(listing.files, reader)
  return {
    kind: 'walk',
    directory,
    files,
    unreadable: listing.unreadable,
    cutAt: listing.cutAt,
    incomplete: inWords(listing),
  }
}

/** What changed between two walks. What one of them did not see is left out, and said. */
export async function differenceOfWalks(before: WalkSnapshot, after: WalkSnapshot): Promise<FileDifference> {
  const turns = takeTurns()
  const candidates: Candidate[] = []
  for (const path of pathsOf(before, after)) {
    if (turns.isOver()) await turns.next()
    const start = before.files.get(path) ?? null
    const end = after.files.get(path) ?? null
    // As nearly all are.
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
  for (const path of after.files.keys()) if (!before.files.has(path)) yield path
}

function isSeen(path: RawPath, { cutAt, unreadable }: WalkSnapshot): boolean {
  const isBeforeCut = cutAt === null || compareInWalk(path, cutAt) < 0
  return isBeforeCut && !unreadable.some((folder) => folder === '' || isWithin(path, folder))
}

export interface Listing {
  readonly files: readonly RawPath[]
  readonly unreadable: readonly RawPath[]
  readonly cutAt: RawPath | null
}

/** All files and links below `top`, depth first in the order of `compareInWalk`, up to a number and a time. */
export async function listFiles(
  directory: string,
  top: RawPath,
  excluded: readonly RawPath[],
  limits = LIMITS,
): Promise<Listing> {
  const files: RawPath[] = []
  const unreadable: RawPath[] = []
  const deadlineMs = performance.now() + limits.maxMs
  const turns = takeTurns()
  const pending: { path: RawPath; isFolder: boolean }[] = [{ path: top, isFolder: true }]
  for (let seen = 0, next = pending.pop(); next !== undefined; next = pending.pop(), seen++) {
    if (seen > limits.maxEntries || performance.now() > deadlineMs)
      return { files, unreadable, cutAt: next.path }
    if (!next.isFolder) {
      files.push(next.path)
      continue
    }
    if (turns.isOver()) await turns.next()
    const entries = listFolder(directory, next.path, excluded)
    if (entries === null) unreadable.push(next.path)
    else for (const entry of entries.reverse()) pending.push(entry)
  }
  return { files, unreadable, cutAt: null }
}

function listFolder(
  directory: string,
  folder: RawPath,
  excluded: readonly RawPath[],
): { path: RawPath; isFolder: boolean }[] | null {
  try {
    // One character per byte, as paths are here.
    const entries = readdirSync(placeOnDisk(directory, folder), { withFileTypes: true, encoding: 'latin1' })
    return entries
      .filter((entry) => entry.isDirectory() || entry.isFile() || entry.isSymbolicLink())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .filter(({ name, isFolder }) => !(isFolder && SKIPPED_FOLDERS.includes(name)))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, isFolder }) => ({ path: folder === '' ? name : `${folder}/${name}`, isFolder }))
      .filter(({ path }) => !excluded.some((one) => isWithin(path, one)))
  } catch (error) {
    // A folder that has gone since its name was read holds nothing.
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' && folder !== '' ? [] : null
  }
}

/** The contents at `paths`, in their order, less those where nothing stands any more. */
export async function readContents(
  paths: Iterable<RawPath>,
  reader: ContentReader,
): Promise<Map<RawPath, Content>> {
  const contents = new Map<RawPath, Content | null>()
  for (const path of paths) contents.set(path, null)
  const waiting = contents.keys()
  const turns = takeTurns()
  let pause: Promise<void> | null = null
  // Workers on one queue, for what is long to read; the first of them goes through all that is not.
  const work = async (): Promise<void> => {
    for (const path of waiting) {
      if (pause === null && turns.isOver())
        pause = turns.next().then(() => {
          pause = null
        })
      if (pause !== null) await pause
      const content = reader.read(path)
      contents.set(path, content instanceof Promise ? await content : content)
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work))
  for (const [path, content] of contents) if (content === null) contents.delete(path)
  // Safe: what was null is out.
  return contents as Map<RawPath, Content>
}

function inWords({ files, unreadable, cutAt }: Listing): string | null {
  if (cutAt !== null) return `the folder is too large: only its first ${files.length} files were looked at`
  return unreadable.includes('') ? 'the folder could not be listed' : null
}
