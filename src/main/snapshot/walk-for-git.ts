import { createHash } from 'node:crypto'
import { onlyIn, readBeneath } from '../files/beneath.ts'
import { isPointerTo } from '../files/lfs-pointer.ts'
import { lstat } from '../files/names.ts'
import type { Candidate } from './compare.ts'
import { type Content, createContentReader, fileContent } from './content.ts'
import { runGit } from './git-command.ts'
import { SUBMODULE } from './git-index.ts'
import { committedContent, type GitSnapshot } from './git-snapshot.ts'
import { fromText, isWithin, onDisk, type RawPath, toText, withoutPrefix } from './raw-path.ts'
import { withScratchRepository } from './scratch-repository.ts'
import { listFiles, readContents } from './walk-snapshot.ts'

/*
 * Computes the difference from a snapshot that was taken through git, without using its repository again: it may be gone, broken,
 * or made to hide something. The snapshot has the tracked files, and the ignore rules of that time.
 */

export interface WalkForGit {
  readonly candidates: readonly Candidate[]
  readonly incomplete: string | null
}

/** A file changed no later than this before the snapshot is the one that the snapshot saw; file systems store times in steps. */
export const TIMES_SETTLE_MS = 2500
const LOOKS_AT_ONCE = 16

/** Returns everything that may differ from `before`. Never rejects. */
export async function walkForGit(before: GitSnapshot, excluded: readonly RawPath[]): Promise<WalkForGit> {
  const { directory } = before
  const { paths: listed, incomplete } = await listVisible(before, excluded)
  const known = new Set([...before.index.entries.keys(), ...before.dirty.keys()])
  const paths = [...new Set([...listed, ...known])].filter(
    (path) => !excluded.some((one) => isWithin(path, one)),
  )
  const touched = await findTouched(directory, paths, before.takenAtMs - TIMES_SETTLE_MS)
  const reader = createContentReader(directory, before.place.algorithm, before.known)
  const ends = await readContents(touched, reader)
  const candidates: Candidate[] = []
  for (const path of touched) {
    const start = contentBefore(before, path)
    const end = ends.get(path) ?? null
    // A submodule is a folder to the file system.
    if (start === end || start?.startsWith('commit:')) continue
    if (!(await isConverted(before, path, start, end))) candidates.push({ path, start, end })
  }
  return { candidates, incomplete }
}

/** Returns the content at a path when the snapshot was taken; null for nothing, or for an ignored path. */
export function contentBefore(before: GitSnapshot, path: RawPath): Content | null {
  const dirty = before.dirty.get(path)
  return dirty === undefined ? committedContent(before.index.entries.get(path) ?? null) : dirty.content
}

/** Lists all files that are not ignored, by the work tree's current rules and the other rules of that time. */
async function listVisible(
  before: GitSnapshot,
  excluded: readonly RawPath[],
): Promise<{ readonly paths: readonly RawPath[]; readonly incomplete: string | null }> {
  const { directory, place, repository } = before
  const top = directory.slice(0, place.prefix === '' ? undefined : -(toText(place.prefix).length + 1))
  const output = await withScratchRepository(top, repository.excludes, ({ run, excludeFile }) =>
    run(directory, [
      ...['ls-files', '--others', '-z', '--full-name', '--exclude-per-directory=.gitignore'],
      ...[`--exclude-from=${excludeFile}`, '--', '.'],
    ]),
  )
  if (!output.ok) {
    const listing = await listFiles(directory, '', excluded)
    return { paths: listing.files, incomplete: `git could not list the files: ${output.error}` }
  }
  const paths: RawPath[] = []
  for (const name of output.stdout.toString('latin1').split('\0').filter(Boolean)) {
    const path = withoutPrefix(name, place.prefix)
    if (!path.endsWith('/')) paths.push(path)
    // A folder with a nested repository, which git does not read.
    else if (!isSubmodule(before, path.slice(0, -1)))
      paths.push(...(await listFiles(directory, path.slice(0, -1), excluded)).files)
  }
  return { paths, incomplete: null }
}

function isSubmodule({ index }: GitSnapshot, path: RawPath): boolean {
  return index.entries.get(path)?.mode === SUBMODULE
}

/** Returns the paths that are gone, or were changed, created or moved here since `sinceMs`: no program can set that time of a file. */
async function findTouched(
  directory: string,
  paths: readonly RawPath[],
  sinceMs: number,
): Promise<readonly RawPath[]> {
  const isTouched = new Map<RawPath, boolean>()
  const waiting = paths.values()
  const work = async (): Promise<void> => {
    for (const path of waiting) {
      const changedMs = await lstat(onDisk(directory, path)).then(
        ({ ctimeMs }) => ctimeMs,
        () => Number.POSITIVE_INFINITY,
      )
      isTouched.set(path, changedMs >= sinceMs)
    }
  }
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, work))
  return paths.filter((path) => isTouched.get(path))
}

/** For a larger file, the committed form is not checked. */
const MAX_CONVERTED_BYTES = 8 * 1024 * 1024

/**
 * True if two contents are the committed and the checked-out form of one text: line endings, or a Git LFS pointer and its target.
 * Runs no filter to find out.
 */
export async function isConverted(
  { directory, place }: Pick<GitSnapshot, 'directory' | 'place'>,
  path: RawPath,
  start: Content | null,
  end: Content | null,
): Promise<boolean> {
  const id = /^file:([0-9a-f]+)/.exec(start ?? '')?.[1]
  if (id === undefined || !end?.startsWith('file:')) return false
  const bytes = await readBytes(directory, path)
  if (bytes === null) return false
  const text = bytes.toString('latin1')
  if (
    text.includes('\r\n') &&
    blobId(Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1'), place.algorithm) === id
  )
    return true
  const blob = await runGit(directory, ['cat-file', 'blob', id])
  return isPointerTo(bytes, blob.stdout)
}

function blobId(bytes: Buffer, algorithm: string): string {
  const content = fileContent(
    createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex'),
    false,
  )
  return content.slice('file:'.length)
}

async function readBytes(directory: string, path: RawPath): Promise<Buffer | null> {
  const options = { last: 'keep', isRaw: true } as const
  const reading = await readBeneath(onlyIn(directory), path, MAX_CONVERTED_BYTES, options)
  return reading.ok ? reading.bytes : null
}

/** Converts the paths of a difference, which are texts. */
export function rawPaths(paths: readonly string[]): ReadonlySet<RawPath> {
  return new Set(paths.map(fromText))
}
