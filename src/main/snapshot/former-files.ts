import { changedPaths } from '../../core/verification/difference.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import type { CommittedFile, UnsavedFile } from '../ports/attempt-undo.ts'
import { runGit } from './git-command.ts'
import type { IndexEntry } from './git-index.ts'
import { SUBMODULE } from './git-index.ts'
import type { GitSnapshot } from './git-snapshot.ts'
import { fromText, toText } from './raw-path.ts'
import type { WalkSnapshot } from './walk-snapshot.ts'

/** So many committed files of one attempt are read for keeping. */
const MAX_FILES = 5000
const MAX_FILE_BYTES = 16 * 1024 * 1024
const MAX_BYTES = 128 * 1024 * 1024

/** The files that nothing but the folder holds: what is not committed, or everything where there is no repository. */
export function unsavedFiles(snapshot: GitSnapshot | WalkSnapshot): readonly UnsavedFile[] {
  const contents =
    snapshot.kind === 'walk'
      ? [...snapshot.files]
      : [...snapshot.dirty].map(([path, { content }]) => [path, content] as const)
  return contents.map(([path, state]) => ({ path: toText(path), state }))
}

/**
 * What of a difference the repository held at the moment of `snapshot`, as it stood on disk. Files that a filter makes (as Git LFS
 * does) are left out: what is committed is another thing. Never rejects.
 */
export async function committedFiles(
  snapshot: GitSnapshot | WalkSnapshot,
  difference: FileDifference,
): Promise<ReadonlyMap<string, CommittedFile>> {
  if (snapshot.kind === 'walk') return new Map()
  const changed = new Set([...changedPaths(difference), ...(difference.otherwiseChanged ?? [])])
  const asked = [...changed].flatMap((path) => {
    const raw = fromText(path)
    const entry = snapshot.dirty.has(raw) ? undefined : snapshot.index.entries.get(raw)
    return entry === undefined || entry.mode === SUBMODULE ? [] : [{ path, entry }]
  })
  if (asked.length === 0) return new Map()
  const filtered = await filteredPaths(
    snapshot.directory,
    asked.map(({ path }) => path),
  )
  return readBlobs(snapshot.directory, asked.filter(({ path }) => !filtered.has(path)).slice(0, MAX_FILES))
}

async function readBlobs(
  directory: string,
  asked: readonly { readonly path: string; readonly entry: IndexEntry }[],
): Promise<ReadonlyMap<string, CommittedFile>> {
  const sizes = await runGit(directory, ['cat-file', '--batch-check'], {
    input: lines(asked.map(({ entry }) => entry.id)),
  })
  let left = MAX_BYTES
  const small = sizes.stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line, index) => {
      const size = Number(/ blob (\d+)$/.exec(line)?.[1] ?? Number.NaN)
      const one = asked[index]
      if (one === undefined || Number.isNaN(size) || size > MAX_FILE_BYTES || size > left) return []
      left -= size
      return [{ ...one, size }]
    })
  const blobs = await runGit(directory, ['cat-file', '--batch'], {
    input: lines(small.map(({ entry }) => entry.id)),
  })
  const found = new Map<string, CommittedFile>()
  let at = 0
  for (const { path, entry, size } of small) {
    const start = blobs.stdout.indexOf(0x0a, at) + 1
    if (start === 0 || start + size > blobs.stdout.length) break
    found.set(path, { bytes: Buffer.from(blobs.stdout.subarray(start, start + size)), kind: kindOf(entry) })
    at = start + size + 1
  }
  return found
}

function kindOf({ mode }: IndexEntry): CommittedFile['kind'] {
  return mode === '120000' ? 'link' : mode === '100755' ? 'program' : 'file'
}

/** Paths that git's attributes give a filter. Where git does not answer, all of them: nothing is put back on a guess. */
async function filteredPaths(directory: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const answer = await runGit(directory, ['check-attr', '-z', '--stdin', 'filter'], {
    input: Buffer.from(paths.map((path) => `${path}\0`).join('')),
  })
  if (!answer.ok) return new Set(paths)
  const fields = answer.stdout.toString('utf8').split('\0')
  const filtered = new Set<string>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , value = ''] = fields.slice(at, at + 3)
    if (value !== 'unspecified' && value !== 'unset' && value !== '') filtered.add(path)
  }
  return filtered
}

function lines(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\n`).join(''))
}
