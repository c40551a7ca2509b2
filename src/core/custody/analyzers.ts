import { scriptOf } from './programs.ts'
import { splitShell } from './shell-words.ts'

/** Programs that read sources and execute nothing of the repository, neither its code nor a configuration that is code. */
const ANALYZERS =
  /^(?:tsc|vue-tsc|tsgo|biome|oxlint|dprint|ruff|black|isort|mypy|dmypy|pyright|basedpyright|flake8|pyflakes|shellcheck|shfmt|gofmt|goimports|staticcheck|golangci-lint|hadolint|actionlint|yamllint|taplo|typos|clang-format|cppcheck|rustfmt|swiftformat)$/
const SUBCOMMANDS = /^(?:go (?:vet|build|fmt)|cargo fmt)$/

/** Programs that judge how sources are written, and not what they do or which types they have. */
const STYLE_CHECKERS =
  /^(?:eslint|prettier|biome|oxlint|dprint|standard|xo|stylelint|ruff|black|isort|yapf|flake8|pycodestyle|pyflakes|gofmt|goimports|rustfmt|rubocop|shfmt|clang-format)$/
const STYLE_SUBCOMMANDS = /^(?:go|cargo) fmt$/

interface Programs {
  readonly names: RegExp
  readonly subcommands: RegExp
}
const ANALYZING: Programs = { names: ANALYZERS, subcommands: SUBCOMMANDS }
const STYLE: Programs = { names: STYLE_CHECKERS, subcommands: STYLE_SUBCOMMANDS }

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
  if (programs.names.test(name)) return true
  if (name === 'go' || name === 'cargo') return programs.subcommands.test(`${name} ${rest[0] ?? ''}`)
  const script = scriptOf(name, rest)
  if (script.kind === 'shell') return areAll(script.text, programs)
  return script.kind === 'command' && isOf(script.words, programs)
}
