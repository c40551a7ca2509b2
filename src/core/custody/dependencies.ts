import type { DifferenceKind } from '../vocabulary/evidence.ts'
import { placedFile } from './package-places.ts'

/*
 * Files that a package manager installed, which git ignores and a check runs. The project's data about the package shows whether one was
 * changed by hand: a lock entry, or what Python's installer left beside it.
 */

/** The package that an installed file belongs to. */
export interface InstalledFile {
  readonly kind: 'node' | 'python' | 'bin' | 'program' | 'placed'
  /** The package's folder or file, relative to the top of the tree. */
  readonly package: string
  /** The project's name for it. */
  readonly name: string
  /** True if its name or place alone makes the interpreter load it. */
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
/** Folders above an environment's modules. A link instead of one leads to other modules. */
const ENVIRONMENT_FOLDER = /\/(?:lib(?:64)?(?:\/(?:python|pypy)[\d.]+)?|Lib|site-packages)$/
/** Programs of an environment, and of packages that install some. */
const PROGRAM = /(?:^|\/)(?:bin|Scripts)\/([^/]+)$/

/** Returns whether files below a folder of this name are written when packages run. */
export function isDependencyCache(folder: string): boolean {
  return CACHES.has(folder)
}

/** Returns the package that a path in a folder of dependencies belongs to; `null` for caches, byte code and installers' notes. */
export function installedFile(path: string): InstalledFile | null {
  const parts = path.split('/')
  if (parts.some((part) => CACHES.has(part)) || /\.py[co]$/.test(path)) return null
  // It says where the environment's interpreter and its standard library are.
  if (parts.at(-1) === 'pyvenv.cfg' && !parts.includes('site-packages'))
    return { kind: 'python', package: path, name: path, steers: true }
  const at = Math.max(parts.lastIndexOf('node_modules'), parts.lastIndexOf('site-packages'))
  const rest = parts.slice(at + 1)
  const [first = ''] = rest
  if (at < 0) return fileElsewhere(path)
  if (first === '')
    return parts[at] === 'site-packages' ? { kind: 'python', package: path, name: path, steers: true } : null
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

/** Returns the package of a path that is in neither `node_modules` nor `site-packages`. */
function fileElsewhere(path: string): InstalledFile | null {
  const program = PROGRAM.exec(path)?.[1]
  const placed = placedFile(path)
  if (
    program !== undefined &&
    (placed === null || /^(?:bin|ruby)\//.test(path.slice(placed.place.length + 1)))
  )
    return { kind: 'program', package: path, name: program, steers: false }
  if (placed !== null) return { kind: 'placed', package: placed.package, name: placed.name, steers: false }
  return ENVIRONMENT_FOLDER.test(path) ? { kind: 'python', package: path, name: path, steers: true } : null
}

/** A dependency's file that differs from before. */
export interface DependencyChange {
  readonly path: string
  readonly kind: DifferenceKind
}

/** What is known about the packages. */
export interface DependencyFacts {
  /** Files that existed before. */
  readonly before: Iterable<string>
  /** Whether a package's folder still exists. */
  readonly isThere: (folder: string) => boolean
  /** Whether the project's data about the file's package has changed. */
  readonly isDeclared: (path: string, file: InstalledFile) => boolean
  /** Whether something with its name would otherwise be found outside of these folders: a package above, a program on `PATH`.
   */
  readonly isElsewhere: (path: string, file: InstalledFile) => boolean
  /** Whether git shows the file, which makes its change part of the work. */
  readonly isShown: (path: string) => boolean
}

/**
 * Returns the changes that no installer accounts for, in order: an existing file that differs, or a new one that is loaded
 * before an existing one. Does not return a package that is gone altogether, or a new package with an unused name.
 */
export function touchedDependencies(
  changes: readonly DependencyChange[],
  facts: DependencyFacts,
): readonly string[] {
  if (changes.length === 0) return []
  const known = namesOf(facts.before)
  return changes.flatMap(({ path, kind }) => {
    const file = installedFile(path)
    if (file === null || (file.kind === 'placed' && facts.isShown(path))) return []
    const matters =
      kind === 'modified' ||
      (kind === 'deleted' && file.kind !== 'bin' && facts.isThere(file.package)) ||
      (kind === 'added' && (goesBefore(path, file, known) || isBeforeOthers(path, file, known, facts)))
    return matters && !facts.isDeclared(path, file) ? [path] : []
  })
}

/** Returns whether a new file is found before something with its name outside of these folders. */
function isBeforeOthers(
  path: string,
  file: InstalledFile,
  { packages, stems }: KnownNames,
  { isElsewhere }: DependencyFacts,
): boolean {
  if (packages.has(file.package)) return file.kind === 'placed' && isElsewhere(path, file)
  const isUsed = file.kind === 'node' || stems.has(environmentOf(path))
  return isUsed && isElsewhere(path, file)
}

/** Returns the folder of an environment from the path of one of its files. */
function environmentOf(path: string): string {
  return path.replace(/\/(?:lib(?:64)?|Lib|bin|Scripts)(?:\/.*)?$/, '')
}

interface KnownNames {
  readonly packages: ReadonlySet<string>
  /** Folders of packages, by name. */
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
  if (
    file.steers &&
    (stems.has(installFolder(path)) || (file.kind === 'python' && stems.has(environmentOf(path))))
  )
    return true
  // A compiler uses everything in a package's folder.
  if (file.kind === 'placed' && packages.has(file.package) && /\.(?:go|exs?|erl)$/.test(path)) return true
  if (packages.has(file.package)) return stems.has(stemOf(path)) && stemOf(path) !== path
  return folders.has(file.name)
}

/** Returns the `…/node_modules` or `…/site-packages` folder of a path. A new one can't shadow anything: nothing was in it. */
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
