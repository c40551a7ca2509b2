import { join } from 'node:path'
import { readdirSync, statSync } from '../files/names.ts'
import { commonDirectory } from './git-folder.ts'
import type { GitSnapshot } from './git-snapshot.ts'

/** Names told of; a fetch may bring thousands. */
const MAX_NAMES = 50
/** Remote names looked at. */
const MAX_LOOKED_AT = 5000

/**
 * Full names (`refs/tags/v1`) that were made, moved or taken away, and `HEAD` where another branch is checked out: all that work such as a
 * push or a tag leaves behind. Those of remotes are known by the times of their files, which the system sets: a snapshot does not list them.
 */
export function movedNames(before: GitSnapshot, after: GitSnapshot): readonly string[] {
  const all = new Set([...before.branches.keys(), ...after.branches.keys()])
  const own = [...all].filter((name) => before.branches.get(name) !== after.branches.get(name))
  const { gitDirectory } = after.repository
  const since = (path: string): boolean => wasChangedSince(path, before.takenAtMs)
  const head = since(join(gitDirectory, 'HEAD')) ? ['HEAD'] : []
  const common = commonDirectory(gitDirectory)
  const remote = filesBelow(common, 'refs/remotes').filter((name) => since(join(common, name)))
  return [...own, ...head, ...remote].sort().slice(0, MAX_NAMES)
}

function wasChangedSince(path: string, sinceMs: number): boolean {
  // The snapshot's own time is in whole milliseconds.
  return (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= sinceMs + 1
}

function filesBelow(common: string, folder: string): readonly string[] {
  const files: string[] = []
  const pending = [folder]
  for (let next = pending.pop(); next !== undefined && files.length < MAX_LOOKED_AT; next = pending.pop())
    for (const entry of entriesOf(join(common, next))) {
      const path = `${next}/${entry.name}`
      if (entry.isDirectory()) pending.push(path)
      else if (entry.isFile() && !entry.name.endsWith('.lock')) files.push(path)
    }
  return files
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
