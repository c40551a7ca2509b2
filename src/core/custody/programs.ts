import { interpretedScript } from './interpreters.ts'
import { NO_SCRIPT, type ScriptArgument } from './script-argument.ts'
import { commandAfter, wrappedCommand } from './wrappers.ts'

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
    'gawk',
    'mawk',
    'nawk',
    'sed',
    'gsed',
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

/** Whether a word begins a command that runs no program. */
export function isShellBuiltIn(name: string): boolean {
  return BUILT_INS.has(name)
}

const AWK = /^[gmn]?awk$/
/** Options by which a program that else only reads is given a script. */
const SCRIPT_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['awk', /^(?:-[a-zA-Z]*f|--file)$/],
  ['sed', /^(?:-[nErsuz]*f|--file)$/],
  ['jq', /^(?:-[a-zA-Z]*f|--from-file)$/],
  ['yq', /^--from-file$/],
  ['sqlite3', /^-init$/],
])
const OF_FIND = /^-(?:exec|execdir|ok|okdir)$/

/** The scripts that a program which else only reads its arguments is given. */
export function scriptsOfReader(name: string, words: readonly string[]): readonly string[] {
  const option = SCRIPT_OPTIONS.get(programOf(name))
  return option === undefined ? [] : words.filter((_, at) => option.test(words[at - 1] ?? ''))
}

/** The commands that `find` runs, each with `{}` for what it has found. */
export function commandsOfFind(words: readonly string[]): readonly (readonly string[])[] {
  return words.flatMap((word, at) => {
    if (!OF_FIND.test(word)) return []
    const rest = words.slice(at + 1)
    const end = rest.findIndex((one) => /^(?:;|\\;|\+)$/.test(one))
    return [end < 0 ? rest : rest.slice(0, end)]
  })
}

/** Whether what `find` has found is executed by this command, and not only read or given to a script. */
export function executesFound(command: readonly string[]): boolean {
  const [program = '', ...rest] = command
  if (program === '{}') return true
  if (readsOnly(program) || isShellBuiltIn(program)) return false
  const script = scriptOf(program, rest)
  switch (script.kind) {
    case 'file':
      return script.path === '{}'
    case 'command':
      return executesFound(script.words)
    case 'shell':
      return true
    default:
      return false
  }
}

function programOf(name: string): string {
  return AWK.test(name) ? 'awk' : name === 'gsed' ? 'sed' : name
}

const PACKAGE_MANAGERS = /^(?:npm|pnpm|yarn|bun)$/
const PACKAGE_RUNNERS = /^(?:npx|bunx|pnpx)$/
/** Of package runners: options that take the next word. */
const OF_RUNNERS = /^(?:-p|--package|-c|--call)$/

/** What `name` with these arguments executes beside itself. */
export function scriptOf(name: string, words: readonly string[]): ScriptArgument {
  if (PACKAGE_RUNNERS.test(name)) return commandAfter(words, OF_RUNNERS)
  if (PACKAGE_MANAGERS.test(name)) return packageManager(name, words)
  if (name === 'make' || name === 'gmake') return makeTargets(words, 'make')
  if (name === 'just') return makeTargets(words, 'just')
  return interpretedScript(name, words) ?? wrappedCommand(name, words) ?? NO_SCRIPT
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
  const script = (called: string, otherwise: readonly string[] | null = null): ScriptArgument => ({
    kind: 'package-script',
    script: called,
    folder,
    otherwise,
  })
  const file = name === 'bun' ? plain.slice(0, 2).find((word) => /\.[cm]?[jt]sx?$/.test(word)) : undefined
  if (file !== undefined && (file === first || first === 'run'))
    return { kind: 'file', path: file, isShell: false }
  if (first === undefined || (OWN_WORDS.has(first) && !(first === 'ci' && name !== 'npm'))) return NO_SCRIPT
  if (/^(?:run|run-script|rum|urn)$/.test(first)) return second === undefined ? NO_SCRIPT : script(second)
  if (/^(?:exec|x|dlx)$/.test(first)) {
    const rest = words.slice(words.indexOf(first) + 1)
    return commandAfter(rest, OF_RUNNERS)
  }
  if (/^(?:t|tst|test)$/.test(first)) {
    if (name === 'bun') return NO_SCRIPT
    return script('test')
  }
  if (first === 'it' || first === 'cit') return script('test')
  if (/^(?:start|stop|restart)$/.test(first)) return script(first)
  if (name === 'npm') return NO_SCRIPT
  // `yarn tsx check.ts`: a program that a dependency brought.
  return script(first, words.slice(words.indexOf(first)))
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
