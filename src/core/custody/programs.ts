/*
 * How well-known programs treat their arguments: which of them name something to be executed, and which are only read.
 */

/** Programs whose arguments are read, whatever they are. */
const READERS = new Set([
  ...[
    'cat',
    'grep',
    'egrep',
    'fgrep',
    'rg',
    'wc',
    'jq',
    'yq',
    'diff',
    'cmp',
    'comm',
    'head',
    'tail',
    'sort',
    'uniq',
    'cut',
  ],
  ...[
    'tr',
    'stat',
    'ls',
    'find',
    'file',
    'sha256sum',
    'sha1sum',
    'md5sum',
    'shasum',
    'cksum',
    'od',
    'xxd',
    'hexdump',
    'strings',
  ],
  ...[
    'basename',
    'dirname',
    'readlink',
    'realpath',
    'du',
    'tree',
    'column',
    'paste',
    'join',
    'tac',
    'rev',
    'nl',
    'git',
    'sqlite3',
  ],
  ...[
    'xmllint',
    'curl',
    'wget',
    'mkdir',
    'rm',
    'cp',
    'mv',
    'touch',
    'ln',
    'chmod',
    'tee',
    'date',
    'sleep',
    'expr',
    'seq',
    'awk',
    'sed',
  ],
])
const BUILT_INS = new Set([
  ...[
    'test',
    '[',
    '[[',
    'echo',
    'printf',
    'true',
    'false',
    ':',
    'exit',
    'return',
    'set',
    'export',
    'unset',
    'shift',
    'trap',
  ],
  ...[
    'wait',
    'local',
    'readonly',
    'fi',
    'done',
    'esac',
    'for',
    'case',
    'in',
    'read',
    'pwd',
    'umask',
    'ulimit',
    'eval',
    'break',
  ],
  ...['continue', 'type', 'hash', 'let', 'declare', 'function', 'alias', 'shopt', 'pushd', 'popd'],
])

/** Whether a program only reads the files it is given. */
export function readsOnly(name: string): boolean {
  return READERS.has(name)
}

/** Whether a word begins a command that no program stands behind. */
export function isShellBuiltIn(name: string): boolean {
  return BUILT_INS.has(name)
}

/** What a program is told to execute by its arguments. */
export type ScriptArgument =
  | { readonly kind: 'file'; readonly path: string; readonly isShell: boolean }
  /** `python -m`. */
  | { readonly kind: 'module'; readonly name: string }
  /** Text of a shell. */
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly folder: string }
  | { readonly kind: 'package-script'; readonly script: string; readonly folder: string }
  | {
      readonly kind: 'make'
      readonly tool: 'make' | 'just'
      readonly file: string | null
      readonly targets: readonly string[]
      readonly folder: string
    }
  /** Code in the argument itself, which is pinned with the command. */
  | { readonly kind: 'code' }
  | { readonly kind: 'none' }

const NONE: ScriptArgument = { kind: 'none' }

const SHELLS = /^(?:ba|da|z|k|a|mk)?sh$/
const PYTHON = /^(?:python|pypy)[\d.]*w?$|^py$/
const PACKAGE_MANAGERS = /^(?:npm|pnpm|yarn|bun)$/
const PACKAGE_RUNNERS = /^(?:npx|bunx|pnpx)$/

/** What `name` with these arguments executes beside itself. */
export function scriptOf(name: string, words: readonly string[]): ScriptArgument {
  if (SHELLS.test(name)) return shellScript(words)
  if (PYTHON.test(name)) return pythonScript(words)
  if (name === 'node' || name === 'nodejs' || name === 'tsx' || name === 'ts-node') return nodeScript(words)
  if (PACKAGE_RUNNERS.test(name)) return commandAfter(words, new Set(['-p', '--package', '-c', '--call']))
  if (PACKAGE_MANAGERS.test(name)) return packageManager(name, words)
  if (name === 'make' || name === 'gmake') return makeTargets(words, 'make')
  if (name === 'just') return makeTargets(words, 'just')
  return wrapperOrInterpreter(name, words)
}

function wrapperOrInterpreter(name: string, words: readonly string[]): ScriptArgument {
  switch (name) {
    case 'env':
    case 'nice':
    case 'nohup':
    case 'time':
    case 'timeout':
    case 'xvfb-run':
    case 'stdbuf':
    case 'setsid':
    case 'cross-env':
    case 'dotenv':
    case 'ionice':
    case 'xargs': {
      const rest = name === 'timeout' ? withoutDuration(words) : words
      return commandAfter(rest, new Set(['-u', '-n', '-s', '-k', '-i', '-o', '-e', '-I', '-L', '-P']))
    }
    case 'uv':
    case 'poetry':
    case 'pipenv':
    case 'hatch':
    case 'rye':
    case 'pdm':
    case 'bundle': {
      const at = words.findIndex((word) => word === 'run' || word === 'exec')
      return at < 0 ? NONE : commandAfter(words.slice(at + 1), new Set())
    }
    case 'deno':
    case 'ruby':
    case 'perl':
    case 'php':
    case 'lua':
    case 'Rscript':
    case 'bats':
      return firstFile(words, /^-[erpc]$|^--eval/, false)
    case 'go':
      return words[0] === 'run' ? firstFile(words.slice(1), /^$/, false) : NONE
    default:
      return NONE
  }
}

function shellScript(words: readonly string[]): ScriptArgument {
  for (const [at, word] of words.entries()) {
    if (/^-[a-z]*c[a-z]*$/i.test(word)) return { kind: 'shell', text: words[at + 1] ?? '' }
    if (/^[-+]/.test(word)) continue
    if (words[at - 1] === '-o') continue
    return { kind: 'file', path: word, isShell: true }
  }
  return NONE
}

function pythonScript(words: readonly string[]): ScriptArgument {
  for (const [at, word] of words.entries()) {
    if (word === '-m') return { kind: 'module', name: words[at + 1] ?? '' }
    if (word === '-c') return { kind: 'code' }
    if (word.startsWith('-') || /^-[WX]$/.test(words[at - 1] ?? '')) continue
    return { kind: 'file', path: word, isShell: false }
  }
  return NONE
}

function nodeScript(words: readonly string[]): ScriptArgument {
  if (words.some((word) => word === '--test')) return NONE
  return firstFile(words, /^(?:-e|-p|-pe|--eval|--print)$/, false)
}

function firstFile(words: readonly string[], code: RegExp, isShell: boolean): ScriptArgument {
  for (const [at, word] of words.entries()) {
    if (code.test(word)) return { kind: 'code' }
    if (word.startsWith('-') || /^(?:-r|--require|--import|--loader|-I|-d)$/.test(words[at - 1] ?? ''))
      continue
    if (word === 'run' || word === 'test') continue
    return { kind: 'file', path: word, isShell }
  }
  return NONE
}

/** The command behind a wrapper's own options and assignments. */
function commandAfter(words: readonly string[], withValue: ReadonlySet<string>): ScriptArgument {
  let at = 0
  for (; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--') {
      at += 1
      break
    }
    if (/^[A-Za-z_]\w*=/.test(word)) continue
    if (!word.startsWith('-')) break
    if (withValue.has(word)) at += 1
  }
  const rest = words.slice(at)
  return rest.length === 0 ? NONE : { kind: 'command', words: rest, folder: '' }
}

function withoutDuration(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => /^\d+(?:\.\d+)?[smhd]?$/.test(word))
  return at < 0 ? words : words.slice(at + 1)
}

const FOLDER_OPTIONS = /^(?:--prefix|-C|--dir|--cwd)$/
/** Words of a package manager's own that run no script of the package. */
const OWN_WORDS = new Set([
  'install',
  'ci',
  'i',
  'add',
  'audit',
  'ls',
  'list',
  'outdated',
  'pack',
  'publish',
  'version',
  'why',
])

function packageManager(name: string, words: readonly string[]): ScriptArgument {
  let folder = ''
  const plain: string[] = []
  for (let at = 0; at < words.length && words[at] !== '--'; at += 1) {
    const word = words[at] ?? ''
    if (FOLDER_OPTIONS.test(word)) {
      folder = words[at + 1] ?? ''
      at += 1
    } else if (/^(?:--prefix|--dir|--cwd)=/.test(word)) folder = word.slice(word.indexOf('=') + 1)
    else if (!word.startsWith('-')) plain.push(word)
    else if (word === '-w' || word === '--workspace') at += 1
  }
  const [first, second] = plain
  if (first === undefined || (OWN_WORDS.has(first) && !(first === 'ci' && name !== 'npm'))) return NONE
  if (/^(?:run|run-script|rum|urn)$/.test(first))
    return second === undefined ? NONE : { kind: 'package-script', script: second, folder }
  if (/^(?:exec|x|dlx)$/.test(first)) {
    const rest = words.slice(words.indexOf(first) + 1)
    return commandAfter(rest, new Set(['-p', '--package', '-c', '--call']))
  }
  if (/^(?:t|tst|test)$/.test(first)) {
    if (name === 'bun') return NONE
    return { kind: 'package-script', script: 'test', folder }
  }
  if (first === 'it' || first === 'cit') return { kind: 'package-script', script: 'test', folder }
  if (/^(?:start|stop|restart)$/.test(first)) return { kind: 'package-script', script: first, folder }
  return name === 'npm' ? NONE : { kind: 'package-script', script: first, folder }
}

function makeTargets(words: readonly string[], tool: 'make' | 'just'): ScriptArgument {
  let folder = ''
  let file: string | null = null
  const targets: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (/^(?:-C|--directory|-d|--working-directory)$/.test(word)) folder = words[++at] ?? ''
    else if (/^(?:-f|--file|--makefile|--justfile)$/.test(word)) file = words[++at] ?? null
    else if (/^(?:-j|-l|-o|-W)$/.test(word) && /^\d+$/.test(words[at + 1] ?? '')) at += 1
    else if (!word.startsWith('-') && !/^\w+[:+?]?=/.test(word)) targets.push(word)
  }
  return { kind: 'make', tool, file, targets, folder }
}
