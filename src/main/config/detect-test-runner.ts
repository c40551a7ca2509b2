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
import { lastCommand } from '../../core/reports/script-text.ts'
import { parseJson } from '../../core/text/json.ts'
import { readToml, type TomlValue } from '../../core/text/toml-document.ts'
import { groundOf, readBeneath } from '../files/beneath.ts'
import { exists } from '../files/durable-file.ts'
import { readdir } from '../files/names.ts'

/** What is proposed for running a folder's tests. Nothing in the folder is run to find out. */
export interface TestProposal {
  /** A probe that reads its test runner's report; null if no runner with a supported report is found. */
  readonly probe: TestProbe | null
  /** The command that runs its tests, with or without a report; null if unknown. */
  readonly command: readonly string[] | null
}

/** Where a project's files are read: a folder on disk, or one of a tree in git. Paths are relative to the folder, with `/`. */
export interface ProjectFolder {
  /** Returns `null` if the file is missing or too large to be a configuration file. */
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
  const [node, python, others] = await Promise.all([
    readNode(folder),
    readPython(folder),
    commandsByFile(folder),
  ])
  return { node, python, others }
}

/** Larger than any such file that a person would write. */
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
  const parsed = packageSchema.safeParse(parseJson(text.replace(/^\uFEFF/, '')))
  if (!parsed.success) return null
  const { scripts, dependencies, devDependencies, packageManager } = parsed.data
  return {
    manager: await managerOf(folder, packageManager),
    scripts,
    dependencies: new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]),
    hasTestFiles: await hasTestFiles(folder),
  }
}

/** Returns whether `bun test` would find tests in the folders where people usually put them. */
async function hasTestFiles(folder: ProjectFolder): Promise<boolean> {
  const names = await Promise.all(
    ['', 'test', 'tests', 'src', '__tests__'].map((below) => folder.list(below)),
  )
  return names.flat().some((name) => /[._](?:test|spec)\.[cm]?[jt]sx?$/.test(name))
}

const LOCKS: readonly (readonly [PackageManager, ...string[]])[] = [
  ['pnpm', 'pnpm-lock.yaml'],
  ['yarn', 'yarn.lock'],
  ['bun', 'bun.lock', 'bun.lockb'],
]

/** Returns the package manager named in package.json (`pnpm@9.1.0`), otherwise the one that the lock file belongs to. */
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

/** Returns whether `python -m unittest` would find tests: `test*.py` in the folder and in its packages. */
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
    [setup, ...requirements].some((text) => /^[ \t]*pytest(?![\w.-])/m.test(text ?? ''))
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

/** Returns the Python that has the project's packages. */
async function pythonOf(folder: ProjectFolder): Promise<readonly string[]> {
  const own = ['.venv/bin/python', 'venv/bin/python', '.venv/Scripts/python.exe', 'venv/Scripts/python.exe']
  if (await hasAny(folder, ['uv.lock'])) return ['uv', 'run', 'python']
  if (await hasAny(folder, ['poetry.lock'])) return ['poetry', 'run', 'python']
  for (const path of own) if (await hasAny(folder, [path])) return [path]
  return [process.platform === 'win32' ? 'python' : 'python3']
}

/** A sign that a folder runs its tests in a certain way. */
interface Sign {
  /** A file that such a project has; omitted: a file in `below` is enough. */
  readonly file?: string
  /** What its text must contain, if its name alone is not enough. */
  readonly text?: RegExp
  /** A folder that has such a file. */
  readonly below?: readonly [folder: string, files: RegExp]
  readonly command: readonly string[]
}

const RUBY_TEST = /^test_.*\.rb$|_test\.rb$/

/** How projects of other ecosystems run their tests; of each ecosystem, the first sign that is found is preferred. */
const ECOSYSTEMS: readonly (readonly Sign[])[] = [
  [{ file: 'go.mod', command: ['go', 'test', './...'] }],
  [
    { file: '.config/nextest.toml', command: ['cargo', 'nextest', 'run'] },
    { file: 'Cargo.toml', command: ['cargo', 'test'] },
  ],
  [
    { file: 'tests/Pest.php', command: ['vendor/bin/pest'] },
    ...['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'].map((file) => ({
      file,
      command: ['vendor/bin/phpunit'],
    })),
  ],
  [
    { file: 'mvnw', command: ['./mvnw', '-q', 'test'] },
    { file: 'pom.xml', command: ['mvn', '-q', 'test'] },
    { file: 'gradlew', command: ['./gradlew', 'test'] },
    { file: 'build.gradle', command: ['gradle', 'test'] },
    { file: 'build.gradle.kts', command: ['gradle', 'test'] },
  ],
  [{ file: 'mix.exs', command: ['mix', 'test'] }],
  [
    { file: 'deno.json', command: ['deno', 'test'] },
    { file: 'deno.jsonc', command: ['deno', 'test'] },
  ],
  [
    { file: '.rspec', command: ['rspec'] },
    { below: ['spec', /_spec\.rb$/], command: ['rspec'] },
  ],
  [
    { file: 'bin/rails', below: ['test', /^(?!fixtures$)/], command: ['bin/rails', 'test'] },
    // `rake test` may run another library, whose output is not read.
    ...['test/test_helper.rb', 'Gemfile', 'Rakefile'].map((file) => ({
      file,
      text: /\bminitest\b/i,
      below: ['test', RUBY_TEST] as const,
      command: ['rake', 'test'],
    })),
  ],
  [{ below: ['', /\.(?:sln|slnx|csproj|fsproj|vbproj)$/], command: ['dotnet', 'test'] }],
  [{ below: ['t', /\.t$/], command: ['prove', '-lr', 't'] }],
  [
    { below: ['test', /\.bats$/], command: ['bats', 'test'] },
    { below: ['tests', /\.bats$/], command: ['bats', 'tests'] },
  ],
  [
    {
      file: 'CMakeLists.txt',
      text: /^[ \t]*(?:enable_testing\s*\(|include\s*\(\s*CTest\b|add_test\s*\()/im,
      command: [
        'sh',
        '-c',
        'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure',
      ],
    },
  ],
]

async function commandsByFile(folder: ProjectFolder): Promise<readonly (readonly (readonly string[])[])[]> {
  const isBundled = await hasAny(folder, ['Gemfile.lock'])
  const found = await Promise.all(
    ECOSYSTEMS.map(async (signs) => {
      const commands = await Promise.all(signs.map((sign) => commandBy(folder, sign, isBundled)))
      return commands.flatMap((command) => (command === null ? [] : [command]))
    }),
  )
  return found.filter((commands) => commands.length > 0)
}

async function commandBy(
  folder: ProjectFolder,
  { file, text, below, command }: Sign,
  isBundled: boolean,
): Promise<readonly string[] | null> {
  if (file !== undefined && !(await hasAny(folder, [file]))) return null
  if (file !== undefined && text !== undefined && !text.test((await folder.readText(file)) ?? '')) return null
  if (below !== undefined && !(await folder.list(below[0])).some((name) => below[1].test(name))) return null
  if (command[0] === 'deno') return (await denoTask(folder, file ?? '')) ?? command
  return isBundled && /^(?:rspec|rake)$/.test(command[0] ?? '') ? ['bundle', 'exec', ...command] : command
}

/** Returns the command of the task `test`, which may include permissions; `null` if there is none, or it is not a plain `deno test`. */
async function denoTask(folder: ProjectFolder, file: string): Promise<readonly string[] | null> {
  const parsed = z
    .object({ tasks: texts })
    .safeParse(parseJson(((await folder.readText(file)) ?? '').replace(/^\uFEFF/, '')))
  const last = lastCommand((parsed.success ? parsed.data.tasks.test : undefined) ?? '')
  return last !== null && last.before === '' && last.words[0] === 'deno' && last.words[1] === 'test'
    ? last.words
    : null
}

async function commandByFile(folder: ProjectFolder): Promise<readonly string[] | null> {
  if (await hasAny(folder, ['Rakefile'])) {
    const names = await folder.list('test')
    if (names.some((name) => RUBY_TEST.test(name))) return ['rake', 'test']
  }
  const makefile = await folder.readText('Makefile')
  return makefile !== null && /^test\s*:/m.test(makefile) ? ['make', 'test'] : null
}
