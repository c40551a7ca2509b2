/*
 * Words of a script that only its shell can expand: `$f`, `checks/*.sh`, `$(dirname $0)/lib.sh`. Here they stand for the files that they
 * may mean.
 */

/** What is known where such a word occurs. Paths are relative to the folder of the check. */
export interface AroundWord {
  /** The values that loops and plain assignments gave to variables. */
  readonly variables: ReadonlyMap<string, readonly string[]>
  /** What the check is known to execute so far. */
  readonly executes: ReadonlyMap<string, { readonly kind: string; readonly path: string }>
  readonly world: { readonly isFile: (path: string) => boolean }
}

/** Returns whether a shell has to expand the word before it names a file. */
export function isOpen(word: string): boolean {
  return /[$`*?]/.test(word)
}

/** `$f` or `${f}`. */
const VARIABLE = /\$\{?([A-Za-z_]\w*)\}?/g
const MAX_VALUES = 50
/** `$here/…`, `${BASH_SOURCE%/*}/…`, `$(dirname $0)/…`: usually the script's folder or the top of its repository. */
const FROM_SOMEWHERE = /^(?:\$\{[^}]*\}|\$\([^()]*(?:\([^()]*\))?[^()]*\)|`[^`]*`|\$\w+)\/+(.+)$/

/**
 * Returns what an open word may stand for: existing files, and globs. `folder` is where the command runs. Empty if nothing can be told; at
 * most 50 values of a variable are tried.
 */
export function candidates(word: string, around: AroundWord, folder: string): readonly string[] {
  const known = [...word.matchAll(VARIABLE)].find(([, name = '']) => around.variables.has(name))
  if (known !== undefined)
    return (around.variables.get(known[1] ?? '') ?? []).slice(0, MAX_VALUES).flatMap((value) => {
      const put = word.replace(known[0], () => value)
      // A value with a variable may contain this one, which would never end.
      if (value.includes('$')) return []
      return isOpen(put) ? candidates(put, around, folder) : [join(folder, put)]
    })
  const rest = FROM_SOMEWHERE.exec(word)?.[1] ?? word
  if (/[$`]/.test(rest)) return []
  const starts = rest === word ? [folder] : [...new Set([...foldersOfScripts(around), folder, ''])]
  const paths = [...new Set(starts.map((start) => join(start, rest)))]
  return /[*?]/.test(rest) ? paths : paths.filter(around.world.isFile)
}

/** Returns the folders of the scripts found so far, and the folder above each. */
function foldersOfScripts({ executes }: AroundWord): readonly string[] {
  return [...executes.values()].flatMap(({ kind, path }) => {
    if (kind !== 'script') return []
    const folder = path.split('/').slice(0, -1).join('/')
    return [folder, folder.split('/').slice(0, -1).join('/')]
  })
}

/** Returns the path relative to the folder, with `.` and `..` resolved; an absolute path is unchanged. */
export function join(folder: string, path: string): string {
  if (path.startsWith('/')) return path
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else parts.push(part)
  }
  return parts.join('/')
}
