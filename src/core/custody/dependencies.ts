import type { DifferenceKind } from '../vocabulary/evidence.ts'
/*
 * Files that a package manager installed, which git ignores and a check runs. Whether one was changed by hand is told by what the
 * project says of its package: a lock entry, or what Python's installer left beside it.
 */

/** The package that an installed file belongs to. */
export interface InstalledFile {
  readonly kind: 'node' | 'python' | 'bin'
  /** Folder, or file, of the package, from the top of the tree. */
  readonly package: string
  /** As the project calls it. */
  readonly name: string
  /** It steers its interpreter by standing there at all. */
  readonly steers: boolean
}

const CACHES = new Set([
  '.cache',
  '.vite',
  '.vitest',
  '.vite-temp',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
])
const STEERING_MODULES = /^(?:.*\.pth|sitecustomize\.py|usercustomize\.py)$/

/** Whether files below a folder of this name are written by who runs the packages. */
export function isDependencyCache(folder: string): boolean {
  return CACHES.has(folder)
}

/** Where a path below `node_modules` or `site-packages` belongs; `null` for caches, byte code and notes of the installers. */
export function installedFile(path: string): InstalledFile | null {
  const parts = path.split('/')
  if (parts.some((part) => CACHES.has(part)) || /\.py[co]$/.test(path)) return null
  // Where an environment's interpreter and its standard library are.
  if (parts.at(-1) === 'pyvenv.cfg' && !parts.includes('site-packages'))
    return { kind: 'python', package: path, name: path, steers: true }
  const at = Math.max(parts.lastIndexOf('node_modules'), parts.lastIndexOf('site-packages'))
  const rest = parts.slice(at + 1)
  const [first = ''] = rest
  if (at < 0 || first === '') return null
  const folder = (length: number): string => parts.slice(0, at + 1 + length).join('/')
  if (parts[at] === 'site-packages') {
    const name = first.replace(/\..*$/, '')
    const steers = rest.length === 1 && STEERING_MODULES.test(first)
    return { kind: 'python', package: folder(1), name: /-info$/.test(first) ? first : name, steers }
  }
  if (first === '.bin') return { kind: 'bin', package: path, name: rest[1] ?? '', steers: true }
  if (first.startsWith('.')) return null
  const length = first.startsWith('@') && rest.length > 1 ? 2 : 1
  return {
    kind: 'node',
    package: folder(length),
    name: rest.slice(0, length).join('/'),
    // A file or link with the package's name is loaded before the package.
    steers: rest.length === length,
  }
}

/** A file of dependencies that is not as it was. */
export interface DependencyChange {
  readonly path: string
  readonly kind: DifferenceKind
}

/** What is known of the packages. */
export interface DependencyFacts {
  /** Files that stood there before. */
  readonly before: Iterable<string>
  /** Packages whose folder is still there. */
  readonly isThere: (folder: string) => boolean
  /** What the project says of the file's package is another thing than before. */
  readonly isDeclared: (path: string, file: InstalledFile) => boolean
}

/**
 * Returns the changes that no installer accounts for, in order: an existing file that differs, or a new one that is loaded
 * before an existing one. Does not return a package that is gone altogether, or a new package with an unused name.
 */
export function touchedDependencies(
  changes: readonly DependencyChange[],
  { before, isThere, isDeclared }: DependencyFacts,
): readonly string[] {
  if (changes.length === 0) return []
  const known = namesOf(before)
  return changes.flatMap(({ path, kind }) => {
    const file = installedFile(path)
    if (file === null) return []
    const matters =
      kind === 'modified' ||
      (kind === 'deleted' && file.kind !== 'bin' && isThere(file.package)) ||
      (kind === 'added' && goesBefore(path, file, known))
    return matters && !isDeclared(path, file) ? [path] : []
  })
}

interface KnownNames {
  readonly packages: ReadonlySet<string>
  /** Names of packages, with their folders. */
  readonly folders: ReadonlyMap<string, ReadonlySet<string>>
  /** Paths without their extension, and all folders. */
  readonly stems: ReadonlySet<string>
}

function namesOf(before: Iterable<string>): KnownNames {
  const packages = new Set<string>()
  const folders = new Map<string, Set<string>>()
  const stems = new Set<string>()
  for (const path of before) {
    const file = installedFile(path)
    if (file === null) continue
    if (!packages.has(file.package)) {
      packages.add(file.package)
      folders.set(file.name, (folders.get(file.name) ?? new Set()).add(file.package))
    }
    stems.add(stemOf(path))
    stems.add(path.slice(0, path.lastIndexOf('/')))
    stems.add(installFolder(path))
  }
  return { packages, folders, stems }
}

function goesBefore(path: string, file: InstalledFile, { packages, folders, stems }: KnownNames): boolean {
  if (file.steers && stems.has(installFolder(path))) return true
  if (packages.has(file.package)) return stems.has(stemOf(path)) && stemOf(path) !== path
  return folders.has(file.name)
}

/** `…/node_modules`, `…/site-packages`: one that is made for the first time goes before nothing that was in it. */
function installFolder(path: string): string {
  return (
    /^.*(?:^|\/)(?:node_modules|site-packages)(?=\/)/.exec(path)?.[0] ?? path.slice(0, path.lastIndexOf('/'))
  )
}

function stemOf(path: string): string {
  const name = path.lastIndexOf('/') + 1
  const stop = path.indexOf('.', name + 1)
  return stop < 0 ? path : path.slice(0, stop)
}
