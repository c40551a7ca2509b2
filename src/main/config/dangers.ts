import { programName } from '../../core/agents/compose-command.ts'
import { AGENT_PROGRAMS } from '../../core/agents/programs.ts'
import { visibleText } from '../../core/text/visible-text.ts'

const SHELLS = ['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'cmd', 'powershell', 'pwsh']
const SHELL_OPTIONS = /^(-[a-z]*c|\/c|\/k|-command|-encodedcommand)$/i

/** Programs that run code from an argument, and the options that precede it. */
const INLINE_CODE: Readonly<Record<string, readonly string[]>> = {
  node: ['-e', '--eval', '-p', '-pe', '--print'],
  deno: ['eval'],
  bun: ['-e', '--eval'],
  python: ['-c'],
  python3: ['-c'],
  py: ['-c'],
  ruby: ['-e'],
  perl: ['-e', '-E'],
  php: ['-r'],
}

/** Programs that download what they run if it is missing. */
const FETCHING = ['npx', 'bunx', 'pnpx', 'uvx', 'pipx']

/** Commands of package managers that do the same. */
const FETCHING_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
}

/** Options that make known agents act without asking; short options mean something else to other programs. */
const UNASKED = new Set(
  Object.values(AGENT_PROGRAMS)
    .flatMap(({ dangerousOptions }) => dangerousOptions)
    .filter((option) => option.startsWith('--') || option.includes('=')),
)
const UNASKED_OF = new Map(
  Object.values(AGENT_PROGRAMS).map(({ program, dangerousOptions }) => [program, dangerousOptions]),
)
const SAYS_SO = /^--(allow-)?dangerously-/

/** Returns what an operator should know about a command before approving it, one sentence each; empty for most. */
export function dangersOf(command: readonly string[]): string[] {
  const words = withoutWrapper(command)
  const [program = '', ...rest] = words
  const name = programName(program).toLowerCase()
  const unasked = rest.filter((word, index) => isUnasked(name, word, rest[index + 1]))
  const addresses = rest.filter((word) => /(^|=)[a-z][a-z+.-]*:\/\//i.test(word))
  return [
    ...(words.length < command.length && /^(sudo|doas|su)$/.test(programName(command[0] ?? ''))
      ? ['It runs with the rights of another user, such as the administrator.']
      : []),
    ...(SHELLS.includes(name) && rest.some((word) => SHELL_OPTIONS.test(word))
      ? ['It passes a text to a shell, which can run any other command.']
      : []),
    ...(hasInlineCode(name, rest) ? ['It runs code written into the command.'] : []),
    ...(FETCHING.includes(name) || FETCHING_COMMANDS[name]?.includes(rest[0] ?? '') === true
      ? ['It may download the program from the network and run it.']
      : []),
    ...unasked.map((word) => `With ${word} the agent does anything without asking or being restricted.`),
    ...(command.some((word) => visibleText(word) !== word)
      ? ['It contains characters that are invisible or change the text direction: they are shown as \\u{…}.']
      : []),
    ...addresses.map((word) => `It gets a network address: ${word}.`),
  ]
}

/** Returns what an operator should know about an address that is read. */
export function dangersOfAddress(address: string): string[] {
  const { hostname, protocol } = new URL(address)
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return []
  const open =
    protocol === 'http:' ? ' The answer is not encrypted: anyone on the network can change it.' : ''
  return [`It asks ${hostname} over the network, and counts the answer as measured.${open}`]
}

/** Returns what an operator should know about a file that is read. */
export function dangersOfFile(path: string): string[] {
  const isOutside = /^([\\/]|[a-z]:|~)/i.test(path) || path.split(/[\\/]/).includes('..')
  return isOutside ? ['It is outside this folder.'] : []
}

/** Returns what an operator should know about variables set for the agent. */
export function dangersOfEnvironment(names: readonly string[]): string[] {
  const risky = names.filter((name) =>
    /^(PATH|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|PYTHON(PATH|HOME|STARTUP)|PERL5(OPT|LIB)|RUBY(OPT|LIB)|(_JAVA|JAVA_TOOL)_OPTIONS|GIT_(SSH|SSH_COMMAND|EXEC_PATH|CONFIG_.*))$/.test(
      name,
    ),
  )
  return risky.length === 0 ? [] : [`${risky.join(', ')} can make another program run than the one named.`]
}

/** Returns whether an interpreter, also one named with its version (`python3.12`), gets code as an argument. */
function hasInlineCode(name: string, words: readonly string[]): boolean {
  const options = INLINE_CODE[name] ?? INLINE_CODE[name.replace(/[\d.]+$/, '')] ?? []
  return words.some((word) => options.includes(word) || options.includes(/^(--\w+)=/.exec(word)?.[1] ?? ''))
}

function isUnasked(name: string, word: string, next: string | undefined): boolean {
  if (SAYS_SO.test(word) || UNASKED.has(word) || UNASKED.has(`${word}=${next}`)) return true
  return UNASKED_OF.get(name)?.includes(word) ?? false
}

/** Returns the command behind `env A=b`, `sudo`, `nice` and the like. */
function withoutWrapper(command: readonly string[]): readonly string[] {
  const [program = '', ...rest] = command
  if (!/^(env|sudo|doas|nice|nohup|time|timeout|command|exec)$/.test(programName(program))) return command
  const at = rest.findIndex((word) => !/^(-|\d|[A-Za-z_]\w*=)/.test(word))
  return at === -1 ? command : withoutWrapper(rest.slice(at))
}
