import { lstat } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns whether a path of the tree can be reached without following a link. A link from the commit or the agent can lead anywhere. */
export async function isWithin(top: string, path: string): Promise<boolean> {
  const parents = path.split('/').slice(0, -1)
  for (let length = 1; length <= parents.length; length += 1) {
    const stats = await lstat(join(top, ...parents.slice(0, length))).catch(() => null)
    if (stats === null) return true
    if (!stats.isDirectory()) return false
  }
  return true
}
