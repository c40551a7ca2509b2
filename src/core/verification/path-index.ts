/** A difference's paths, indexed by the names that a claim may use. Finding a name takes constant time. */
export interface PathIndex {
  readonly paths: readonly string[]
  readonly exact: ReadonlySet<string>
  /** All folders that contain one of the paths, without a trailing `/`. */
  readonly folders: ReadonlySet<string>
  /** The last components of those that are in a folder. */
  readonly names: ReadonlySet<string>
}

/** Indexes paths with `/`; one that ends in `/` is a folder. An agent may have changed 200,000, and claimed as many. */
export function indexPaths(paths: readonly string[]): PathIndex {
  const folders = new Set<string>()
  const names = new Set<string>()
  for (const path of paths) {
    const end = path.lastIndexOf('/')
    if (end >= 0) names.add(path.slice(end + 1))
    for (let at = end; at >= 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
      if (at === 0) break
    }
  }
  return { paths, exact: new Set(paths), folders, names }
}

/** Returns whether a claimed name (not a pattern) is one of the paths, contains one of them, or is inside one that is a folder. */
export function isNamed({ exact, folders, names }: PathIndex, name: string): boolean {
  if (exact.has(name) || folders.has(name)) return true
  if (!name.includes('/') && names.has(name)) return true
  return foldersOf(`${name}/`).some((folder) => exact.has(`${folder}/`))
}

/** Returns whether one of `names` is the path, its end after a `/`, or a folder that contains it. */
export function isNamedBy(path: string, names: ReadonlySet<string>): boolean {
  if (names.has(path) || foldersOf(path).some((folder) => names.has(folder))) return true
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    if (names.has(path.slice(at + 1))) return true
  return false
}

/** Returns all folders above a path, the innermost last. */
function foldersOf(path: string): string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return folders
}
