import picomatch from 'picomatch'
import { wordList } from '../text/word-list.ts'
import { AGENT_RULES } from '../vocabulary/agent-rules.ts'
import { holdsPackages } from './package-places.ts'
import {
  DATA_FOLDERS,
  PROTECTED_BY_DEFAULT,
  type ProtectedRules,
  TEST_FOLDERS,
} from './protected-by-default.ts'

/** The word in `protected` that stands for the default table. */
const DEFAULT_WORD = 'default'

/** Git's own data, dependencies and caches: they contain none of the project's tests, and are too large to search. */
const PASSED_OVER = new Set(
  wordList(`
    .git node_modules .venv venv __pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .tox .nox
    .nyc_output target .gradle .turbo .vite .vitest .cache
  `),
)
/** Those of them that a check needs. */
const KEPT_WITH_TREE = new Set(['.git', 'node_modules', '.venv', 'venv', '.tox', '.nox'])
/**
 * Folders into which runners and compilers write: a folder of tests below one of these is output, but one of these inside a folder of tests
 * is part of the tests. Files that are protected by name alone are protected here too.
 */
const OUTPUT_FOLDERS = new Set(
  wordList('coverage htmlcov test-results playwright-report TestResults bin obj dist build out'),
)
/** Like these, but files in them with a test's name are protected, because they affect the build. */
const BUILD_FOLDERS = /^(?:_build|CMakeFiles|cmake-build-.+)$/
const OUTPUT_NAMES = /\.(?:class|o|tsbuildinfo|coverage|log|lcov)$/
/** Files that editors and interpreters leave beside any other file. */
const SCRATCH_NAMES = /(?:\.py[cod]|\.swp|\.rej|\.orig|~)$/
/** Below these, `target` is an ordinary name, not a folder of Cargo's or Maven's. */
const SOURCE_FOLDERS = new Set(['src', 'lib', 'app', 'source', 'sources', ...TEST_FOLDERS])

/** Files that agent programs keep for themselves, which steer no check. */
const AGENT_FILES = new RegExp(
  `(?:^|/)(?:${AGENT_RULES.join('|')})\\.md$|(?:^|/)\\.(?:claude|codex|cursor|gemini|opencode)/`,
)
/**
 * Kinds of files among these that are rules, whose deletion is reported. Locks and temporary files are deleted by the programs themselves.
 */
const RULES_FILE = /\.(?:mdc?|json|toml|ya?ml|sh|py|rules)$/

/** Returns whether a folder, by its path, is skipped in the search for protected files. */
export function isPassedOver(folder: string): boolean {
  const parts = folder.split('/')
  const at = parts.length - 1
  return PASSED_OVER.has(parts[at] ?? '') && !isAmongSources(parts, at)
}

/** Returns whether a folder, by its path, is one that a runner or compiler keeps for itself and recreates if it is missing. */
export function isCache(folder: string): boolean {
  return isPassedOver(folder) && !KEPT_WITH_TREE.has(folder.slice(folder.lastIndexOf('/') + 1))
}

const DEPENDENCIES = new Set(['node_modules', '.venv', 'venv', '.tox', '.nox'])

/** Returns whether a package manager installs into a folder, by its path and the names beside it. */
export function holdsDependencies(folder: string, beside: readonly string[]): boolean {
  return DEPENDENCIES.has(folder.slice(folder.lastIndexOf('/') + 1)) || holdsPackages(folder, beside)
}

/** Returns whether a folder with these names in it is a Python environment. */
export function isEnvironment(names: readonly string[]): boolean {
  return names.includes('pyvenv.cfg')
}

/**
 * Returns a test for protected paths by the globs of `protected`, where "default" stands for the table. Paths are relative, with `/`,
 * either to the top of the repository or to the workspace. An empty list protects nothing. Never throws; an invalid glob matches nothing.
 */
export function protectionBy(patterns: readonly string[]): (path: string) => boolean {
  const own = patterns.filter((pattern) => pattern !== DEFAULT_WORD)
  const isOwn = own.length === 0 ? () => false : picomatch([...own], { dot: true })
  const isByDefault = patterns.includes(DEFAULT_WORD) ? protectedByDefault : () => false
  return (path) => isOwn(path) || isByDefault(path)
}

/**
 * Returns the test of `protectionBy`, plus agents' own rules if "default" is included: weakening those is reported, but doesn't hold the
 * work for review.
 */
export function toldBy(patterns: readonly string[]): (path: string) => boolean {
  const isProtected = protectionBy(patterns)
  return patterns.includes(DEFAULT_WORD) ? (path) => isAgentRule(path) || isProtected(path) : isProtected
}

function isAgentRule(path: string): boolean {
  return AGENT_FILES.test(path) && RULES_FILE.test(path)
}

/** Returns whether the table protects a path. */
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

/** Returns whether a path is in a folder that a check builds into, where a run creates or changes most files. */
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
  /** Names without wildcards, half of all of them: making an expression of each would take longer than everything else here. */
  readonly plainNames: ReadonlySet<string>
  readonly names: RegExp
  readonly paths: RegExp
}

/** A name without characters that are special in a glob. */
const PLAIN_NAME = /^[\w.-]+$/

let memory: Compiled | null = null

/** Compiles the table once: some hundred expressions, joined into two. */
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
