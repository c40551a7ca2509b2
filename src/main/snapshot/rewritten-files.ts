import { changedPaths } from '../../core/verification/difference.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import { lstat } from '../files/names.ts'
import type { GitSnapshot } from './git-snapshot.ts'
import { onDisk, type RawPath, toText } from './raw-path.ts'

/** The index stores sizes modulo this number. */
const SIZES = 2 ** 32

/**
 * Returns files that were rewritten since `before` in a form that git stores alike: with other line endings, or in another encoding. Git
 * finds them clean because the stored form is the same, but it records the size of the file it saw, which differs. They are not found if
 * git recorded no size, or a flag prevents it from looking.
 */
export async function findRewritten(before: GitSnapshot, after: GitSnapshot): Promise<readonly RawPath[]> {
  const asked = [...mayBeRewritten(before, after)].flatMap((path) => {
    const entry = before.index.entries.get(path)
    if (entry === undefined || before.dirty.has(path)) return []
    const isTold = entry.size > 0 && !entry.isFlagged && entry.mode.startsWith('100')
    return isTold ? [[path, entry] as const] : []
  })
  const sizes = await Promise.all(asked.map(([path]) => sizeOnDisk(after.directory, path)))
  return asked.flatMap(([path, { size }], at) => {
    const now = sizes[at] ?? null
    return now === null || now % SIZES === size ? [] : [path]
  })
}

/** Yields paths that git says changed or that it reread; nothing if its index is the same. */
function* mayBeRewritten(before: GitSnapshot, after: GitSnapshot): Iterable<RawPath> {
  yield* after.dirty.keys()
  if (before.index === after.index) return
  for (const [path, { size }] of before.index.entries)
    if (!after.dirty.has(path) && after.index.entries.get(path)?.size !== size) yield path
}

/** Returns a file's size; `null` for anything else. */
async function sizeOnDisk(directory: string, path: RawPath): Promise<number | null> {
  return lstat(onDisk(directory, path)).then(
    (stats) => (stats.isFile() ? stats.size : null),
    () => null,
  )
}

/** Returns the difference with those files added as modified. */
export function withRewritten(difference: FileDifference, rewritten: readonly RawPath[]): FileDifference {
  const named = new Set(changedPaths(difference))
  const others = rewritten.map(toText).filter((path) => !named.has(path))
  if (others.length === 0) return difference
  const modified = new Set(others)
  return {
    ...difference,
    modified: [...difference.modified, ...others].sort(),
    ...(difference.otherwiseChanged !== undefined && {
      otherwiseChanged: difference.otherwiseChanged.filter((path) => !modified.has(path)),
    }),
  }
}
