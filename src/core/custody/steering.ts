import { readToml } from '../text/toml-document.ts'
import { wordList } from '../text/word-list.ts'
import { isCMake, withAddedSources } from './cmake-targets.ts'
import { listsDependencies, withDependenciesOf, withoutDependencies } from './dependency-lists.ts'
import { belongsToCheck } from './places-of-checks.ts'
import {
  isOfLines,
  LONE_RETURN,
  nameOf,
  type SteeringParts,
  steeringLines,
  withSectionsOf,
} from './steering-sections.ts'
import { isTable, writeToml } from './write-toml.ts'

/*
 * Files that steer a check and also contain other things: only the parts that steer count. A part is anything that can be restored
 * separately: a key of a JSON object, a value of a TOML file by its path, however it is written, or a section of an INI file.
 */

/** Keys of `package.json` that decide what a check runs, how sources are transformed, or which package is meant. */
const PACKAGE_JSON_KEYS: ReadonlySet<string> = new Set([
  'scripts',
  // With `exports`, imports of this name lead to the package itself before any that is installed.
  'name',
  'type',
  'imports',
  // Scripts read it as `$npm_package_config_…`.
  'config',
  ...wordList(`
    browserslist bundlesize bundlewatch commitlint cypress devEngines jscpd typeCoverage volta jest
    vitest mocha ava tap nyc c8 babel jasmine tsd eslintConfig eslintIgnore prettier stylelint xo standard
    lint-staged size-limit knip cspell wireit nx workspaces overrides resolutions pnpm packageManager
  `),
])
/** A program of the package itself that `npx` runs instead of the installed one with that name, which checks mean. */
const TOOL_OF_OWN =
  /^bin\.(?:vitest|jest|_?mocha|ava|tap|tape|uvu|jasmine|karma|playwright|cypress|wdio|nyc|c8|tsc|tsd|vue-tsc|svelte-check|tsgo|tsx|ts-node|eslint|biome|oxlint|prettier|stylelint|xo|standard|knip|depcruise|cspell|markdownlint(?:-cli2)?|publint|attw|size-limit|turbo|nx|lerna|vite|webpack|rollup|esbuild|tsup|babel|cross-env|concurrently|npm-run-all2?|run-[sp]|rimraf|node|sh|bash|npm|pnpm|yarn)$/
const COMPOSER_JSON_KEYS: ReadonlySet<string> = new Set(['scripts', 'config', 'autoload-dev'])

/** Keys of `deno.json` that steer nothing, apart from dependencies among `imports`. */
const DENO_NEUTRAL: ReadonlySet<string> = new Set(['name', 'version', 'license', 'exports', 'publish'])
const OF_DENO = /^(?:deno\.jsonc?|import[_-]map\.json)$/
/** Matches a value that names a package; any other value may lead to a file of the project. */
const DENO_PACKAGE = /^(?:jsr|npm|https?):/

/** Returns whether a value in a file of keys steers, by its path. */
type IsSteeringValue = (path: string, value: unknown) => boolean

const MAX_TOML_LENGTH = 256 * 1024
/** Real files are not nested this deep; one that is counts as a whole. The TOML parser has a separate limit. */
const MAX_JSON_DEPTH = 100
/** Paths of TOML files that steer, by the file's name. A path includes everything below it. */
const TOML_PATHS: Readonly<Record<string, RegExp>> = {
  'pyproject.toml':
    /^(?:build-system|tool\.(?:pytest|coverage|tox|nox|nose2|behave|ward|hatch\.envs|poe|taskipy|pdm\.scripts|rye\.scripts|pixi\.tasks|mypy|pyright|basedpyright|pyre|pytype|ty|ruff|pylint|pycodestyle|pydocstyle|pydoclint|numpydoc_validation|docformatter|black|yapf|isort|flake8|bandit|semgrep|vulture|deptry|tach|refurb|codespell|djlint|sqlfluff|interrogate|importlinter|mutmut|setuptools|pytest_env|pyrefly|slipcover|xdoctest)|project\.entry-points)$/,
  'Cargo.toml':
    /^(?:lib|bin|test|bench|example|profile|features|lints|patch|replace|workspace\.(?:lints|members|default-members|exclude)|package\.(?:auto(?:tests|benches|bins|examples)|build))$/,
}
/**
 * Returns the steering parts of a file that also contains other things; `null` if the whole file counts, because it is of another kind, or
 * is not what its name says.
 */
export function steeringParts(path: string, text: string): SteeringParts | null {
  const name = nameOf(path)
  const isPart = keysOf(name)
  if (isPart !== null) {
    const object = readKeys(name, text)
    if (object === null) return null
    const parts = steeringValues(object, isPart)
    return name === 'package.json' && object.exports === undefined ? without('name', parts) : parts
  }
  if (listsDependencies(name))
    return new Map([['more than its dependencies', withoutDependencies(name, text)]])
  return steeringLines(path, text)
}

/** Returns whether two contents steer differently. `null` means that there is no such file. */
export function steersDifferently(path: string, base: string | null, now: string | null): boolean {
  if (base === now) return false
  const before = base === null ? new Map<string, string>() : steeringParts(path, base)
  const after = now === null ? new Map<string, string>() : steeringParts(path, now)
  if (before === null || after === null) return true
  if ((base === null || now === null) && !isMixed(path)) return true
  return before.size !== after.size || [...before].some(([part, text]) => after.get(part) !== text)
}

/** Returns whether only parts of the file count. */
export function isMixed(path: string): boolean {
  const name = nameOf(path)
  return keysOf(name) !== null || listsDependencies(name) || isOfLines(path) || isCMake(path)
}

/**
 * Returns the agent's file with the base's steering parts: an added dependency is kept, a changed script is not. Returns the base's file if
 * the two can't be joined.
 */
export function withSteeringOf(path: string, base: string, now: string): string {
  if (isCMake(path)) return withAddedSources(base, now)
  const name = nameOf(path)
  const isPart = keysOf(name)
  if (isPart !== null) {
    const before = readKeys(name, base)
    const after = readKeys(name, now)
    if (before === null || after === null) return base
    const joined = merged(pruned(after, isPart, 'others'), pruned(before, isPart, 'steering'))
    return (isJson(name) ? `${JSON.stringify(joined, null, 2)}\n` : writeToml(joined)) ?? base
  }
  return (
    (listsDependencies(name) ? withDependenciesOf(name, base, now) : withSectionsOf(path, base, now)) ?? base
  )
}

/** Returns a test for the paths that steer in a file of keys and values; `null` if it is not one. */
function keysOf(name: string): IsSteeringValue | null {
  if (name === 'package.json')
    return (path, value) => PACKAGE_JSON_KEYS.has(path) || TOOL_OF_OWN.test(path) || exportsCheck(path, value)
  if (name === 'composer.json') return (path) => COMPOSER_JSON_KEYS.has(path)
  if (OF_DENO.test(name)) return steersDeno
  const paths = Object.hasOwn(TOML_PATHS, name) ? TOML_PATHS[name] : undefined
  return paths === undefined ? null : (path) => paths.test(path)
}

/** Conditions of `exports` that apply where tests run, but not for everyone who uses the package. */
const WHERE_TESTS_RUN = /(?:^|\.)(?:node|development|test|vitest|jest)$/

/**
 * Returns whether an entry of `exports` is one by which tests import their helpers from the package itself, by its name or
 * its target, or one that leads tests somewhere other than where it leads other users. Other entries belong to the package,
 * and change with its sources.
 */
function exportsCheck(path: string, value: unknown): boolean {
  if (!path.startsWith('exports.')) return false
  const key = path.slice('exports.'.length).replaceAll('\u0000', '.')
  if (WHERE_TESTS_RUN.test(key)) return true
  return belongsToCheck(key, []) || namesIn(value).some((target) => belongsToCheck(target, []))
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return isNested(value) ? Object.values(value).flatMap(namesIn) : []
}

function steersDeno(path: string, value: unknown): boolean {
  const [top = '', ...below] = path.split('.')
  if (top !== 'imports') return !DENO_NEUTRAL.has(top)
  return below.length > 0 && !(typeof value === 'string' && DENO_PACKAGE.test(value))
}

function isJson(name: string): boolean {
  return /\.jsonc?$/.test(name)
}

function readKeys(name: string, text: string): Record<string, unknown> | null {
  if (isJson(name)) return readObject(text)
  // A file longer than any real one, or one that readers read differently, counts as a whole.
  const read = text.length > MAX_TOML_LENGTH || LONE_RETURN.test(text) ? null : readToml(text)
  return read?.ok ? read.document.root : null
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isTable(value) && !isDeeperThan(MAX_JSON_DEPTH, value) ? value : null
  } catch {
    return null
  }
}

/** Works level by level, because recursion would overflow the stack. */
function isDeeperThan(limit: number, value: object): boolean {
  let level: readonly object[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap((each) => Object.values(each).filter(isNested))
  }
  return false
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Returns the path of a key. Escapes dots inside the key, because otherwise `"tool.mypy"` could pass for `[tool.mypy]`. */
function pathOf(above: string, key: string): string {
  return `${above}${key.replaceAll('.', '\u0000')}`
}

function without(part: string, parts: SteeringParts): SteeringParts {
  return new Map([...parts].filter(([each]) => each !== part))
}

/** Returns the values at the paths that steer. */
function steeringValues(object: Record<string, unknown>, isPart: IsSteeringValue, above = ''): SteeringParts {
  const parts = new Map<string, string>()
  for (const [key, value] of Object.entries(object)) {
    const path = pathOf(above, key)
    if (isPart(path, value)) parts.set(path, canonical(value))
    else if (isTable(value))
      for (const [part, text] of steeringValues(value, isPart, `${path}.`)) parts.set(part, text)
  }
  return parts
}

/** Returns the parts of an object that steer, or the others. */
function pruned(
  object: Record<string, unknown>,
  isPart: IsSteeringValue,
  wanted: 'steering' | 'others',
  above = '',
): Record<string, unknown> {
  const entries = Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
    const path = pathOf(above, key)
    if (isPart(path, value)) return wanted === 'steering' ? [[key, value]] : []
    if (!isTable(value)) return wanted === 'others' ? [[key, value]] : []
    const below = pruned(value, isPart, wanted, `${path}.`)
    return wanted === 'others' || Object.keys(below).length > 0 ? [[key, below]] : []
  })
  return Object.fromEntries(entries)
}

/** Returns two objects joined; their values are at different paths. */
function merged(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const both = Object.entries(other).map(([key, value]): [string, unknown] => {
    const known = Object.hasOwn(one, key) ? one[key] : undefined
    return [key, isTable(known) && isTable(value) ? merged(known, value) : value]
  })
  return Object.fromEntries([...Object.entries(one), ...both])
}

/** Returns JSON with sorted keys, so that order makes no difference; numbers that JSON lacks are written by name. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'number' && !Number.isFinite(inner)) return `${inner} of TOML`
    return isTable(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner
  })
}
