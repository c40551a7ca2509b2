import { dirname, join, relative, resolve, sep } from 'node:path'
import { groundOf, readBeneath } from '../files/beneath.ts'
import { readGitIndex } from '../files/git-index-bytes.ts'
import { existsSync } from '../files/names.ts'
import type { FileWorld } from './workspace-file.ts'

/** As large as any repository's index. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024

/**
 * Returns whether a path missing on disk is tracked but not checked out: a sparse checkout, or `skip-worktree`. Such a file or
 * folder exists, unless the earlier files say that it does not. False if the index can't be read: a split or sparse one, or that of a
 * linked work tree.
 */
export async function isNotLaidOut({ directory, earlier }: FileWorld, path: string): Promise<boolean> {
  const top = topOf(directory)
  if (top === null) return false
  const reading = await readBeneath(groundOf(top), '.git/index', MAX_INDEX_BYTES)
  if (!reading.ok) return false
  const nameOf = (one: string): string => toRaw(relative(top, resolve(directory, one)).split(sep).join('/'))
  const wanted = nameOf(path)
  const removed = new Set((earlier?.remove ?? []).map(nameOf))
  let isFound = false
  readGitIndex(reading.bytes, ({ name, isSkipped }) => {
    isFound ||= isSkipped && (name === wanted || name.startsWith(`${wanted}/`)) && !removed.has(name)
  })
  return isFound
}

/** One character per byte, as names are stored in the index. */
function toRaw(path: string): string {
  return Buffer.from(path).toString('latin1')
}

function topOf(directory: string): string | null {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return null
  }
}
