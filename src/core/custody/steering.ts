import { readToml } from '../text/toml-document.ts'
import { writeToml } from './write-toml.ts'

/*
 * Files that steer a check and hold other things too: of these only the parts that steer count. A part is what can be put back by
 * itself: a key of a JSON object, a value of a TOML file by its path, however that is written, or a section of an INI file.
 */

/** Keys of `package.json` that decide what a check runs, how sources are transformed, or which package is meant. */
const PACKAGE_JSON_KEYS: ReadonlySet<string> = new Set([
  'scripts',
  'type',
  'imports',
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'nyc',
  'c8',
  'babel',
  'jasmine',
  'tsd',
  'eslintConfig',
  'eslintIgnore',
  'prettier',
  'stylelint',
  'xo',
  'standard',
  'lint-staged',
  'size-limit',
  'knip',
  'cspell',
  'wireit',
  'nx',
  'workspaces',
  'overrides',
  'resolutions',
  'pnpm',
  'packageManager',
])
const COMPOSER_JSON_KEYS: ReadonlySet<string> = new Set(['scripts', 'config', 'autoload-dev'])

const MAX_TOML_LENGTH = 256 * 1024
/** Deeper than anybody's, it counts as a whole. TOML's reader has a limit of its own. */
const MAX_JSON_DEPTH = 100
/** The end of a line to some readers, and a mistake to others. */
const LONE_RETURN = /\r(?!\n)/

/** By name of the file: which paths of a TOML file steer. A path counts with all that is below it. */
const TOML_PATHS: Readonly<Record<string, RegExp>> = {
  'pyproject.toml':
    /^(?:build-system|tool\.(?:pytest|coverage|tox|nox|nose2|behave|ward|hatch\.envs|poe|taskipy|pdm\.scripts|rye\.scripts|mypy|pyright|basedpyright|ty|ruff|pylint|pycodestyle|pydocstyle|black|yapf|isort|flake8|bandit|vulture|interrogate|importlinter|mutmut|setuptools))$/,
  'Cargo.toml':
    /^(?:lib|bin|test|bench|example|profile|features|lints|patch|replace|workspace\.lints|package\.(?:auto(?:tests|benches|bins|examples)|build))$/,
}
/** By name of the file: which sections of an INI file steer. */
const INI_SECTIONS: Readonly<Record<string, RegExp>> = {
  'setup.cfg':
    /^(?:tool:pytest|pytest|nosetests|behave|coverage(?::|$)|flake8|pycodestyle|pydocstyle|pylint|mypy|isort|aliases|options\.packages)/,
}
/** Sections of git's configuration that decide neither what it shows nor what it runs. */
const GIT_NEUTRAL =
  /^(?:user|author|committer|remote|branch|push|pull|fetch|credential|gpg|commit|tag|color|column|init|rebase|merge|gc|maintenance|safe|lfs|https?|url|submodule|advice|rerere|help|gui|pack|receive|transfer)\b/i
const GIT_CONFIG = /(?:^|\/)\.git\/config(?:\.worktree)?$/

/** Directives of go files that decide which code is meant. */
const GO_DIRECTIVES = /^(?:module|go|toolchain|replace|exclude|ignore|tool|godebug|use)\b/

/** The steering parts of a file as text, in a form that is the same however they are written; by part. */
export type SteeringParts = ReadonlyMap<string, string>

/**
 * What steers in a file that also holds other things; `null` where the whole file counts: it is of another kind, or it cannot be
 * read as what its name says.
 */
export function steeringParts(path: string, text: string): SteeringParts | null {
  const name = nameOf(path)
  const isPart = keysOf(name)
  if (isPart !== null) {
    const object = readKeys(name, text)
    return object === null ? null : steeringValues(object, isPart)
  }
  const isSection = sectionsOf(path)
  if (isSection !== null) return steeringSections(text, isSection)
  return isOfGo(name) ? goDirectives(text) : null
}

/** Whether two contents steer differently. `null`: there is no such file. */
export function steersDifferently(path: string, base: string | null, now: string | null): boolean {
  if (base === now) return false
  const before = base === null ? new Map<string, string>() : steeringParts(path, base)
  const after = now === null ? new Map<string, string>() : steeringParts(path, now)
  if (before === null || after === null) return true
  if ((base === null || now === null) && !isMixed(path)) return true
  return before.size !== after.size || [...before].some(([part, text]) => after.get(part) !== text)
}

/** Whether only parts of the file count. */
export function isMixed(path: string): boolean {
  const name = nameOf(path)
  return keysOf(name) !== null || sectionsOf(path) !== null || isOfGo(name)
}

/**
 * The agent's file with the base's steering parts: a dependency that was added stays, a script that was changed does not. The
 * base's file where the two cannot be joined.
 */
export function withSteeringOf(path: string, base: string, now: string): string {
  const name = nameOf(path)
  const isPart = keysOf(name)
  if (isPart !== null) {
    const before = readKeys(name, base)
    const after = readKeys(name, now)
    if (before === null || after === null) return base
    const joined = merged(pruned(after, isPart, 'others'), pruned(before, isPart, 'steering'))
    return (isJson(name) ? `${JSON.stringify(joined, null, 2)}\n` : writeToml(joined)) ?? base
  }
  const isSection = sectionsOf(path)
  if (isSection === null) return base
  const before = blocksOf(base)
  const after = blocksOf(now)
  if (before === null || after === null) return base
  const kept = after.filter(({ section }) => !isSection(section))
  const restored = before.filter(({ section }) => isSection(section))
  return [...kept, ...restored]
    .map(({ text }) => (text.endsWith('\n') || text === '' ? text : `${text}\n`))
    .join('')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Tells by its name, or its path, whether a part steers. */
type IsSteering = (part: string) => boolean

/** Which paths of a file of keys and values steer; `null` where it is none. */
function keysOf(name: string): IsSteering | null {
  if (name === 'package.json') return (path) => PACKAGE_JSON_KEYS.has(path)
  if (name === 'composer.json') return (path) => COMPOSER_JSON_KEYS.has(path)
  const paths = Object.hasOwn(TOML_PATHS, name) ? TOML_PATHS[name] : undefined
  return paths === undefined ? null : (path) => paths.test(path)
}

/** Which sections of an INI file steer; `null` where it is none. */
function sectionsOf(path: string): IsSteering | null {
  if (GIT_CONFIG.test(path)) return (section) => section !== '' && !GIT_NEUTRAL.test(section)
  const name = nameOf(path)
  const sections = Object.hasOwn(INI_SECTIONS, name) ? INI_SECTIONS[name] : undefined
  return sections === undefined ? null : (section) => sections.test(section)
}

function isOfGo(name: string): boolean {
  return name === 'go.mod' || name === 'go.work'
}

function isJson(name: string): boolean {
  return name.endsWith('.json')
}

function readKeys(name: string, text: string): Record<string, unknown> | null {
  if (isJson(name)) return readObject(text)
  // What is longer than anybody's, or what readers read in different ways, counts as a whole.
  const read = text.length > MAX_TOML_LENGTH || LONE_RETURN.test(text) ? null : readToml(text)
  return read?.ok ? read.document.root : null
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isObject(value) && !isDeeperThan(MAX_JSON_DEPTH, value) ? value : null
  } catch {
    return null
  }
}

/** Level by level: what calls itself for each would end with the stack. */
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** A dot in a key is none between keys: `"tool.mypy"` would else stand in the place of `[tool.mypy]`. */
function pathOf(above: string, key: string): string {
  return `${above}${key.replaceAll('.', '\u0000')}`
}

/** The values at the paths that steer. */
function steeringValues(object: Record<string, unknown>, isPart: IsSteering, above = ''): SteeringParts {
  const parts = new Map<string, string>()
  for (const [key, value] of Object.entries(object)) {
    const path = pathOf(above, key)
    if (isPart(path)) parts.set(path, canonical(value))
    else if (isObject(value))
      for (const [part, text] of steeringValues(value, isPart, `${path}.`)) parts.set(part, text)
  }
  return parts
}

/** What steers of an object, or what does not. */
function pruned(
  object: Record<string, unknown>,
  isPart: IsSteering,
  wanted: 'steering' | 'others',
  above = '',
): Record<string, unknown> {
  const entries = Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
    const path = pathOf(above, key)
    if (isPart(path)) return wanted === 'steering' ? [[key, value]] : []
    if (!isObject(value)) return wanted === 'others' ? [[key, value]] : []
    const below = pruned(value, isPart, wanted, `${path}.`)
    return wanted === 'others' || Object.keys(below).length > 0 ? [[key, below]] : []
  })
  return Object.fromEntries(entries)
}

/** Two objects whose values lie at other paths. */
function merged(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const both = Object.entries(other).map(([key, value]): [string, unknown] => {
    const known = Object.hasOwn(one, key) ? one[key] : undefined
    return [key, isObject(known) && isObject(value) ? merged(known, value) : value]
  })
  return Object.fromEntries([...Object.entries(one), ...both])
}

/** Keys in order, so that another order is no difference; numbers that JSON has not by their name. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'number' && !Number.isFinite(inner)) return `${inner} of TOML`
    return isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner
  })
}

interface Block {
  /** Empty before the first section. */
  readonly section: string
  readonly text: string
}

/** Beginnings of lines that some readers take for a section and others for the end of a value: nothing is told apart by them. */
const DOUBTFUL_HEADER = /^(?:[ \t]+\[|\[(?!\s*[^\]\n]+?\s*\]\s*(?:[#;].*)?$))|\\\r?\n\[/m

/** An INI file cut at the lines that begin a section; `null` where it cannot be told which do. */
function blocksOf(text: string): readonly Block[] | null {
  if (DOUBTFUL_HEADER.test(text) || LONE_RETURN.test(text)) return null
  const blocks: { section: string; lines: string[] }[] = [{ section: '', lines: [] }]
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const header = /^\[\s*([^\]]+?)\s*\]/.exec(line)
    if (header !== null) blocks.push({ section: (header[1] ?? '').replaceAll(/["']/g, ''), lines: [] })
    blocks.at(-1)?.lines.push(line)
  }
  return blocks.map(({ section, lines }) => ({ section, text: lines.join('') }))
}

function steeringSections(text: string, isSection: IsSteering): SteeringParts | null {
  const blocks = blocksOf(text)
  if (blocks === null) return null
  const parts = new Map<string, string>()
  for (const block of blocks) {
    if (!isSection(block.section)) continue
    parts.set(block.section, `${parts.get(block.section) ?? ''}${withoutBlanks(block.text)}`)
  }
  return parts
}

/** Without comments on lines of their own, blank lines and white space at either end: none of them steers. */
function withoutBlanks(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#;]/.test(line))
    .join('\n')
}

function goDirectives(text: string): SteeringParts {
  const parts = new Map<string, string>()
  let block: string | null = null
  for (const line of text.split('\n').map((each) => each.replace(/\/\/.*$/, '').trim())) {
    if (block !== null && line === ')') block = null
    else if (block !== null) parts.set(block, `${parts.get(block) ?? ''}\n${line}`)
    else if (GO_DIRECTIVES.test(line)) {
      const directive = /^\w+/.exec(line)?.[0] ?? ''
      parts.set(directive, `${parts.get(directive) ?? ''}\n${line}`)
      if (line.endsWith('(')) block = directive
    }
  }
  return parts
}
