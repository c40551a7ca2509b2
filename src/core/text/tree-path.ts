/*
 * Paths from a repository's objects or index. Git stores any name and only refuses to check it out: a tree can contain `..`, `.git`, or
 * `a/../../b` as a single name.
 */

/** Characters that macOS ignores when comparing names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
/** `.git`, also as Windows short names and streams. */
const GIT = /^(?:\.git|git~\d+)(?:[ .]*(?::.*)?)$/i

/** Returns whether a path with `/` stays below the folder it is relative to, whatever exists there. */
export function staysBelow(path: string): boolean {
  return !path.includes('\0') && !path.split('/').some((name) => name === '' || name === '.' || name === '..')
}

/** Returns whether git would check out a file at this path of a tree: it is below the top, and not in git data. */
export function isTreePath(path: string): boolean {
  return staysBelow(path) && !path.split('/').some((name) => GIT.test(name.replace(IGNORED, '')))
}

/** Returns a path that occurs twice, or that is a file while another path is below it; `null`: the paths can exist side by side. */
export function collidingPath(paths: Iterable<string>): string | null {
  const known = new Set<string>()
  for (const path of paths) {
    if (known.has(path)) return path
    known.add(path)
  }
  for (const path of known)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const above = path.slice(0, at)
      if (known.has(above)) return above
    }
  return null
}
