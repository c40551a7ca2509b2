import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { readWithinSync } from '../files/beneath.ts'
import { entriesOf } from '../files/names.ts'
import { isFileAt, lstatAt } from '../files/stats-at.ts'
import { createPause } from './turns.ts'

/** A file as git's index knew it. */
export interface KnownBlob {
  readonly id: string
  /** In bytes; 0 if git did not record it. */
  readonly size: number
}

const MAX_ENTRIES = 200_000
const MAX_HASHED_BYTES = 16 * 1024 * 1024

/** Returns the names whose file does not exist. Never throws. */
export function namesGone(top: string, names: Iterable<string>): readonly string[] {
  return [...names].filter((name) => lstatAt(join(top, name)) === undefined)
}

/**
 * Finds where files are now that git showed under these names and that an agent moved to where git does not look: an ignored or
 * untracked folder, or a nested repository. Matches by content, or by name if the file was rewritten. `isAgents`: whether a
 * change at that time (epoch ms) happened while an agent ran. Paths are relative to `top`. Never rejects.
 */
export async function findMovedAway(
  top: string,
  gone: ReadonlyMap<string, KnownBlob | null>,
  shown: ReadonlySet<string>,
  isAgents: (changedMs: number) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const byName = new Map<string, string[]>()
  for (const name of gone.keys()) byName.set(basename(name), [...(byName.get(basename(name)) ?? []), name])
  const byId = new Map([...gone].flatMap(([name, blob]) => (blob === null ? [] : [[blob.id, name] as const])))
  const sizes = new Set([...gone.values()].flatMap((blob) => (blob === null ? [] : [blob.size])))
  const found = new Map<string, string>()
  const look = (path: string, isBelowAgents: boolean): void => {
    const stats = lstatAt(join(top, path))
    if (!isFileAt(stats) || !(isBelowAgents || isAgents(stats.ctimeMs))) return
    const isSameSize = sizes.has(stats.size) || sizes.has(0)
    const same =
      isSameSize && stats.size <= MAX_HASHED_BYTES ? byId.get(blobId(top, join(top, path), byId)) : undefined
    for (const name of same === undefined ? (byName.get(basename(path)) ?? []) : [same])
      if (!found.has(name) || same !== undefined) found.set(name, path)
  }
  const pause = createPause()
  const waiting: { folder: string; isAgents: boolean }[] = [{ folder: '', isAgents: false }]
  for (let seen = 0, next = waiting.pop(); next !== undefined && seen < MAX_ENTRIES; next = waiting.pop()) {
    await pause()
    for (const entry of entriesOf(join(top, next.folder))) {
      seen += 1
      const path = next.folder === '' ? entry.name : `${next.folder}/${entry.name}`
      if (entry.isDirectory() && entry.name !== '.git') {
        const stats = lstatAt(join(top, path))
        // In a folder that was moved, the files keep their times.
        waiting.push({
          folder: path,
          isAgents: next.isAgents || (typeof stats === 'object' && isAgents(stats.ctimeMs)),
        })
      } else if (entry.isFile() && !shown.has(path)) look(path, next.isAgents)
    }
  }
  return found
}

function blobId(top: string, file: string, known: ReadonlyMap<string, string>): string {
  try {
    const content = readWithinSync(top, file, MAX_HASHED_BYTES)
    if (content === null) return ''
    // A repository with the longer ids uses them for every object.
    const [first = ''] = known.keys()
    return createHash(first.length > 40 ? 'sha256' : 'sha1')
      .update(`blob ${content.length}\0`)
      .update(content)
      .digest('hex')
  } catch {
    return ''
  }
}
