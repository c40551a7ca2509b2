/*
 * Files that steer a check and hold other things too: of these only the parts that steer count. A part is what can be put back by
 * itself: a key of a JSON object, or a table of a TOML or INI file.
 */

/** Keys of `package.json` that decide what a check runs, how sources are transformed, or which package is meant. */
const PACKAGE_JSON_KEYS = [
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
  'eslintConfig',
  'prettier',
  'stylelint',
  'xo',
  'workspaces',
  'overrides',
  'resolutions',
  'pnpm',
  'packageManager',
] as const
const COMPOSER_JSON_KEYS = ['scripts', 'config', 'autoload-dev'] as const

/** By name of the file: which tables steer. A table counts with those below it. */
const TABLES: Readonly<Record<string, RegExp>> = {
  'pyproject.toml':
    /^(?:build-system|tool\.(?:pytest|coverage|tox|nox|hatch\.envs|poe|taskipy|pdm\.scripts|mypy|pyright|ruff|pylint|black|isort|flake8|mutmut|setuptools)(?:\.|$))/,
  'setup.cfg': /^(?:tool:pytest|pytest|coverage(?::|$)|flake8|mypy|isort|aliases|options\.packages)/,
  'Cargo.toml':
    /^(?:lib|bin|test|bench|example|profile|features|lints|patch|replace|workspace\.lints)(?:\.|$)/,
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
  const keys = jsonKeys(name)
  if (keys !== null) {
    const object = readObject(text)
    if (object === null) return null
    return new Map(
      keys.flatMap((key) => (Object.hasOwn(object, key) ? [[key, canonical(object[key])] as const] : [])),
    )
  }
  const tables = tablesOf(path)
  if (tables !== null) return steeringTables(text, tables)
  return name === 'go.mod' || name === 'go.work' ? goDirectives(text) : null
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
  return jsonKeys(name) !== null || tablesOf(path) !== null || name === 'go.mod' || name === 'go.work'
}

/**
 * The agent's file with the base's steering parts: a dependency that was added stays, a script that was changed does not. The
 * base's file where the two cannot be joined.
 */
export function withSteeringOf(path: string, base: string, now: string): string {
  const name = nameOf(path)
  const keys = jsonKeys(name)
  if (keys !== null) {
    const before = readObject(base)
    const after = readObject(now)
    if (before === null || after === null) return base
    const steering: readonly string[] = keys
    const kept = Object.entries(after).filter(([key]) => !steering.includes(key))
    const restored = Object.entries(before).filter(([key]) => steering.includes(key))
    return `${JSON.stringify(Object.fromEntries([...kept, ...restored]), null, 2)}\n`
  }
  const tables = tablesOf(path)
  if (tables === null) return base
  const kept = blocksOf(now).filter(({ table }) => !tables.test(table))
  const restored = blocksOf(base).filter(({ table }) => tables.test(table))
  return [...kept, ...restored]
    .map(({ text }) => (text.endsWith('\n') || text === '' ? text : `${text}\n`))
    .join('')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Which tables or sections of a file steer; `null` where it has none. */
function tablesOf(path: string): Pick<RegExp, 'test'> | null {
  if (GIT_CONFIG.test(path)) return { test: (table) => table !== '' && !GIT_NEUTRAL.test(table) }
  const name = nameOf(path)
  return Object.hasOwn(TABLES, name) ? (TABLES[name] ?? null) : null
}

function jsonKeys(name: string): readonly string[] | null {
  if (name === 'package.json') return PACKAGE_JSON_KEYS
  return name === 'composer.json' ? COMPOSER_JSON_KEYS : null
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** Keys in order, so that another order is no difference. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
}

interface Block {
  /** Empty before the first table. */
  readonly table: string
  readonly text: string
}

/** A TOML or INI file cut at the lines that begin a table. */
function blocksOf(text: string): readonly Block[] {
  const blocks: { table: string; lines: string[] }[] = [{ table: '', lines: [] }]
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:[#;].*)?\r?\n?$/.exec(line)
    if (header !== null) blocks.push({ table: (header[1] ?? '').replaceAll(/["']/g, ''), lines: [] })
    blocks.at(-1)?.lines.push(line)
  }
  return blocks.map(({ table, lines }) => ({ table, text: lines.join('') }))
}

function steeringTables(text: string, tables: Pick<RegExp, 'test'>): SteeringParts {
  const parts = new Map<string, string>()
  for (const block of blocksOf(text)) {
    if (!tables.test(block.table)) continue
    parts.set(block.table, `${parts.get(block.table) ?? ''}${withoutBlanks(block.text)}`)
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
