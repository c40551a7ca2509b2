import { join } from 'node:path'
import { z } from 'zod'
import {
  detectRunner,
  detectRunners,
  detectTestCommand,
  type NodeProject,
  type PackageManager,
  type ProjectFiles,
  type PythonProject,
  type TestProbe,
} from '../../core/reports/detect-runner.ts'
import { readToml, type TomlValue } from '../../core/text/toml-document.ts'
import { groundOf, readBeneath } from '../files/beneath.ts'
import { exists } from '../files/durable-file.ts'
import { readdir } from '../files/names.ts'

/** What is proposed for a folder's tests. Nothing in the folder is run. */
export interface TestProposal {
  /** A probe that reads its test runner's report; null if no runner with a supported report is found. */
  readonly probe: TestProbe | null
  /** The command that runs its tests, with or without a report; null if unknown. */
  readonly command: readonly string[] | null
}

/** Where a project's files are read: a folder on disk, or one of a tree in git. Paths are relative to the folder, with `/`. */
export interface ProjectFolder {
  /** `null`: missing, or too large to be such a file. */
  readonly readText: (path: string) => Promise<string | null>
  readonly has: (path: string) => Promise<boolean>
  /** Returns the names in a folder; empty if it does not exist. */
  readonly list: (folder: string) => Promise<readonly string[]>
}

/** Proposes how to run the tests, from the project's own files. Never rejects; ignores broken or huge files. */
export async function proposeTests(directory: string): Promise<TestProposal> {
  const folder = onDisk(directory)
  const project = await readProject(folder)
  const command = detectTestCommand(project) ?? (await commandByFile(folder))
  return { probe: detectRunner(project), command }
}

/** Returns the commands that run all tests of a folder, one per ecosystem; those with a supported report come first. */
export async function proposeGates(folder: ProjectFolder): Promise<readonly (readonly string[])[]> {
  const project = await readProject(folder)
  const reported = detectRunners(project)
  if (reported.length > 0) return reported.map(({ command }) => command)
  const command = detectTestCommand(project) ?? (await commandByFile(folder))
  return command === null ? [] : [command]
}

function onDisk(directory: string): ProjectFolder {
  return {
    readText: async (path) => {
      const reading = await readBeneath(groundOf(directory), path, MAX_BYTES)
      return reading.ok ? reading.bytes.toString('utf8') : null
    },
    has: (path) => exists(join(directory, path)).catch(() => false),
    list: (folder) => readdir(join(directory, folder)).catch((): string[] => []),
  }
}

async function readProject(folder: ProjectFolder): Promise<ProjectFiles> {
  const has = (...names: string[]): Promise<boolean> => hasAny(folder, names)
  const [node, python, hasGoModule, hasCargo, hasNextest, hasPhpUnit, others] = await Promise.all([
    readNode(folder),
    readPython(folder),
    has('go.mod'),
    has('Cargo.toml'),
    has('.config/nextest.toml'),
    has('phpunit.xml', 'phpunit.xml.dist'),
    commandsByFile(folder),
  ])
  return { node, python, hasGoModule, rust: hasCargo ? { hasNextest } : null, hasPhpUnit, others }
}

/** Larger than any such file that people write. */
const MAX_BYTES = 1024 * 1024

async function hasAny(folder: ProjectFolder, names: readonly string[]): Promise<boolean> {
  const found = await Promise.all(names.map((name) => folder.has(name)))
  return found.includes(true)
}

/** A table of texts; other values are left out, so that one odd entry does not hide the others. */
const texts = z
  .record(z.string(), z.unknown())
  .transform((table) =>
    Object.fromEntries(
      Object.entries(table).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  )
  .catch({})

const packageSchema = z.object({
  scripts: texts,
  dependencies: texts,
  devDependencies: texts,
  packageManager: z.string().catch(''),
})

/** Returns the scripts of the folder's package.json; empty if there is none. Never rejects. */
export async function readPackageScripts(directory: string): Promise<Readonly<Record<string, string>>> {
  return (await readNode(onDisk(directory)))?.scripts ?? {}
}

async function readNode(folder: ProjectFolder): Promise<NodeProject | null> {
  const text = await folder.readText('package.json')
  if (text === null) return null
  const parsed = packageSchema.safeParse(parseJson(text))
  if (!parsed.success) return null
  const { scripts, dependencies, devDependencies, packageManager } = parsed.data
  return {
    manager: await managerOf(folder, packageManager),
    scripts,
    dependencies: new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}

const LOCKS: readonly (readonly [PackageManager, ...string[]])[] = [
  ['pnpm', 'pnpm-lock.yaml'],
  ['yarn', 'yarn.lock'],
  ['bun', 'bun.lock', 'bun.lockb'],
]

/** The one named in package.json (`pnpm@9.1.0`), else by the lock file. */
async function managerOf(folder: ProjectFolder, named: string): Promise<PackageManager> {
  const word = named.split('@')[0]
  for (const [manager, ...locks] of LOCKS) {
    if (word === manager || (word === '' && (await hasAny(folder, locks)))) return manager
  }
  return 'npm'
}

const PYTHON_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini', 'pytest.ini']

async function readPython(folder: ProjectFolder): Promise<PythonProject | null> {
  const hasUnittests = await findsUnittests(folder)
  if (!hasUnittests && !(await hasAny(folder, [...PYTHON_FILES, 'conftest.py']))) return null
  return { usesPytest: await usesPytest(folder), hasUnittests, python: await pythonOf(folder) }
}

/** `python -m unittest` looks for `test*.py` in the folder and in its packages. */
async function findsUnittests(folder: ProjectFolder): Promise<boolean> {
  const isTest = (name: string): boolean => /^test\w*\.py$/.test(name)
  const listed = await Promise.all(['', 'tests', 'test'].map((below) => folder.list(below)))
  return listed.some((names, index) => names.some(isTest) && (index === 0 || names.includes('__init__.py')))
}

async function usesPytest(folder: ProjectFolder): Promise<boolean> {
  if (await hasAny(folder, ['pytest.ini', '.pytest.ini', 'pytest.toml', 'conftest.py', 'tests/conftest.py']))
    return true
  const [project, setup, tox, ...requirements] = await Promise.all(
    [
      ...['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt'],
      ...['dev-requirements.txt', 'requirements/dev.txt', 'requirements/test.txt'],
    ].map((name) => folder.readText(name)),
  )
  return (
    namesPytest(project ?? '') ||
    [setup, tox].some((text) => /^\[(tool:)?pytest\]/m.test(text ?? '')) ||
    [setup, ...requirements].some((text) => /^\s*pytest(?![\w.-])/m.test(text ?? ''))
  )
}

/** Returns whether a pyproject.toml configures pytest or depends on it. */
function namesPytest(text: string): boolean {
  const reading = readToml(text)
  return reading.ok && mentions(reading.document.root)
}

function mentions(value: TomlValue): boolean {
  if (typeof value === 'string') return /^pytest(?![\w.-])/.test(value)
  if (typeof value !== 'object' || value instanceof Date) return false
  return Array.isArray(value)
    ? value.some(mentions)
    : Object.entries(value).some(([name, inside]) => name === 'pytest' || mentions(inside))
}

/** Returns the python that has the project's packages. */
async function pythonOf(folder: ProjectFolder): Promise<readonly string[]> {
  const own = ['.venv/bin/python', 'venv/bin/python', '.venv/Scripts/python.exe', 'venv/Scripts/python.exe']
  if (await hasAny(folder, ['uv.lock'])) return ['uv', 'run', 'python']
  if (await hasAny(folder, ['poetry.lock'])) return ['poetry', 'run', 'python']
  for (const path of own) if (await hasAny(folder, [path])) return [path]
  return [process.platform === 'win32' ? 'python' : 'python3']
}

/** How projects of other kinds run their tests, by a file or folder that such a project has; the first match is used. */
const COMMANDS: readonly (readonly [file: string, command: readonly string[]])[] = [
  ['mvnw', ['./mvnw', '-q', 'test']],
  ['pom.xml', ['mvn', '-q', 'test']],
  ['gradlew', ['./gradlew', 'test']],
  ['build.gradle', ['gradle', 'test']],
  ['build.gradle.kts', ['gradle', 'test']],
  ['mix.exs', ['mix', 'test']],
  ['deno.json', ['deno', 'test']],
  ['deno.jsonc', ['deno', 'test']],
  ['.rspec', ['rspec']],
]
/** The same if a name alone is not enough: a folder with files of that kind. */
const FOLDERS: readonly (readonly [folder: string, files: RegExp, command: readonly string[]])[] = [
  ['', /\.(?:sln|slnx|csproj|fsproj|vbproj)$/, ['dotnet', 'test']],
  ['spec', /_spec\.rb$/, ['rspec']],
  ['t', /\.t$/, ['prove', '-lr', 't']],
  ['test', /\.bats$/, ['bats', 'test']],
  ['tests', /\.bats$/, ['bats', 'tests']],
]

async function commandsByFile(folder: ProjectFolder): Promise<readonly (readonly string[])[]> {
  const named = await Promise.all(
    COMMANDS.map(async ([file, command]) => ((await hasAny(folder, [file])) ? [command] : [])),
  )
  const listed = await Promise.all(
    FOLDERS.map(async ([below, files, command]) => {
      const names = await folder.list(below)
      return names.some((name) => files.test(name)) ? [command] : []
    }),
  )
  const isBundled = await hasAny(folder, ['Gemfile.lock'])
  return [...named, ...listed]
    .flat()
    .map((command) => (isBundled && command[0] === 'rspec' ? ['bundle', 'exec', ...command] : command))
}

async function commandByFile(folder: ProjectFolder): Promise<readonly string[] | null> {
  if (await hasAny(folder, ['Rakefile'])) {
    const names = await folder.list('test')
    if (names.some((name) => /(?:^test_|_test)\w*\.rb$/.test(name))) return ['rake', 'test']
  }
  const makefile = await folder.readText('Makefile')
  return makefile !== null && /^test\s*:/m.test(makefile) ? ['make', 'test'] : null
}
