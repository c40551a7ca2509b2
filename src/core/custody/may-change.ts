import picomatch from 'picomatch'

/** Returns a test for paths that `may_change` covers. Globs work as in `changed()`: a folder includes everything below it. */
export function mayChangeBy(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false
  const patterns = globs.map((glob) => glob.replace(/^\.\//, '').replace(/\/+$/, ''))
  return picomatch([...patterns, ...patterns.map((pattern) => `${pattern}/**`)], { dot: true })
}
