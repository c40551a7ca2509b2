import { join, relative, sep } from 'node:path'
import { readlink, realpath } from '../files/names.ts'

/** The number of links that a system follows before it assumes a loop. */
const MAX_LINKS = 40

/**
 * Returns where a path of the workspace leads through links that the attempt left unchanged, as a path of the workspace; the
 * path itself if no such link is on the way, or one leads out of it. Changes are found only under their real path, and a path
 * through a link means the same file. A link that is itself among the changes is not followed. (A link that git ignores is
 * not among them, but creating it is no easier than writing the requested file.) Never rejects.
 *
 * @param path Relative, with `/`; the last part may not exist.
 */
export async function throughLinks(
  directory: string,
  path: string,
  changedPaths: readonly string[],
): Promise<string> {
  const root = await realpath(directory).catch(() => directory)
  const changed = new Set(changedPaths)
  const ahead = path.split('/')
  const way: string[] = []
  let links = 0
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (way.pop() === undefined) return path
      continue
    }
    way.push(name)
    const target = await readlink(join(root, ...way)).catch(() => null)
    if (target === null) continue
    links += 1
    if (links > MAX_LINKS || changed.has(way.join('/'))) return path
    way.pop()
    // An absolute link starts at the workspace again, if it leads into it.
    const isAbsolute = target.startsWith(sep)
    const below = isAbsolute ? relative(root, target) : target
    if (isAbsolute) way.length = 0
    ahead.unshift(...below.split(sep))
  }
  return way.join('/')
}
