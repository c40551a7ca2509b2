import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { readWithinSync } from '../files/beneath.ts'
import { lstatSync } from '../files/names.ts'

/** Where a tree's git data is: below its top, or beside it, as for a linked work tree. */
export interface GitPlaces {
  readonly top: string
  /** Git's folders, as absolute paths, if they are outside the tree; `null` if they are inside it. */
  readonly beside: { readonly own: string; readonly common: string } | null
}

/** Files that each work tree has for itself; all others belong to the repository. */
const OWN: ReadonlySet<string> = new Set(['index', 'config.worktree', 'info/sparse-checkout'])
const MAX_TEXT_BYTES = 64 * 1024

/** `dotGit`: the content of the file `.git` in the base; `null`: it is unknown, so the file is read. Never throws. */
export function findGitPlaces(top: string, dotGit: string | null): GitPlaces {
  const said = dotGit ?? readSmallText(join(top, '.git'))
  const target = /^gitdir: (.+?)[\r\n]*$/s.exec(said)?.[1]
  if (target === undefined) return { top, beside: null }
  const own = isAbsolute(target) ? target : resolve(top, target)
  const shared = readSmallText(join(own, 'commondir')).trim()
  return { top, beside: { own, common: shared === '' ? own : resolve(own, shared) } }
}

/** Returns the file for a path from the top: `.git/…` is wherever the tree's git data is. */
export function placeOf({ top, beside }: GitPlaces, path: string): string {
  if (beside === null || !path.startsWith('.git/')) return join(top, path)
  const name = path.slice('.git/'.length)
  return join(OWN.has(name) ? beside.own : beside.common, name)
}

/** Returns the path relative to the folder with all git data beside the tree; `null` if it is below the top, or elsewhere. */
export function besideTree(places: GitPlaces, path: string): string | null {
  if (places.beside === null || !path.startsWith('.git/')) return null
  const way = relative(places.beside.common, placeOf(places, path))
  return way === '' || way.startsWith('..') || isAbsolute(way) ? null : way.replaceAll(sep, '/')
}

function readSmallText(path: string): string {
  try {
    const stats = lstatSync(path)
    return stats.isFile() ? (readWithinSync(dirname(path), path, MAX_TEXT_BYTES)?.toString('utf8') ?? '') : ''
  } catch {
    return ''
  }
}
