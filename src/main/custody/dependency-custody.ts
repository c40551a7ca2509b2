import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import {
  type DependencyChange,
  type InstalledFile,
  installedFile,
  touchedDependencies,
} from '../../core/custody/dependencies.ts'
import { LOCK_FILES, lockReader } from '../../core/custody/lock-entries.ts'
import { PLACED_LOCKS, placedEntry, placedFile } from '../../core/custody/package-places.ts'
import { readWithinSync } from '../files/beneath.ts'
import { readStored } from '../files/bounded-file.ts'
import { existsSync, readdirSync } from '../files/names.ts'
import type { Log } from '../ports/log.ts'
import type { AgentTimes } from './agent-times.ts'
import { isFoundElsewhere } from './dependencies-elsewhere.ts'
import { type InstalledContent, type InstalledFiles, scanInstalled } from './dependency-scan.ts'
import { keepFile } from './keep-file.ts'

/*
 * Guards what was installed, as the operator last left it. A folder of dependencies is scanned when it is first seen, and again only if an
 * attempt would be verified. File change times, which only the system can set, tell who made a change.
 */

interface KnownDependencies {
  /** Folders, as paths from the top. */
  readonly folders: readonly string[]
  readonly files: InstalledFiles
  /** What the project declared about each package, by its folder. */
  readonly entries: ReadonlyMap<string, string>
}

const documentSchema = z.object({
  $schema: z.literal('pulseward.dependencies.v1'),
  folders: z.array(z.string()),
  files: z.array(z.tuple([z.string(), z.string(), z.string(), z.number()])),
  entries: z.array(z.tuple([z.string(), z.string()])),
})
const MAX_BYTES = 256 * 1024 * 1024
const MAX_LOCK_BYTES = 64 * 1024 * 1024
export interface DependencyCustody {
  /**
   * Called before an agent starts: in folders that are seen for the first time, what no agent put there becomes the baseline. Never
   * rejects.
   */
  begin(folders: readonly string[]): Promise<void>
  /** Returns files of dependencies that agents changed without an installer; `shown`: the files in git's index. Never rejects. */
  touched(folders: readonly string[], shown: ReadonlySet<string>): Promise<readonly string[]>
  /** Makes what is there now the new baseline. */
  accept(): Promise<void>
}

/** `directory`: where the record is kept; `top`: returns the top of the tree, called only once that is known. */
export function createDependencyCustody(
  directory: string,
  top: () => string,
  times: Pick<AgentTimes, 'has'>,
  log: Pick<Log, 'warn'>,
): DependencyCustody {
  const path = join(directory, 'dependencies.json')
  let memory: KnownDependencies | null = null

  async function load(): Promise<KnownDependencies> {
    memory ??= await readDocument(path)
    return memory
  }
  async function save(next: KnownDependencies): Promise<void> {
    memory = next
    const text = toDocument(next)
    await keepFile(path, text, log)
  }
  const remember = async (known: KnownDependencies, now: InstalledFiles, folders: readonly string[]) =>
    save({ ...known, folders, files: now, entries: packageEntries(top(), now) })

  return {
    begin: async (folders) => {
      const known = await load()
      const fresh = folders.filter((folder) => !known.folders.includes(folder))
      if (fresh.length === 0) return
      const isAgents = await times.has()
      const found = await scanInstalled(top(), fresh, known.files)
      // What an agent put there is judged when its work would be verified.
      const seen = new Map([...found].filter(([, { changedMs }]) => !isAgents(changedMs)))
      const entries = new Map([...known.entries, ...packageEntries(top(), seen)])
      await save({
        ...known,
        folders: [...known.folders, ...fresh],
        files: new Map([...known.files, ...seen]),
        entries,
      })
    },
    touched: async (folders, shown) => {
      const known = await load()
      const all = [...new Set([...known.folders, ...folders])]
      const now = await scanInstalled(top(), all, known.files)
      const changes = changesBetween(known, now, await times.has())
      if (changes.length === 0) return []
      const found = touchedDependencies(
        changes.filter(({ isAgents }) => isAgents),
        {
          before: known.files.keys(),
          isThere: (folder) => existsSync(join(top(), folder)),
          isDeclared: declaredBy(top(), known, now),
          isElsewhere: isFoundElsewhere(top()),
          isShown: (path) => shown.has(path),
        },
      )
      if (found.length === 0) await remember(known, now, all)
      return found
    },
    accept: async () => {
      const known = await load()
      if (known.folders.length === 0) return
      const now = await scanInstalled(top(), known.folders, known.files)
      await remember(known, now, known.folders)
    },
  }
}

/** Returns the files with different content; `isAgents`: changed while an agent ran or, for deleted files, possibly so. */
function changesBetween(
  { files }: KnownDependencies,
  now: InstalledFiles,
  isAgents: (changedMs: number) => boolean,
) {
  const changes: (DependencyChange & { readonly isAgents: boolean })[] = []
  for (const [path, after] of now) {
    const before = files.get(path)
    // Usually the same object, because unchanged files are handed on from look to look.
    if (before === after || before?.content === after.content) continue
    const kind = before === undefined ? 'added' : 'modified'
    changes.push({ path, kind, isAgents: isAgents(after.changedMs) })
  }
  for (const path of files.keys()) if (!now.has(path)) changes.push({ path, kind: 'deleted', isAgents: true })
  return changes
}

function declaredBy(
  top: string,
  known: KnownDependencies,
  now: InstalledFiles,
): (path: string, file: InstalledFile) => boolean {
  const entries = packageEntries(top, now)
  const isNew = (folder: string): boolean => {
    const entry = entries.get(folder) ?? ''
    return entry !== '' && entry !== known.entries.get(folder)
  }
  const installed = memo(() => installedByPython(top, known, now))
  return (path, file) => {
    // An installer that installed another version removed what that version does not have.
    const isOfPython = file.kind === 'python' || file.kind === 'program'
    if (isOfPython && installed().has(now.has(path) ? path : file.package)) return true
    if (file.kind === 'python') return false
    if (file.kind === 'node' || file.kind === 'placed') return isNew(file.package)
    const link = now.get(path)?.content ?? ''
    const target = link.startsWith('link:') ? join(dirname(path), link.slice('link:'.length)) : null
    const owner = target === null ? null : installedFile(target)
    return owner !== null && isNew(owner.package)
  }
}

function memo<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * Returns what the project declares about each package: its lock entry or, for a package in `node_modules` without a lock file, its own
 * version.
 */
function packageEntries(top: string, files: InstalledFiles): ReadonlyMap<string, string> {
  const readers = new Map<string, ReturnType<typeof readLock>>()
  const locks = new Map<string, ReturnType<typeof readPlacedLocks>>()
  const entries = new Map<string, string>()
  for (const path of files.keys()) {
    const file = installedFile(path)
    if (file?.kind === 'placed' && !entries.has(file.package)) {
      const { place = '', name = '' } = placedFile(path) ?? {}
      if (!locks.has(place)) locks.set(place, readPlacedLocks(top, place))
      entries.set(file.package, (locks.get(place) ?? []).map((lock) => placedEntry(...lock, name)).join(''))
    }
    if (file?.kind !== 'node' || entries.has(file.package)) continue
    const root = dirname(`${file.package.slice(0, file.package.indexOf('node_modules'))}node_modules`)
    const home = root === '.' ? '' : root
    if (!readers.has(home)) readers.set(home, readLock(top, home))
    const lock = readers.get(home)
    entries.set(
      file.package,
      lock == null
        ? ownVersion(top, join(top, file.package))
        : lock.entry(relative(lock.folder, file.package), file.name),
    )
  }
  return entries
}

/** Returns the lock file for the packages of a folder, from that folder or above it. */
function readLock(top: string, home: string) {
  for (let folder = home; ; folder = dirname(folder) === '.' ? '' : dirname(folder)) {
    for (const name of LOCK_FILES) {
      const text = readSmall(top, join(top, folder, name))
      if (text !== null) return { folder, entry: lockReader(name, text) }
    }
    if (folder === '') return null
  }
}

/** Returns name and text of the lock files for the packages of a folder other than `node_modules`. */
function readPlacedLocks(top: string, place: string): readonly (readonly [lock: string, text: string])[] {
  for (let folder = dirname(place); ; folder = dirname(folder)) {
    const found = PLACED_LOCKS.flatMap((name) => {
      const text = readSmall(top, join(top, folder, name))
      return text === null ? [] : [[name, text] as const]
    })
    if (found.length > 0 || folder === '.') return found
  }
}

function ownVersion(top: string, folder: string): string {
  const text = readSmall(top, join(folder, 'package.json'))
  return /"version"\s*:\s*"([^"]*)"/.exec(text ?? '')?.[1] ?? ''
}

function readSmall(top: string, file: string): string | null {
  return readWithinSync(top, file, MAX_LOCK_BYTES, { last: 'keep' })?.toString('utf8') ?? null
}

/** Returns the files that installers wrote with new packages, according to the record next to them. */
function installedByPython(
  top: string,
  { files }: KnownDependencies,
  now: InstalledFiles,
): ReadonlySet<string> {
  const before = new Set([...files.keys()].flatMap((path) => infoOf(path) ?? []))
  const fresh = new Set([...now.keys()].flatMap((path) => infoOf(path) ?? []))
  const installed = new Set<string>()
  for (const info of fresh) {
    if (before.has(info)) continue
    const site = dirname(info)
    for (const line of (readSmall(top, join(top, info, 'RECORD')) ?? '').split('\n')) {
      const name = line.split(',')[0]?.replace(/^"|"$/g, '') ?? ''
      if (name === '') continue
      const path = join(site, name)
      installed.add(path)
      const owner = installedFile(path)
      if (owner !== null) installed.add(owner.package)
    }
    for (const name of namesIn(join(top, info))) installed.add(`${info}/${name}`)
  }
  return installed
}

function infoOf(path: string): string | null {
  const file = installedFile(path)
  return file?.kind === 'python' && /\.(?:dist|egg)-info$/.test(file.package) ? file.package : null
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

async function readDocument(path: string): Promise<KnownDependencies> {
  const stored = await readStored(documentSchema, path, MAX_BYTES)
  if (stored === null) return { folders: [], files: new Map(), entries: new Map() }
  const { folders, files, entries } = stored
  const contents = files.map(([name, state, content, changedMs]): [string, InstalledContent] => [
    name,
    { state, content, changedMs },
  ])
  return { folders, files: new Map(contents), entries: new Map(entries) }
}

function toDocument({ folders, files, entries }: KnownDependencies): string {
  return JSON.stringify({
    $schema: 'pulseward.dependencies.v1',
    folders: [...folders],
    files: [...files].map(([path, { state, content, changedMs }]) => [path, state, content, changedMs]),
    entries: [...entries],
  } satisfies z.infer<typeof documentSchema>)
}
