/*
 * Tests that follow a renamed source: they differ only in the names by which they import it.
 */

/** How two versions of a text differ, line by line. */
export interface ChangedLines {
  readonly removed: readonly string[]
  readonly added: readonly string[]
  readonly before: string
  readonly after: string
}

/** The path of a source, or the name of a function. */
export interface Renamed {
  readonly from: string
  readonly to: string
}

/** Returns whether this kind of file may follow renames: it names functions, or sources by names derived from their paths. */
export function mayFollow(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|go|rs)$/.test(path)
}

/** A test with more changed lines is held, and so are tests that follow more renames than this. */
const MAX_LINES = 50
const MAX_RENAMES = 400

/** Returns the changed lines, if just as many were added as removed, and all others are in the same order; `null` otherwise. Pure. */
export function changedLines(before: string, after: string): ChangedLines | null {
  const [was, is] = [before.split('\n'), after.split('\n')]
  const removed = without(was, is)
  const added = without(is, was)
  if (removed.length !== added.length || removed.length === 0 || removed.length > MAX_LINES) return null
  const isSame = without(was, removed).join('\n') === without(is, added).join('\n')
  return isSame ? { removed, added, before, after } : null
}

/** Returns the first list without one of each line of the second. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    if (count > 0) left.set(line, count - 1)
    return count === 0
  })
}

/** Returns whether the only changes in a file are the names of sources, renamed as given. Pure; never throws. */
export function followsRenames(path: string, lines: ChangedLines, renamed: readonly Renamed[]): boolean {
  const names = renamed.slice(0, MAX_RENAMES).flatMap((one) => namesOf(path, one))
  const left = [...lines.added]
  return lines.removed.every((line) => {
    const at = left.findIndex((now) => isRenamedIn(line, now, names))
    if (at < 0) return false
    left.splice(at, 1)
    return true
  })
}

type Name = readonly [from: string, to: string]

/** Returns whether a line becomes `now` by replacing those of these names that occur in both. */
function isRenamedIn(line: string, now: string, names: readonly Name[]): boolean {
  const meant = names.filter(([from, to]) => line.includes(from) && now.includes(to))
  return meant.reduce((text, [from, to]) => text.replaceAll(from, to), line) === now
}

/** Returns how a file names a source, including quotes, before and after the rename. */
function namesOf(path: string, { from, to }: Renamed): readonly Name[] {
  if (/\.pyi?$/.test(path)) return modulesOf(from, to)
  const folder = path.split('/').slice(0, -1)
  const forms = (one: string): readonly string[] => [relative(folder, one), one]
  const [old, now] = [forms(from), forms(to)]
  return old.flatMap((each, at) => {
    const other = now[at] ?? ''
    return ENDINGS.flatMap(([ending, spoken]) => {
      if (!each.endsWith(ending) || !other.endsWith(ending)) return []
      const spelled = (name: string): string => name.slice(0, name.length - ending.length) + spoken
      return QUOTES.map((quote): Name => [quote + spelled(each) + quote, quote + spelled(other) + quote])
    })
  })
}

const QUOTES = ["'", '"', '`']
/** How an import may spell the ending of a source. */
const ENDINGS: readonly (readonly [ending: string, spoken: string])[] = [
  ['', ''],
  ...['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.rb', '.php'].map(
    (ending) => [ending, ''] as const,
  ),
  ...['.js', '.jsx'].map((spoken) => ['.tsx', spoken] as const),
  ['.ts', '.js'],
  ['.mts', '.mjs'],
  ['.cts', '.cjs'],
]

function relative(folder: readonly string[], path: string): string {
  const parts = path.split('/')
  let shared = 0
  while (shared < folder.length && shared < parts.length - 1 && folder[shared] === parts[shared]) shared += 1
  const up = folder.slice(shared).map(() => '..')
  return [...(up.length === 0 ? ['.'] : up), ...parts.slice(shared)].join('/')
}

/** `src/shop/cart.py` is `src.shop.cart`, `shop.cart` or `cart`, depending on the folder from which modules are imported. */
function modulesOf(from: string, to: string): readonly Name[] {
  if (!/\.pyi?$/.test(from) || !/\.pyi?$/.test(to)) return []
  const parts = (path: string): readonly string[] => path.replace(/(?:\/__init__)?\.pyi?$/, '').split('/')
  const [old, now] = [parts(from), parts(to)]
  const names = old.flatMap((_part, at): Name[] => {
    const isShared = old.slice(0, at).join('/') === now.slice(0, at).join('/') && now.length > at
    return isShared ? [[old.slice(at).join('.'), now.slice(at).join('.')]] : []
  })
  return names.flatMap(([one, other]): Name[] => [
    [`from ${one} import`, `from ${other} import`],
    [`from .${one} import`, `from .${other} import`],
    [`import ${one} as`, `import ${other} as`],
    ...(one.includes('.') ? QUOTES.map((quote): Name => [`${quote}${one}.`, `${quote}${other}.`]) : []),
  ])
}
