import type { FileReference } from '../claims/types.ts'
import { changedPaths } from './difference.ts'
import { indexPaths, isNamed, type PathIndex } from './path-index.ts'
import type { FileClaimFinding, FileDifference } from './types.ts'

/**
 * Compares each claimed file with the attempt's difference, in the order claimed.
 *
 * `measurable` says for each file whether its path can be measured, or why not (`Snapshotter.measurable`); `root` is
 * the workspace's absolute path. Paths are compared case-sensitively, both as written and without `./`, backslashes
 * and the root. A folder is `shown` if something in it changed, a renamed file by either name, and a deleted file too;
 * a bare file name (`App.tsx`) also if a file of that name changed in a subfolder, because agents name files that way
 * in prose; a pattern with `*` if any changed path matches. If the snapshot is incomplete, nothing is called missing.
 * Never throws.
 */
export function matchFileClaims(
  files: readonly FileReference[],
  difference: FileDifference,
  measurable: readonly (true | string)[],
  root: string,
): readonly FileClaimFinding[] {
  const changed = indexPaths(composed(changedPaths(difference)))
  const otherwise = [
    { paths: indexPaths(composed(difference.otherwiseChanged ?? [])), reason: OTHERWISE_CHANGED },
    { paths: indexPaths(composed(difference.unsure ?? [])), reason: UNSURE },
  ]
  const looks: Looks = { left: MAX_PATTERN_LOOKS, isOver: false }
  return files.map((file, index) => {
    const { path } = file
    const names = spellings(file, root)
    const isAmong = (index: PathIndex): boolean => names.some((name) => shows(index, name, looks))
    if (isAmong(changed)) return { path, finding: 'shown' }
    const reason =
      notInWorkspace(relativePath(path, root)) ??
      whyNotMeasured(measurable[index]) ??
      otherwise.find(({ paths }) => isAmong(paths))?.reason ??
      (looks.isOver && path.includes('*') ? TOO_MANY_PATTERNS : null) ??
      (difference.incomplete === null ? null : `the snapshot is incomplete: ${difference.incomplete}`)
    if (reason !== null) return { path, finding: 'unmeasurable', reason }
    return { path, finding: 'missing', reason: 'it did not change during the attempt' }
  })
}

const OTHERWISE_CHANGED =
  'its content is unchanged; only its executable bit, a commit or another branch changed'

const UNSURE = 'it could not be read, or is too large to tell whether it was written or touched'

/** Total number of paths compared with claimed patterns, which takes a few tenths of a second. A plain name costs nothing. */
const MAX_PATTERN_LOOKS = 300_000
interface Looks {
  left: number
  isOver: boolean
}
const TOO_MANY_PATTERNS = 'too many claimed patterns and changed files to compare'

function whyNotMeasured(measurable: true | string | undefined): string | null {
  return measurable === true ? null : (measurable ?? 'it was not measured')
}

/** Returns the paths in Unicode's composed form, because agents write decomposed names that way. */
function composed(paths: readonly string[]): readonly string[] {
  return paths.map((path) => path.normalize())
}

/**
 * Returns what a claimed file may be called in the difference: its path in normalized form, and as written, because a backslash, a space at
 * the end or `(2)` can be part of a name.
 */
function spellings({ path, entry = path }: FileReference, root: string): readonly string[] {
  const all = [relativePath(path, root), relativePath(entry, root), path, entry]
  return [...new Set(composed(all))]
}

/** Returns why a path can't name a file in the workspace, whatever the snapshot says; null if it can. */
function notInWorkspace(path: string): string | null {
  if (path === '') return 'it names the workspace itself, not a file'
  if (/^(?:~|\$\w|%\w+%|[A-Za-z]:\/)/.test(path)) return 'it is outside the workspace'
  return /^[a-z][a-z\d+.-]+:\//i.test(path) ? 'it is an address, not a file' : null
}

/** Returns whether a path from `relativePath` is below its root: not the root itself, above it, or elsewhere. */
export function liesInside(path: string): boolean {
  return !/^(?:$|\/|~|[A-Za-z]:|\.\.(?:\/|$))/.test(path)
}

/** Returns a path as the difference writes it: with `/`, relative to `root` (if given) if it is below that, without `.` and inner `..`. */
export function relativePath(path: string, root: string | null): string {
  const slashed = path.trim().replaceAll('\\', '/')
  const base = root === null ? null : `${root.replaceAll('\\', '/').replace(/\/+$/, '')}/`
  const inside = base !== null && `${slashed}/`.startsWith(base) ? slashed.slice(base.length) : slashed
  const segments: string[] = []
  for (const segment of inside.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop()
    else segments.push(segment)
  }
  return (inside.startsWith('/') ? '/' : '') + segments.join('/')
}

/** Returns whether a claimed name is one of the paths, contains one of them, or is inside one that is a folder (which ends in `/`). */
function shows(index: PathIndex, name: string, looks: Looks): boolean {
  if (isNamed(index, name)) return true
  if (!name.includes('*') || index.paths.length === 0) return false
  looks.isOver ||= looks.left < 0
  if (looks.isOver) return false
  looks.left -= index.paths.length
  return index.paths.some((path) => matchesPattern(path, name))
}

/** Returns whether `changed(glob)` may depend on a path that the snapshot is unsure of. Globs with more than `*` may match anything. */
export function mayMatch(glob: string, unsure: string): boolean {
  const pattern = relativePath(glob, null)
  const start = /^[^*?[\]{}()!+@]*/.exec(pattern)?.[0] ?? ''
  const isPlain = !/[?[\]{}()!+@]/.test(pattern)
  if (unsure.endsWith('/')) return start.startsWith(unsure) || unsure.startsWith(start)
  return isPlain ? shows(indexPaths([unsure]), pattern, { left: 1, isOver: false }) : unsure.startsWith(start)
}

/**
 * `*` matches any characters within a segment, `**` any segments; everything else matches itself, including brackets
 * and braces (`app/[id]/page.tsx` is a file). Written by hand because core may not import a glob library. Matches by
 * segments with memory, so that no pattern from an agent takes more than length × length steps.
 */
function matchesPattern(path: string, pattern: string): boolean {
  return sequenceMatches(path.split('/'), pattern.split('/'), '**', (segment, part) =>
    sequenceMatches([...segment], [...part], '*', (a, b) => a === b),
  )
}

/** Greedy wildcard matching with one step back: if the rest doesn't match, the last wildcard takes one more item. */
function sequenceMatches(
  items: readonly string[],
  pattern: readonly string[],
  wildcard: string,
  fits: (item: string, part: string) => boolean,
): boolean {
  let [item, part, wildcardPart, wildcardItem] = [0, 0, -1, 0]
  while (item < items.length) {
    const current = pattern[part]
    if (current === wildcard) {
      wildcardPart = part
      wildcardItem = item
      part += 1
    } else if (current !== undefined && fits(items[item] ?? '', current)) {
      item += 1
      part += 1
    } else if (wildcardPart >= 0) {
      wildcardItem += 1
      item = wildcardItem
      part = wildcardPart + 1
    } else return false
  }
  return pattern.slice(part).every((rest) => rest === wildcard)
}
