import picomatch from 'picomatch'
import { AGENT_RULES } from '../vocabulary/agent-rules.ts'
import { holdsPackages } from './package-places.ts'
import {
  DATA_FOLDERS,
  PROTECTED_BY_DEFAULT,
  type ProtectedRules,
  TEST_FOLDERS,
} from './protected-by-default.ts'

/** The word in `protected` that stands for the table. */
const DEFAULT_WORD = 'default'

/** Git's own data, dependencies and caches: they hold no tests of the project, and are too large to search. */
const PASSED_OVER = new Set([
  '.git',
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.hypothesis',
  '.tox',
  '.nox',
  '.nyc_output',
  'target',
  '.gradle',
  '.turbo',
  '.vite',
  '.vitest',
  '.cache',
])
/** Of those, what a check cannot do without. */
const KEPT_WITH_TREE = new Set(['.git', 'node_modules', '.venv', 'venv', '.tox', '.nox'])
/**
 * Where runners and compilers write: a folder of tests below one of these is their output. One of these in a folder of tests is a
 * part of the tests. What a name alone protects is protected here too.
 */
const OUTPUT_FOLDERS = new Set([
  'coverage',
  'htmlcov',
  'test-results',
  'playwright-report',
  'TestResults',
  'bin',
  'obj',
  'dist',
  'build',
  'out',
])
/** As these, but what they hold under the name of a test is protected: a build is told by it. */
const BUILD_FOLDERS = /^(?:_build|CMakeFiles|cmake-build-.+)$/
const OUTPUT_NAMES = /\.(?:class|o|tsbuildinfo|coverage|log|lcov)$/
/** What editors and interpreters leave beside any file. */
const SCRATCH_NAMES = /(?:\.py[cod]|\.swp|\.rej|\.orig|~)$/
/** Below these `target` is a name like any other, and no folder of Cargo's or Maven's. */
const SOURCE_FOLDERS = new Set(['src', 'lib', 'app', 'source', 'sources', ...TEST_FOLDERS])

/** What agent programs keep for themselves: no check is steered by it. */
const AGENT_FILES = new RegExp(
  `(?:^|/)(?:${AGENT_RULES.join('|')})\\.md$|(?:^|/)\\.(?:claude|codex|cursor|gemini|opencode)/`,
)
/**
 * Of these, rules by their kind of file: that they were deleted is told. Locks and temporary files the programs delete
 * themselves.
 */
const RULES_FILE = /\.(?:mdc?|json|toml|ya?ml|sh|py|rules)$/

/** Whether a folder, by its path, is passed over when protected files are looked for. */
export function isPassedOver(folder: string): boolean {
  const parts = folder.split('/')
  const at = parts.length - 1
  return PASSED_OVER.has(parts[at] ?? '') && !isAmongSources(parts, at)
}

/** Whether a folder, by its path, is what a runner or compiler keeps for itself and makes again if it is missing. */
export function isCache(folder: string): boolean {
  return isPassedOver(folder) && !KEPT_WITH_TREE.has(folder.slice(folder.lastIndexOf('/') + 1))
}

const DEPENDENCIES = new Set(['node_modules', '.venv', 'venv', '.tox', '.nox'])

/** Whether a package manager installs into a folder, by its path and the names beside it. */
export function holdsDependencies(folder: string, beside: readonly string[]): boolean {
  return DEPENDENCIES.has(folder.slice(folder.lastIndexOf('/') + 1)) || holdsPackages(folder, beside)
}

/** Whether a folder with these names in it is an environment of Python's. */
export function isEnvironment(names: readonly string[]): boolean {
  return names.includes('pyvenv.cfg')
}

/**
 * Tells protected paths by the globs of `protected`, where "default" stands for the table. Paths are relative, with
 * `/`, from the top of the repository or from the workspace alike. No pattern protects nothing. Throws nothing; a glob
 * that no path can match matches none.
 */
export function protectionBy(patterns: readonly string[]): (path: string) => boolean {
  const own = patterns.filter((pattern) => pattern !== DEFAULT_WORD)
  const isOwn = own.length === 0 ? () => false : picomatch([...own], { dot: true })
  const isByDefault = patterns.includes(DEFAULT_WORD) ? protectedByDefault : () => false
  return (path) => isOwn(path) || isByDefault(path)
}

/**
 * As `protectionBy`, and where it holds "default" agents' own rules too: what is weakened among these is told, and
 * holds nothing.
 */
export function toldBy(patterns: readonly string[]): (path: string) => boolean {
  const isProtected = protectionBy(patterns)
  return patterns.includes(DEFAULT_WORD) ? (path) => isAgentRule(path) || isProtected(path) : isProtected
}

function isAgentRule(path: string): boolean {
  return AGENT_FILES.test(path) && RULES_FILE.test(path)
}

/** Whether the table protects a path. */
export function protectedByDefault(path: string): boolean {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  if (SCRATCH_NAMES.test(name) || AGENT_FILES.test(path)) return false
  if (parts.some((part, at) => PASSED_OVER.has(part) && !isAmongSources(parts, at))) return false
  if (isDataOfTests(parts)) return true
  if (OUTPUT_NAMES.test(name)) return false
  const { folders, plainNames, names, paths } = compiled()
  if (plainNames.has(name) || names.test(name) || paths.test(path)) return true
  const at = parts.findIndex((part) => folders.has(part))
  return at >= 0 && !parts.slice(0, at).some((part) => OUTPUT_FOLDERS.has(part))
}

/** Whether a path lies where a check builds: a run of it makes or changes most of what is there. */
export function isBuildOutput(path: string): boolean {
  const folders = path.split('/').slice(0, -1)
  return folders.some((folder) => OUTPUT_FOLDERS.has(folder) || BUILD_FOLDERS.test(folder))
}

function isAmongSources(folders: readonly string[], at: number): boolean {
  return folders[at] === 'target' && folders.slice(0, at).some((folder) => SOURCE_FOLDERS.has(folder))
}

function isDataOfTests(folders: readonly string[]): boolean {
  const at = folders.findIndex((folder) => DATA_FOLDERS.includes(folder))
  return at >= 0 && !folders.slice(0, at).some((folder) => OUTPUT_FOLDERS.has(folder))
}

interface Compiled {
  readonly folders: ReadonlySet<string>
  /** Those that stand for themselves, half of all: to make an expression of each takes longer than all else here. */
  readonly plainNames: ReadonlySet<string>
  readonly names: RegExp
  readonly paths: RegExp
}

/** Nothing in it means more than itself in a glob. */
const PLAIN_NAME = /^[\w.-]+$/

let memory: Compiled | null = null

/** Once: the table makes some hundred expressions, which are joined into two. */
function compiled(): Compiled {
  if (memory !== null) return memory
  const rules: readonly ProtectedRules[] = Object.values(PROTECTED_BY_DEFAULT)
  const globs = rules.flatMap(({ names = [] }) => names)
  memory = {
    folders: new Set(rules.flatMap(({ folders = [] }) => folders)),
    plainNames: new Set(globs.filter((glob) => PLAIN_NAME.test(glob))),
    names: joined(globs.filter((glob) => !PLAIN_NAME.test(glob))),
    paths: joined(rules.flatMap(({ paths = [] }) => paths)),
  }
  return memory
}

function joined(globs: readonly string[]): RegExp {
  return new RegExp(globs.map((glob) => `(?:${picomatch.makeRe(glob, { dot: true }).source})`).join('|'))
}
