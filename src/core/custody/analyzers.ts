import { wordList } from '../text/word-list.ts'
import { scriptOf } from './programs.ts'
import { splitShell } from './shell-words.ts'

/** Programs that read sources and execute nothing of the repository, neither its code nor a configuration that is code. */
const ANALYZERS = wordList(`
  tsc vue-tsc tsgo mypy dmypy pyright basedpyright shellcheck staticcheck golangci-lint hadolint actionlint yamllint taplo typos cppcheck
  swiftformat
`)
/** Programs that only judge how sources are written; their configuration may be code. */
const STYLE_CHECKERS = wordList('eslint prettier standard xo stylelint yapf pycodestyle rubocop')
/** Programs that are both. */
const BOTH = wordList(`
  biome oxlint dprint ruff black isort flake8 pyflakes gofmt goimports rustfmt shfmt clang-format
`)

interface Programs {
  readonly names: ReadonlySet<string>
  readonly subcommands: ReadonlySet<string>
}
const ANALYZING: Programs = {
  names: new Set([...ANALYZERS, ...BOTH]),
  subcommands: new Set(['go vet', 'go build', 'go fmt', 'cargo fmt']),
}
const STYLE: Programs = {
  names: new Set([...STYLE_CHECKERS, ...BOTH]),
  subcommands: new Set(['go fmt', 'cargo fmt']),
}

/** Returns whether a command only analyzes sources, so that nothing in them can end it. Pure; never throws. */
export function onlyAnalyzes(command: string): boolean {
  return areAll(command, ANALYZING)
}

/** Returns whether a command only judges how sources are written: formatters and linters. Pure; never throws. */
export function onlyChecksStyle(command: string): boolean {
  return areAll(command, STYLE)
}

function areAll(command: string, programs: Programs): boolean {
  const commands = splitShell(command)
  return !/[$`]/.test(command) && commands.length > 0 && commands.every((words) => isOf(words, programs))
}

/** Where package managers install programs; a program elsewhere in the workspace may be its own. */
const INSTALLED = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin)\/[^/]+$/

/** Returns whether a command, given as its words, only analyzes sources. Pure; never throws. */
export function isAnalyzer(words: readonly string[]): boolean {
  return isOf(words, ANALYZING)
}

/** Returns whether a command, given as its words, only judges how sources are written. Pure; never throws. */
export function isStyleChecker(words: readonly string[]): boolean {
  return isOf(words, STYLE)
}

function isOf([program = '', ...rest]: readonly string[], programs: Programs): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1)
  if (name !== program && !INSTALLED.test(program)) return false
  if (programs.names.has(name)) return true
  if (name === 'go' || name === 'cargo') return programs.subcommands.has(`${name} ${rest[0] ?? ''}`)
  const script = scriptOf(name, rest)
  if (script.kind === 'shell') return areAll(script.text, programs)
  return script.kind === 'command' && isOf(script.words, programs)
}
