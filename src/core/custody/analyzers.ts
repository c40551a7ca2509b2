import { scriptOf } from './programs.ts'
import { splitShell } from './shell-words.ts'

/** Programs that read sources and execute nothing of the repository, neither its code nor a configuration that is code. */
const ANALYZERS =
  /^(?:tsc|vue-tsc|tsgo|biome|oxlint|dprint|ruff|black|isort|mypy|dmypy|pyright|basedpyright|flake8|pyflakes|shellcheck|shfmt|gofmt|goimports|staticcheck|golangci-lint|hadolint|actionlint|yamllint|taplo|typos|clang-format|cppcheck|rustfmt|swiftformat)$/
const SUBCOMMANDS = /^(?:go (?:vet|build|fmt)|cargo fmt)$/

/** Returns whether a command only analyzes sources, so that nothing in them can end it. Pure; never throws. */
export function onlyAnalyzes(command: string): boolean {
  const commands = splitShell(command)
  return !/[$`]/.test(command) && commands.length > 0 && commands.every(isAnalyzer)
}

/** Where package managers install programs; a program elsewhere in the workspace may be its own. */
const INSTALLED = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin)\/[^/]+$/

/** Returns whether a command, given as its words, only analyzes sources. Pure; never throws. */
export function isAnalyzer([program = '', ...rest]: readonly string[]): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1)
  if (name !== program && !INSTALLED.test(program)) return false
  if (ANALYZERS.test(name)) return true
  if (name === 'go' || name === 'cargo') return SUBCOMMANDS.test(`${name} ${rest[0] ?? ''}`)
  const script = scriptOf(name, rest)
  if (script.kind === 'shell') return onlyAnalyzes(script.text)
  return script.kind === 'command' && isAnalyzer(script.words)
}
