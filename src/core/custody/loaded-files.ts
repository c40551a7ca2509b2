/*
 * Finds what sources load: a file that a check loads, directly or through other files, may not end the process, whatever its
 * name.
 */

interface Loading {
  readonly files: RegExp
  /** The first group of each captures the name of a file. */
  readonly names: readonly RegExp[]
  /** Returns a name as paths; each is tried relative to the source's folder, and to the workspace. */
  readonly asPaths: (name: string) => readonly string[]
}

const MODULES = ['', '.js', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts', '.jsx', '/index.js', '/index.ts']
const MAX_NAMES = 500
/** At most this many sources are followed from those that checks load. */
const MAX_LOADED = 1000

const LOADINGS: readonly Loading[] = [
  {
    files: /\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/,
    names: [/\b(?:from|import|require)\s{0,9}\(?\s{0,9}["'`](\.[^"'`\n]{0,200})["'`]/g],
    asPaths: (name) => [...MODULES.map((end) => name + end), name.replace(/js(x?)$/, 'ts$1')],
  },
  {
    files: /\.py$/,
    names: [
      /^[ \t]{0,80}(?:from|import)[ \t]{1,9}([\w.]{1,200})/gm,
      /^[ \t]{0,80}from[ \t]{1,9}([\w.]{1,200}[ \t]{1,9}import[ \t]{1,9}\w{1,80})/gm,
      /\b(?:__import__|import_module|run_path|run_module)\(\s{0,9}["']([\w./]{1,200})["']/g,
    ],
    asPaths: (name) => {
      const path = name
        .replace(/[ \t]{1,9}import[ \t]{1,9}/, '.')
        .replace(/^\.+/, '')
        .replaceAll('.', '/')
      return [`${path}.py`, `${path}/__init__.py`, `src/${path}.py`, `src/${path}/__init__.py`]
    },
  },
  {
    files: /\.rb$/,
    names: [/\b(?:require|require_relative|load)[ \t(]{1,9}["']([^"'\n]{1,200})["']/g],
    asPaths: (name) => [`${name}.rb`, name, `lib/${name}.rb`],
  },
  {
    files: /\.php$/,
    names: [/\b(?:require|include)(?:_once)?\b[^"'\n;]{0,80}["']([^"'\n]{1,200})["']/g],
    asPaths: (name) => [name.replace(/^\/+/, '')],
  },
  {
    files: /\.p[lm]$|\.t$/,
    names: [
      /^[ \t]{0,80}(?:use|require)[ \t]{1,9}([A-Z][\w:]{0,200})/gm,
      /\b(?:require|do)[ \t(]{1,9}["']([^"'\n]{1,200})["']/g,
    ],
    asPaths: (name) => [name, `${name.replaceAll('::', '/')}.pm`, `lib/${name.replaceAll('::', '/')}.pm`],
  },
  {
    files: /\.(?:sh|bash|zsh|ksh)$/,
    names: [/^[ \t]{0,80}(?:\.|source)[ \t]{1,9}["']?(?:\$\{?\w{1,40}\}?\/)?([\w./-]{1,200})/gm],
    asPaths: (name) => [name],
  },
  {
    files: /\.(?:java|kt|scala|groovy)$/,
    names: [/\b([A-Z]\w{0,80})\b/g],
    asPaths: (name) => [`${name}.java`, `${name}.kt`, `${name}.scala`, `${name}.groovy`],
  },
  {
    files: /\.rs$/,
    names: [
      /^[ \t]{0,80}(?:pub[ \t]{1,9})?mod[ \t]{1,9}(\w{1,80})[ \t]{0,9};/gm,
      /\bpath\s{0,9}=\s{0,9}"([^"\n]{1,200})"/g,
    ],
    asPaths: (name) => [name, `${name}.rs`, `${name}/mod.rs`],
  },
  {
    files: /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/i,
    names: [/^[ \t]{0,80}#[ \t]{0,9}include[ \t]{0,9}"([^"\n]{1,200})"/gm],
    asPaths: (name) => [name],
  },
]

/** Returns paths where files that a source loads may be, relative to the workspace, with `/`. Pure; never throws. */
export function loadedBy(path: string, text: string): readonly string[] {
  const loading = LOADINGS.find(({ files }) => files.test(path))
  if (loading === undefined) return []
  const names = new Set(
    loading.names.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])),
  )
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const paths = [...names].slice(0, MAX_NAMES).flatMap((name) => {
    const own = loading.asPaths(name)
    return [...own.map((one) => folder + one), ...own]
  })
  return [...new Set(paths.flatMap((one) => plainPath(one) ?? []))]
}

/**
 * Returns these files and everything that they load, directly or through other files, with their texts. `read` returns the texts of the
 * given files that exist.
 */
export async function loadedFrom(
  roots: readonly string[],
  read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const loaded = new Map<string, string>()
  const seen = new Set(roots)
  for (let next = [...seen]; next.length > 0 && loaded.size < MAX_LOADED; ) {
    const texts = await read(next)
    next = []
    for (const [path, text] of texts) {
      if (loaded.size >= MAX_LOADED) break
      loaded.set(path, text)
      for (const one of loadedBy(path, text)) if (!seen.has(one)) next.push(one)
      for (const one of next) seen.add(one)
    }
  }
  return loaded
}

/** Returns the path without `.` and `..`; `null` if it leads out of the workspace. */
function plainPath(path: string): string | null {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..' && names.pop() === undefined) return null
    if (name !== '' && name !== '.' && name !== '..') names.push(name)
  }
  return names.length === 0 ? null : names.join('/')
}
