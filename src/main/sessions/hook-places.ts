import { realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { commonDirectory, realGitDirectory } from '../snapshot/git-folder.ts'

/* Paths as hooks and their host compare them. Without a library: the hook itself loads it at each call. */

/** The path without links; as given if there is nothing there. */
export function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** What all work trees of a repository share, by the `.git` at the top of one. */
export function commonOf(git: string): string {
  return realOr(commonDirectory(realGitDirectory(git)))
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}
