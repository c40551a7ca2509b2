/*
 * Files that tools write to save work, and recreate if they are missing. Tools trust them blindly: byte code of another program, or a note
 * that a file was checked, would replace what a check would have found.
 */

const FOLDERS = new Set([
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.pytype',
  '.phpunit.cache',
  '.turbo',
  '.vite',
  '.vitest',
  '.vite-temp',
  '.parcel-cache',
  '.wireit',
  '.pyre',
  '.import_linter_cache',
  '.jest-cache',
  '.rubocop_cache',
])
/** Names that mean a cache only in these folders. `node_modules/.tmp` is where templates of Vite let TypeScript keep what it
 * has checked. */
const WITHIN: Readonly<Record<string, string>> = {
  '.cache': 'node_modules',
  '.tmp': 'node_modules',
  cache: '.nx',
  'workspace-data': '.nx',
}
const FILES =
  /^(?:\.eslintcache|\.stylelintcache|\.phpunit\.result\.cache|\.php-cs-fixer\.cache|\.testmondata(?:-\w+)?|\.cspellcache|\.prettiercache|\.dmypy\.json|\.deptrac\.cache|\.phplint\.cache|.*\.tsbuildinfo)$/

/** Caches that tools keep for the user in the folder for temporary files: those of Jest, tsx, Node.js and its compilers, and
 * Metro. */
const TEMPORARY =
  /^(?:jest_[0-9a-z]{1,8}|tsx-\d{1,10}|node-compile-cache|node-jiti|v8-compile-cache-[\w.-]{1,60}|(?:haste-map|metro-file-map)-[\w.-]{1,200})$/

/** Returns whether a file or folder directly in the folder for temporary files is a cache that checks would believe. */
export function isTemporaryCache(name: string): boolean {
  return TEMPORARY.test(name)
}

/** Caches in the home folder with tools' findings, or code that they compiled. */
export const CACHES_OF_USER = [
  '.cache/rubocop_cache',
  '.cache/golangci-lint',
  '.cache/psalm',
  '.cache/deno/gen',
] as const

/** Caches that are recreated in moments. Not those of type checkers, linters and bundlers, which would have to read everything again. */
const QUICK =
  /(?:^|\/)(?:__pycache__|\.pytest_cache|\.ruff_cache|\.phpunit\.cache|\.phpunit\.result\.cache|\.vitest)$/

/** Returns whether the cache at this path can be recreated in moments if it is missing. */
export function isQuickCache(path: string): boolean {
  return QUICK.test(path)
}

/** Returns whether a folder at this path is such a cache. `.cache` is one only in `node_modules`; elsewhere it may be anything. */
export function isCacheFolder(path: string): boolean {
  const [name = '', parent] = path.split('/').reverse()
  return FOLDERS.has(name) || (Object.hasOwn(WITHIN, name) && WITHIN[name] === parent)
}

/** Returns whether a file with this name is a cache. */
export function isCacheFile(name: string): boolean {
  return FILES.test(name)
}

/** Returns whether a file at this path is a cache, or is in one. */
export function isInCache(path: string): boolean {
  const names = path.split('/')
  const file = names.pop() ?? ''
  return isCacheFile(file) || names.some((_name, at) => isCacheFolder(names.slice(0, at + 1).join('/')))
}
