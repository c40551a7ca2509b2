import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { z } from 'zod'
import type { OutsideFile } from '../../core/custody/outside-files.ts'
import { readStored } from '../files/bounded-file.ts'
import type { Log } from '../ports/log.ts'
import type { AgentTimes } from './agent-times.ts'
import { keepFile } from './keep-file.ts'

/*
 * Files outside the tree that affect checks, as the operator last left them. File change times, which only the system can set,
 * tell who made a change.
 */

/** What to watch for one configuration. */
export interface Watched {
  readonly files: readonly OutsideFile[]
  /** The top folder of the tree; files are looked for above it. */
  readonly top: string
  /** True if files in the user's own folder count that make Python or pytest run code when they start. */
  readonly python: boolean
  /** True if Ruby packages that the user has installed count in the same way. */
  readonly ruby: boolean
}

interface Seen {
  /** SHA-256 of the part that counts; empty: the file does not exist, or nothing in it counts. */
  readonly content: string
  /** When the file system last changed anything about it, epoch ms; `null` if it does not exist. */
  readonly changedMs: number | null
  /** If it is a folder, the files that it represents. */
  readonly files?: readonly string[]
}

const documentSchema = z.object({
  $schema: z.literal('pulseward.outside.v1'),
  /** Absolute path and content; a folder represents the files that Python runs when it starts. */
  files: z.array(z.tuple([z.string(), z.string()])),
})
const MAX_BYTES = 4 * 1024 * 1024
const MAX_TEXT_BYTES = 1024 * 1024
const MAX_IN_FOLDER = 200

export interface OutsideCustody {
  /**
   * Called before an agent starts: adds to the baseline what was never looked at before, and what changed while no agent ran. Never
   * rejects.
   */
  begin(watched: Watched): Promise<void>
  /** Returns the files that agents have changed since, as `~/…` or absolute paths. Never rejects. */
  touched(): Promise<readonly string[]>
  /** Returns a text that changes whenever one of the files does. */
  print(): string
  /** Makes what is there now the new baseline. */
  accept(): Promise<void>
}

/** `directory`: where the record is kept. */
export function createOutsideCustody(
  directory: string,
  times: Pick<AgentTimes, 'has'>,
  log: Pick<Log, 'warn'>,
): OutsideCustody {
  const path = join(directory, 'outside.json')
  let memory: ReadonlyMap<string, string> | null = null
  let watched: Watched | null = null

  const load = async () => (memory ??= await readDocument(path))
  async function save(next: ReadonlyMap<string, string>): Promise<void> {
    const isSame = [...next].every(([file, content]) => memory?.get(file) === content)
    if (isSame) return
    memory = next
    const document = { $schema: 'pulseward.outside.v1', files: [...next] } satisfies z.infer<
      typeof documentSchema
    >
    await keepFile(path, JSON.stringify(document), log)
  }
  async function agentsChanges(): Promise<readonly string[]> {
    if (watched === null) return []
    const [known, isAgents] = [await load(), await times.has()]
    return [...look(watched)].flatMap(([file, { content, changedMs, files = [] }]) => {
      const before = known.get(file)
      if (before === undefined || before === content) return []
      if (changedMs !== null && !isAgents(changedMs)) return []
      return files.length === 0 ? [file] : files
    })
  }

  return {
    begin: async (next) => {
      watched = next
      const [known, isAgents] = [await load(), await times.has()]
      const now = look(next)
      const kept = [...now].map(([file, { content, changedMs }]): [string, string] => {
        const before = known.get(file)
        const isLeft = before !== undefined && changedMs !== null && isAgents(changedMs)
        return [file, isLeft ? before : content]
      })
      if (now.size > 0) await save(new Map([...known, ...kept]))
    },
    touched: async () => (await agentsChanges()).map(shown),
    print: () =>
      watched === null
        ? ''
        : JSON.stringify([...look(watched)].map(([file, { content }]) => [file, content])),
    accept: async () => {
      if (watched === null) return
      const now = [...look(watched)].map(([file, { content }]): [string, string] => [file, content])
      await save(new Map([...(await load()), ...now]))
    },
  }
}

function look({ files, top, python, ruby }: Watched): ReadonlyMap<string, Seen> {
  const seen = new Map<string, Seen>()
  const above = foldersAbove(top)
  for (const { path, from, counts } of files)
    for (const place of from === 'home' ? [homePlace(path)] : above.map((folder) => join(folder, path)))
      seen.set(place, seenFile(place, counts))
  if (python) seen.set(join(homedir(), '.local', 'lib'), seenTogether(userSites().flatMap(startFiles)))
  if (ruby) seen.set(join(homedir(), '.gem'), seenTogether(gemPlugins()))
  return seen
}

/** Resolves a path in the home folder. `.config` may be elsewhere. */
function homePlace(path: string): string {
  const configured = process.env.XDG_CONFIG_HOME
  return path.startsWith('.config/') && configured !== undefined && configured !== ''
    ? join(configured, path.slice('.config/'.length))
    : join(homedir(), path)
}

function foldersAbove(top: string): readonly string[] {
  const above = dirname(top)
  return above === top ? [] : [above, ...foldersAbove(above)]
}

function seenFile(place: string, counts: OutsideFile['counts']): Seen {
  try {
    const stats = statSync(place)
    if (stats.isDirectory())
      return seenTogether(
        namesIn(place)
          .slice(0, MAX_IN_FOLDER)
          .map((name) => join(place, name)),
      )
    const text =
      stats.isFile() && stats.size <= MAX_TEXT_BYTES ? readFileSync(place, 'utf8') : `${stats.size}`
    const counted = counts(text)
    return { content: counted === '' ? '' : hashOf(counted), changedMs: changedAt(place) }
  } catch {
    return { content: '', changedMs: null }
  }
}

/** Returns the later change time of the file and of a link that leads to it. */
function changedAt(place: string): number {
  try {
    return Math.max(lstatSync(place).ctimeMs, statSync(place).ctimeMs)
  } catch {
    return 0
  }
}

const STARTS_PYTHON = /^(?:.*\.pth|sitecustomize\.py|usercustomize\.py)$/

/** Returns the folders of the packages that the user installed for Python, for all versions. */
function userSites(): readonly string[] {
  const own = join(homedir(), '.local', 'lib')
  const versions = join(homedir(), '.pyenv', 'versions')
  const libraries = [own, ...namesIn(versions).map((name) => join(versions, name, 'lib'))]
  return libraries.flatMap((library) =>
    namesIn(library)
      .filter((name) => /^(?:python|pypy)\d/.test(name))
      .map((name) => join(library, name, 'site-packages')),
  )
}

/** Combines files that run at a start into one entry, so that adding or removing one counts too. */
function seenTogether(files: readonly string[]): Seen {
  if (files.length === 0) return { content: '', changedMs: null }
  const content = files.map((file) => `${file}\n${textOf(file)}`).join('\n')
  return { content: hashOf(content), changedMs: Math.max(...files.map(changedAt)), files }
}

/** Returns the start files that no installed package claims as its own. */
function startFiles(folder: string): readonly string[] {
  const names = namesIn(folder)
  const starting = names.filter((name) => STARTS_PYTHON.test(name))
  const records = starting.length === 0 ? [] : names.filter((name) => name.endsWith('.dist-info'))
  const installed = records.map((name) => textOf(join(folder, name, 'RECORD'))).join('\n')
  const unknown = starting.filter((name) => !`\n${installed}`.includes(`\n${name},`))
  return [...unknown.map((name) => join(folder, name)), ...pytestPlugins(folder, names)]
}

/** Returns the files that make pytest load a package as a plugin: it affects the test results, however it was installed. */
function pytestPlugins(folder: string, names: readonly string[]): readonly string[] {
  return names
    .filter((name) => /\.(?:dist|egg)-info$/.test(name))
    .map((name) => join(folder, name, 'entry_points.txt'))
    .filter((file) => textOf(file).includes('pytest11'))
}

/** Returns the files that Minitest and RubyGems load by their name from all installed packages. */
function gemPlugins(): readonly string[] {
  const homes = [join(homedir(), '.gem', 'ruby'), join(homedir(), '.local', 'share', 'gem', 'ruby')]
  return homes
    .flatMap((home) => namesIn(home).map((version) => join(home, version, 'gems')))
    .flatMap((gems) => namesIn(gems).map((name) => join(gems, name, 'lib')))
    .flatMap((lib) => [
      ...namesIn(join(lib, 'minitest'))
        .filter((name) => name.endsWith('_plugin.rb'))
        .map((name) => join(lib, 'minitest', name)),
      ...namesIn(lib)
        .filter((name) => name === 'rubygems_plugin.rb')
        .map((name) => join(lib, name)),
    ])
}

function textOf(file: string): string {
  try {
    return statSync(file).size <= MAX_TEXT_BYTES ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function shown(file: string): string {
  const fromHome = relative(homedir(), file)
  return fromHome.startsWith('..') ? file : `~/${fromHome.replaceAll(sep, '/')}`
}

async function readDocument(path: string): Promise<ReadonlyMap<string, string>> {
  return new Map((await readStored(documentSchema, path, MAX_BYTES))?.files)
}
