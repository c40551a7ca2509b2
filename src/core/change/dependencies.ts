import { LOCK_FILES, lockReader } from '../custody/lock-entries.ts'
import { readToml, type TomlValue } from '../text/toml-document.ts'
import type { TextChange } from './test-changes.ts'

/** A manifest's dependency for which its lock file has no new entry. */
export interface UnlockedDependency {
  readonly path: string
  readonly name: string
  readonly lock: string
}

interface Ecosystem {
  readonly manifest: RegExp
  readonly locks: readonly string[]
  /** Returns the dependencies by name, with the version that the manifest requests; `null` if it can't be read. */
  readonly read: (text: string) => ReadonlyMap<string, string> | null
}

const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    manifest: /(?:^|\/)package\.json$/,
    locks: LOCK_FILES,
    read: (text) => fromJson(text, /^(?:dev|optional)?dependencies$/i),
  },
  {
    manifest: /(?:^|\/)composer\.json$/,
    locks: ['composer.lock'],
    read: (text) => fromJson(text, /^require(?:-dev)?$/),
  },
  {
    manifest: /(?:^|\/)pyproject\.toml$/,
    locks: ['uv.lock', 'poetry.lock', 'pdm.lock'],
    read: (text) =>
      fromToml(
        text,
        /^(?:project\.(?:dependencies|optional-dependencies)|dependency-groups|tool\.poetry\.(?:group\..*)?dependencies)/,
      ),
  },
  {
    manifest: /(?:^|\/)Pipfile$/,
    locks: ['Pipfile.lock'],
    read: (text) => fromToml(text, /^(?:dev-)?packages/),
  },
  {
    manifest: /(?:^|\/)Cargo\.toml$/,
    locks: ['Cargo.lock'],
    read: (text) => fromToml(text, /(?:^|\.)(?:dev-|build-)?dependencies(?:\.|$)/),
  },
  {
    manifest: /(?:^|\/)go\.mod$/,
    locks: ['go.sum'],
    read: (text) => fromLines(text, /^(?:require\s+)?([\w./-]+\.[\w./-]+)\s+(v\S+)/),
  },
  {
    manifest: /(?:^|\/)Gemfile$/,
    locks: ['Gemfile.lock'],
    read: (text) => fromLines(text, /^gem\s+['"]([\w-]+)['"](.*)$/),
  },
]

/**
 * Returns dependencies that were added or requested in another version although the lock file beside or above the manifest has no new entry
 * for them. Removed dependencies don't count. Pure; never throws.
 */
export function findUnlockedDependencies(
  changes: readonly TextChange[],
  isFile: (path: string) => boolean,
): readonly UnlockedDependency[] {
  const changed = new Map(changes.map((change) => [change.path, change]))
  return changes.flatMap(({ path, before, after }): UnlockedDependency[] => {
    const ecosystem = ECOSYSTEMS.find(({ manifest }) => manifest.test(path))
    if (ecosystem === undefined || after === null) return []
    const [old, now] = [
      before === null ? new Map<string, string>() : ecosystem.read(before),
      ecosystem.read(after),
    ]
    if (old === null || now === null) return []
    const moved = [...now].filter(([name, wanted]) => old.get(name) !== wanted && !isLocal(wanted))
    const lock = nearestLock(path, ecosystem.locks, isFile)
    if (moved.length === 0 || lock === null) return []
    const lockChange = changed.get(lock)
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    return moved.flatMap(([name]) =>
      lockChange !== undefined && saysSomethingNew(lockChange, name, folder) ? [] : [{ path, name, lock }],
    )
  })
}

/** Returns whether a dependency is a folder of the same repository, which needs no lock entry. */
function isLocal(wanted: string): boolean {
  return /^"?(?:workspace|file|link|portal):|"?path"?\s*[:=]|^"?\*"?$/.test(wanted)
}

/** Returns whether a lock file has a new entry. For one that was not read (too large), any change is enough. */
function saysSomethingNew({ path, before, after }: TextChange, name: string, folder: string): boolean {
  if (after === null || after === '' || !LOCK_FILES.includes(lockName(path))) return true
  const way = `${folder.slice(path.lastIndexOf('/') + 1)}node_modules/${name}`
  const entry = (text: string): string => {
    const read = lockReader(lockName(path), text)
    return read(way, name) || read(`node_modules/${name}`, name)
  }
  const now = entry(after)
  return now !== '' && (before === null || entry(before) !== now || rangeIsKept(after, name))
}

/** Returns whether the lock names the dependency: a wider range may keep its version. */
function rangeIsKept(lock: string, name: string): boolean {
  return lock.includes(`"${name}":`) || lock.includes(`${name}@`)
}

function lockName(path: string): (typeof LOCK_FILES)[number] {
  // Safe: it is only compared with names of the list, and any other name matches none.
  return path.slice(path.lastIndexOf('/') + 1) as (typeof LOCK_FILES)[number]
}

function nearestLock(
  manifest: string,
  locks: readonly string[],
  isFile: (path: string) => boolean,
): string | null {
  for (let folder = manifest; folder !== ''; ) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
    const found = locks.map((lock) => (folder === '' ? lock : `${folder}/${lock}`)).find(isFile)
    if (found !== undefined) return found
  }
  return null
}

function fromJson(text: string, sections: RegExp): ReadonlyMap<string, string> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value !== 'object' || value === null) return null
    return new Map(
      Object.entries(value).flatMap(([key, section]) =>
        sections.test(key) && typeof section === 'object' && section !== null
          ? Object.entries(section).map(([name, wanted]): [string, string] => [name, String(wanted)])
          : [],
      ),
    )
  } catch {
    return null
  }
}

function fromToml(text: string, sections: RegExp): ReadonlyMap<string, string> | null {
  const reading = readToml(text)
  return reading.ok ? new Map(collect(reading.document.root, '', sections, 0)) : null
}

/** No real manifest is nested deeper. */
const MAX_DEPTH = 8

function collect(value: TomlValue, path: string, sections: RegExp, depth: number): [string, string][] {
  if (typeof value !== 'object' || value instanceof Date || depth > MAX_DEPTH) return []
  if (Array.isArray(value))
    return sections.test(path)
      ? value.flatMap((item): [string, string][] =>
          typeof item === 'string' ? [[item.split(/[\s<>=!~;[(@]/)[0] ?? item, item]] : [],
        )
      : []
  return Object.entries(value).flatMap(([key, inside]): [string, string][] => {
    const below = path === '' ? key : `${path}.${key}`
    if (sections.test(path) && !Array.isArray(inside) && !sections.test(below.slice(path.length + 1)))
      return [[key, JSON.stringify(inside)]]
    return collect(inside, below, sections, depth + 1)
  })
}

function fromLines(text: string, entry: RegExp): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const [, name, wanted = ''] = entry.exec(line.trim().replace(/\s*\/\/.*$/, '')) ?? []
      return name === undefined ? [] : [[name, wanted]]
    }),
  )
}
