import { realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { commonDirectory, realGitDirectory } from '../snapshot/git-folder.ts'

/* Paths as hooks and their host compare them. Uses no library, because every call of the hook loads this. */

/** Returns the path with links resolved, or unchanged if nothing is there. */
export function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Returns the git folder that all work trees of a repository share, from the `.git` at the top of one. */
export function commonOf(git: string): string {
  return realOr(commonDirectory(realGitDirectory(git)))
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}
