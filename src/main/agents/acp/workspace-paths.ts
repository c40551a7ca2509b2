import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ToolPath } from '../../../core/activity/grants.ts'

/** Where a path of the agent really leads, and whether that is in the workspace. */
export interface ResolvedPath extends ToolPath {
  /** Absolute, with symbolic links resolved as far as they exist. */
  readonly real: string
}

/** Maximum number of chained links to follow; a longer chain counts as circular. */
const MAX_LINKS = 40

/**
 * Resolves a path, relative to the workspace, through every symbolic link, even a broken one. A path that cannot be resolved
 * (circular links, no permission) counts as outside. Never rejects.
 */
export async function resolvePath(directory: string, given: string): Promise<ResolvedPath> {
  const absolute = resolve(directory, given)
  if (given.includes('\0')) return { given, real: absolute, inside: null }
  try {
    const [root, real] = await Promise.all([realpath(directory), followed(absolute, MAX_LINKS)])
    const inside = relative(root, real)
    const isInside = inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
    return { given, real, inside: isInside ? inside.split(sep).join('/') || '.' : null }
  } catch {
    return { given, real: absolute, inside: null }
  }
}

/** Like `realpath`, for a path whose end may be missing. */
async function followed(path: string, linksLeft: number): Promise<string> {
  if (linksLeft === 0) throw new Error('too many symbolic links')
  try {
    return await realpath(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  // The path, or its link target, does not exist, but its folder may still be a link.
  const folder = dirname(path)
  if (folder === path) return path
  const place = join(await followed(folder, linksLeft - 1), basename(path))
  const link = await lstat(place).catch(() => null)
  if (link?.isSymbolicLink() !== true) return place
  return followed(resolve(dirname(place), await readlink(place)), linksLeft - 1)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
