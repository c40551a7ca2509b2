import { changedPaths } from '../../core/verification/difference.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import type { CommittedFile, UnsavedFile } from '../ports/attempt-undo.ts'
import { blobSizes, readBlobs } from './git-blobs.ts'
import { runGit } from './git-command.ts'
import type { IndexEntry } from './git-index.ts'
import { SUBMODULE } from './git-index.ts'
import type { GitSnapshot } from './git-snapshot.ts'
import { fromText, toText } from './raw-path.ts'
import type { WalkSnapshot } from './walk-snapshot.ts'

/** At most this many committed files of one attempt are read for keeping. */
const MAX_FILES = 5000
const MAX_FILE_BYTES = 16 * 1024 * 1024
const MAX_BYTES = 128 * 1024 * 1024

/** Returns the files that only the folder has: uncommitted ones, or all of them without a repository. */
export function unsavedFiles(snapshot: GitSnapshot | WalkSnapshot): readonly UnsavedFile[] {
  const contents =
    snapshot.kind === 'walk'
      ? [...snapshot.files]
      : [...snapshot.dirty].map(([path, { content }]) => [path, content] as const)
  return contents.map(([path, state]) => ({ path: toText(path), state }))
}

/**
 * Returns the files of a difference that the repository had at the time of `snapshot`, as they were on disk. Omits files produced by a
 * filter (like Git LFS), because their committed form differs. Never rejects.
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
  return readCommitted(
    snapshot.directory,
    asked.filter(({ path }) => !filtered.has(path)).slice(0, MAX_FILES),
  )
}

async function readCommitted(
  directory: string,
  asked: readonly { readonly path: string; readonly entry: IndexEntry }[],
): Promise<ReadonlyMap<string, CommittedFile>> {
  const sizes = await blobSizes(
    directory,
    asked.map(({ entry }) => entry.id),
  )
  let left = MAX_BYTES
  const small = asked.flatMap((one, index) => {
    const size = sizes?.[index] ?? null
    if (size === null || size > MAX_FILE_BYTES || size > left) return []
    left -= size
    return [{ ...one, name: one.entry.id, size }]
  })
  const found = new Map<string, CommittedFile>()
  const waiting = small.values()
  for await (const bytes of readBlobs(directory, small)) {
    const { value } = waiting.next()
    if (value !== undefined)
      found.set(value.path, { bytes: asOnDisk(Buffer.from(bytes), value.entry), kind: kindOf(value.entry) })
  }
  return found
}

/** Converts line endings if git had checked the file out that way, which its size shows. */
function asOnDisk(bytes: Buffer, { size }: IndexEntry): Buffer {
  if (size <= bytes.length) return bytes
  const converted = Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')
  return converted.length === size ? converted : bytes
}

function kindOf({ mode }: IndexEntry): CommittedFile['kind'] {
  return mode === '120000' ? 'link' : mode === '100755' ? 'program' : 'file'
}

/** Returns paths with a filter in git's attributes; all of them if git does not answer, so that nothing is restored based on a guess. */
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
