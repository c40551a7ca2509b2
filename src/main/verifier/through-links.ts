import { join, relative, sep } from 'node:path'
import { readlink, realpath } from '../files/names.ts'

/** As many as a system follows before it takes them for a loop. */
const MAX_LINKS = 40

/**
 * Where a path of the workspace leads by the links that the attempt left as they were, as a path of the workspace; the path itself where
 * no such link is on the way, or one leads out of it. What changed is found under its real path only: whoever asks for it by a link
 * means the same file. A link that is among the changes leads nowhere. (One that git ignores is not among them; who makes it could as
 * well write the file that was asked for, with a space in it.)
 * Never rejects.
 *
 * @param path Relative, with `/`; its end need not exist.
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
    // An absolute one begins at the workspace again, where it leads into it.
    const isAbsolute = target.startsWith(sep)
    const below = isAbsolute ? relative(root, target) : target
    if (isAbsolute) way.length = 0
    ahead.unshift(...below.split(sep))
  }
  return way.join('/')
}
