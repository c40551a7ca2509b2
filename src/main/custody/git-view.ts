import { basename, dirname, join } from 'node:path'
import { listingOf, namesLost } from '../../core/custody/git-view.ts'
import { onlyIn, readWithinSync, replaceBeneath } from '../files/beneath.ts'
import { type BigIntStats, lstatSync } from '../files/names.ts'
import { sha256 } from '../files/sha256.ts'
import { lstatAt } from '../files/stats-at.ts'
import type { ContentStore } from './content-store.ts'
import {
  gitIndexOf,
  gitIndexWith,
  parseGitIndex,
  shownBlobs,
  shownNames,
  type WrittenFile,
} from './git-index-file.ts'
import { type GuardedFile, isSettled, stateOf } from './scan.ts'

/** A larger index is not read; it would have a million files. */
const MAX_INDEX_BYTES = 128n * 1024n * 1024n
const INDEX_MODE = 0o644

/** An index file and its tree. */
export interface IndexPlace {
  /** The top of the tree that the index belongs to. */
  readonly top: string
  readonly index: string
}

/** Returns the names that git examines, as a guarded file whose content is their listing. `null` if there is no index. Never rejects. */
export async function lookAtIndex(
  { index: path }: IndexPlace,
  known: GuardedFile | undefined,
  store: ContentStore,
): Promise<GuardedFile | null> {
  const stats = indexStats(path)
  if (stats === null) return null
  if (known !== undefined && known.state === stateOf(stats)) return known
  const index = stats.size > MAX_INDEX_BYTES ? null : readIndex(path)
  // An index that cannot be read counts as showing nothing.
  const listing = Buffer.from(index === null ? '' : listingOf(shownNames(index)))
  const content = (await store.keep(listing)) ?? sha256(listing)
  return { content, state: isSettled(stats) ? stateOf(stats) : 'unsettled' }
}

/** Returns files that still exist, or can't be looked at, and that git showed in the baseline's listing but doesn't show now. */
export function hiddenFromGit(top: string, base: string | null, now: string | null): readonly string[] {
  return namesLost(base, now).filter((name) => {
    const stats = lstatAt(join(top, name))
    return stats === 'unknown' || stats?.isFile() === true || stats?.isSymbolicLink() === true
  })
}

/** Returns what git shows, with the recorded content; empty if the index cannot be read. */
export function blobsShown({ index }: IndexPlace): ReturnType<typeof shownBlobs> {
  const read = readIndex(index)
  return read === null ? new Map() : shownBlobs(read)
}

/** Returns the bytes of an index that also shows these names; `written`: files that will be written with it. */
export function indexShowing(
  { top, index }: IndexPlace,
  names: readonly string[],
  written?: ReadonlyMap<string, WrittenFile>,
): Buffer {
  return gitIndexWith(readIndex(index), top, names, written)
}

/** Writes the index so that git shows these names again. Rejects if it cannot be written. */
export async function showAgain(place: IndexPlace, names: readonly string[]): Promise<void> {
  await writeIndex(place.index, indexShowing(place, names))
}

/** Undoes that: makes git show only these names. Rejects if the index cannot be written. */
export async function showOnly({ index: path }: IndexPlace, names: readonly string[]): Promise<void> {
  const index = readIndex(path)
  if (index !== null) await writeIndex(path, gitIndexOf(index, new Set(names)))
}

/** Replaces a link at the path instead of writing through it. */
function writeIndex(path: string, bytes: Buffer): Promise<void> {
  return replaceBeneath(onlyIn(dirname(path)), basename(path), bytes, { mode: INDEX_MODE, last: 'keep' })
}

function indexStats(path: string): BigIntStats | null {
  try {
    const stats = lstatSync(path, { bigint: true })
    return stats.isFile() ? stats : null
  } catch {
    return null
  }
}

function readIndex(path: string): ReturnType<typeof parseGitIndex> {
  try {
    const bytes = readWithinSync(dirname(path), path, Number(MAX_INDEX_BYTES))
    return bytes === null ? null : parseGitIndex(bytes)
  } catch {
    return null
  }
}
