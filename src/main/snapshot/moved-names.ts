import { join } from 'node:path'
import { entriesOf, statSync } from '../files/names.ts'
import { commonDirectory } from './git-folder.ts'
import type { GitSnapshot } from './git-snapshot.ts'

/** How many names are reported; a fetch may bring thousands. */
const MAX_NAMES = 50
/** How many remote names are examined. */
const MAX_LOOKED_AT = 5000

/**
 * Returns full names (`refs/tags/v1`) that were created, moved or deleted, and `HEAD` if another branch is checked out: the only
 * traces of work such as a push or a tag. Remote names are recognized by their files' times, which the system sets, because a
 * snapshot does not list them.
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
