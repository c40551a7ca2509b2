/*
 * What tools write to save themselves work, and make again if it is missing. They take its word without asking: byte code of
 * another program, or the note that a file was checked, stands for what a check would have found.
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
])
const FILES =
  /^(?:\.eslintcache|\.stylelintcache|\.phpunit\.result\.cache|\.php-cs-fixer\.cache|.*\.tsbuildinfo)$/

/** What is made again in moments. Without what type checkers, linters and bundlers keep, they read everything again. */
const QUICK =
  /(?:^|\/)(?:__pycache__|\.pytest_cache|\.ruff_cache|\.phpunit\.cache|\.phpunit\.result\.cache|\.vitest)$/

/** Whether a cache, by its path, costs its tool no more than moments if it is missing. */
export function isQuickCache(path: string): boolean {
  return QUICK.test(path)
}

/** Whether a folder of this path is such a cache. `.cache` is one only among packages: elsewhere it may be anything. */
export function isCacheFolder(path: string): boolean {
  const [name = '', parent] = path.split('/').reverse()
  return FOLDERS.has(name) || (name === '.cache' && parent === 'node_modules')
}

/** Whether a file of this name is one. */
export function isCacheFile(name: string): boolean {
  return FILES.test(name)
}

/** Whether a file of this path is one, or is in one. */
export function isInCache(path: string): boolean {
  const names = path.split('/')
  const file = names.pop() ?? ''
  return isCacheFile(file) || names.some((_name, at) => isCacheFolder(names.slice(0, at + 1).join('/')))
}
