import type { FileDifference } from '../../core/verification/types.ts'
import { createYielder } from '../process/yield-to-loop.ts'
import { bytesOf, type Content, mayDiffer, UNREADABLE } from './content.ts'
import { type RawPath, toText } from './raw-path.ts'

/** A path that may have changed, with its content before and after; `null` for nothing. */
export interface Candidate {
  readonly path: RawPath
  readonly start: Content | null
  readonly end: Content | null
}

/**
 * Returns the lists of a difference, each in order. A file deleted here and added there with the same bytes was renamed; a file
 * whose executable bit alone changed was not modified. For a file that could not be read on one side, or is too large, a change
 * may be unknown.
 */
export async function compareContents(
  candidates: Iterable<Candidate>,
): Promise<
  Pick<
    FileDifference,
    'added' | 'modified' | 'deleted' | 'renamed' | 'otherwiseChanged' | 'executable' | 'unsure'
  >
> {
  const yielder = createYielder()
  const added: Candidate[] = []
  const modified: RawPath[] = []
  const executable: RawPath[] = []
  const unsure: RawPath[] = []
  const deleted: Candidate[] = []
  for (const candidate of candidates) {
    if (yielder.isDue()) await yielder.yield()
    const { start, end } = candidate
    if (start === end && start !== UNREADABLE) continue
    if (start === null) added.push(candidate)
    else if (end === null) deleted.push(candidate)
    else if (mayDiffer(start, end)) unsure.push(candidate.path)
    else (bytesOf(start) === bytesOf(end) ? executable : modified).push(candidate.path)
  }
  const renamed = await pairRenames(deleted, added)
  const gone = new Set(renamed.map(({ from }) => from))
  const come = new Set(renamed.map(({ to }) => to))
  return {
    added: inOrder(added.map(({ path }) => path).filter((path) => !come.has(path))),
    modified: inOrder(modified),
    deleted: inOrder(deleted.map(({ path }) => path).filter((path) => !gone.has(path))),
    renamed: renamed
      .map(({ from, to }) => ({ from: toText(from), to: toText(to) }))
      .sort((a, b) => (a.to < b.to ? -1 : 1)),
    ...(unsure.length > 0 && { unsure: inOrder(unsure) }),
    ...(executable.length > 0 && {
      otherwiseChanged: inOrder(executable),
      executable: inOrder(executable),
    }),
  }
}

interface Rename {
  readonly from: RawPath
  readonly to: RawPath
}

async function pairRenames(deleted: readonly Candidate[], added: readonly Candidate[]): Promise<Rename[]> {
  if (deleted.length === 0 || added.length === 0) return []
  const yielder = createYielder()
  // Visits each path once, even if an agent leaves forty thousand equal files.
  const byBytes = new Map<Content, RawPath[]>()
  const byName = new Map<string, RawPath[]>()
  for (const { path, end } of added) {
    if (yielder.isDue()) await yielder.yield()
    const bytes = bytesOf(end ?? '')
    if (bytes === UNREADABLE) continue
    append(byBytes, bytes, path)
    append(byName, `${bytes}\0${nameOf(path)}`, path)
  }
  for (const places of [...byBytes.values(), ...byName.values()]) places.reverse()
  const taken = new Set<RawPath>()
  const take = (places: RawPath[] | undefined): RawPath | undefined => {
    let path = places?.pop()
    while (path !== undefined && taken.has(path)) path = places?.pop()
    if (path !== undefined) taken.add(path)
    return path
  }
  // Of several copies, the one that kept its name was moved; only then any other.
  const named = new Map<RawPath, RawPath | undefined>()
  for (const { path, start } of deleted) {
    if (yielder.isDue()) await yielder.yield()
    named.set(path, take(byName.get(`${bytesOf(start ?? '')}\0${nameOf(path)}`)))
  }
  const renames: Rename[] = []
  for (const { path: from, start } of deleted) {
    if (yielder.isDue()) await yielder.yield()
    const to = named.get(from) ?? take(byBytes.get(bytesOf(start ?? '')))
    if (to !== undefined) renames.push({ from, to })
  }
  return renames
}

function append<K>(lists: Map<K, RawPath[]>, key: K, path: RawPath): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [path])
  else list.push(path)
}

function nameOf(path: RawPath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function inOrder(paths: readonly RawPath[]): string[] {
  return paths.map(toText).sort()
}
