import { wordList } from '../text/word-list.ts'
import { interpretedScript } from './interpreters.ts'
import { NO_SCRIPT, type ScriptArgument } from './script-argument.ts'
import { commandAfter, wrappedCommand } from './wrappers.ts'

/*
 * How well-known programs treat their arguments: which ones name something to execute, and which are only read.
 */

/** Programs that only read their arguments, whatever those are. */
const READERS = new Set(
  wordList(`
    cat grep egrep fgrep rg wc jq yq diff cmp comm head tail sort uniq cut tr stat ls find file sha256sum
    sha1sum md5sum shasum cksum od xxd hexdump strings basename dirname readlink realpath du tree column paste
    join tac rev nl git sqlite3 xmllint curl wget mkdir rm cp mv touch ln chmod tee date sleep expr seq awk gawk
    mawk nawk sed gsed
  `),
)
const BUILT_INS = new Set(
  wordList(`
    test [ [[ echo printf true false : exit return set export unset shift trap wait local readonly fi done esac
    for case in read pwd umask ulimit eval break continue type hash let declare function alias shopt pushd popd
  `),
)

/** Returns whether a program only reads the files passed to it. */
export function readsOnly(name: string): boolean {
  return READERS.has(name)
}

/** Returns whether a word begins a command that runs no program. */
export function isShellBuiltIn(name: string): boolean {
  return BUILT_INS.has(name)
}

const AWK = /^[gmn]?awk$/
/** Options that pass a script to a program that otherwise only reads. */
const SCRIPT_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['awk', /^(?:-[a-zA-Z]*f|--file)$/],
  ['sed', /^(?:-[nErsuz]*f|--file)$/],
  ['jq', /^(?:-[a-zA-Z]*f|--from-file)$/],
  ['yq', /^--from-file$/],
  ['sqlite3', /^-init$/],
])
const OF_FIND = /^-(?:exec|execdir|ok|okdir)$/

/** Returns the scripts passed to a program that otherwise only reads its arguments. */
export function scriptsOfReader(name: string, words: readonly string[]): readonly string[] {
  const option = SCRIPT_OPTIONS.get(programOf(name))
  return option === undefined ? [] : words.filter((_, at) => option.test(words[at - 1] ?? ''))
}

/** Returns the commands that `find` runs, each with `{}` for what was found. */
export function commandsOfFind(words: readonly string[]): readonly (readonly string[])[] {
  return words.flatMap((word, at) => {
    if (!OF_FIND.test(word)) return []
    const rest = words.slice(at + 1)
    const end = rest.findIndex((one) => /^(?:;|\\;|\+)$/.test(one))
    return [end < 0 ? rest : rest.slice(0, end)]
  })
}

/** Returns whether this command executes what `find` has found, instead of only reading it or passing it to a script. */
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
/** Options of package runners that take the next word. */
const OF_RUNNERS = /^(?:-p|--package|-c|--call|-w|--workspace)$/
/** Programs that run a script of this name in many packages. */
const PACKAGE_TASKS = /^(?:turbo|nx|lerna|rush|moon|wsrun|ultra)$/
/** Programs that run several scripts of this package. */
const SCRIPT_LISTS = /^(?:npm-run-all2?|run-[sp])$/

/** Returns what `name` with these arguments executes besides itself. */
export function scriptOf(name: string, words: readonly string[]): ScriptArgument {
  if (PACKAGE_RUNNERS.test(name)) return commandAfter(words, OF_RUNNERS)
  if (PACKAGE_MANAGERS.test(name)) return packageManager(name, words)
  if (PACKAGE_TASKS.test(name)) return packageTasks(words)
  if (SCRIPT_LISTS.test(name))
    return {
      kind: 'package-script',
      scripts: words.filter((word) => !word.startsWith('-')),
      folder: '',
      otherwise: null,
    }
  if (name === 'concurrently') return sideBySide(words)
  if (name === 'make' || name === 'gmake') return makeTargets(words, 'make')
  if (name === 'just') return makeTargets(words, 'just')
  return interpretedScript(name, words) ?? wrappedCommand(name, words) ?? NO_SCRIPT
}

const FOLDER_OPTIONS = /^(?:--prefix|-C|--dir|--cwd)$/
/** A package manager's own commands, which run no script of the package. */
const OWN_WORDS = new Set(wordList('install ci i add audit ls list outdated pack publish version why'))

/** Options that choose packages of a workspace, with a value or for all. `-w` of pnpm and yarn is the workspace itself. */
const SELECTING = /^(?:--workspace|--filter|--filter-prod|-F|--from|--include)$/
const EVERYWHERE = /^(?:--workspaces|-ws|--ws|-r|--recursive)$/

function packageManager(name: string, words: readonly string[]): ScriptArgument {
  const { folder, packages, rest, plain } = packageWords(name, words)
  const [first, second] = plain
  const script = (called: string, otherwise: readonly string[] | null = null): ScriptArgument => ({
    kind: 'package-script',
    scripts: [called],
    folder,
    ...(packages !== null && { packages }),
    otherwise,
  })
  const file = name === 'bun' ? plain.slice(0, 2).find((word) => /\.[cm]?[jt]sx?$/.test(word)) : undefined
  if (file !== undefined && (file === first || first === 'run'))
    return { kind: 'file', path: file, isShell: false }
  if (first === undefined || (OWN_WORDS.has(first) && !(first === 'ci' && name !== 'npm'))) return NO_SCRIPT
  if (/^(?:run|run-script|rum|urn)$/.test(first)) return second === undefined ? NO_SCRIPT : script(second)
  if (/^(?:exec|x|dlx)$/.test(first)) {
    const command = commandAfter(rest.slice(rest.indexOf(first) + 1), OF_RUNNERS)
    return command.kind === 'command'
      ? { ...command, folder, ...(packages !== null && { packages }) }
      : command
  }
  if (/^(?:t|tst|test)$/.test(first)) {
    if (name === 'bun') return NO_SCRIPT
    return script('test')
  }
  if (first === 'it' || first === 'cit') return script('test')
  if (/^(?:start|stop|restart)$/.test(first)) return script(first)
  if (name === 'npm') return NO_SCRIPT
  // `yarn tsx check.ts`: a program installed by a dependency.
  return script(first, rest.slice(rest.indexOf(first)))
}

/** Separates a package manager's own options from the words of its command, and reads from them where it runs. */
function packageWords(
  name: string,
  words: readonly string[],
): {
  readonly folder: string
  readonly packages: readonly string[] | null
  readonly rest: readonly string[]
  readonly plain: readonly string[]
} {
  let folder = ''
  let packages: string[] | null = null
  const rest: string[] = []
  const plain: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--' || (word.startsWith('-') && isComplete(name, plain))) {
      rest.push(...words.slice(at))
      break
    }
    const equals = word.startsWith('-') ? word.indexOf('=') : -1
    const option = equals < 0 ? word : word.slice(0, equals)
    const value = (): string => (equals < 0 ? (words[++at] ?? '') : word.slice(equals + 1))
    if (FOLDER_OPTIONS.test(option)) folder = value()
    else if (SELECTING.test(option) || (option === '-w' && name === 'npm')) {
      packages ??= []
      packages.push(value())
    } else if (EVERYWHERE.test(word)) packages ??= []
    else rest.push(word)
    if (!word.startsWith('-')) plain.push(word)
  }
  if (name !== 'yarn' || !/^workspaces?$/.test(plain[0] ?? '')) return { folder, packages, rest, plain }
  // `yarn workspace NAME test`, `yarn workspaces run test`, `yarn workspaces foreach --all run test`.
  const own = wordsOfYarn(plain)
  const selected = plain[0] === 'workspace' ? [plain[1] ?? ''] : []
  const command = rest.slice(rest.indexOf(plain[own - 1] ?? '') + 1)
  return { folder, packages: selected, rest: command, plain: plain.slice(own) }
}

/** Returns how many words of `yarn workspace NAME`, `yarn workspaces` or `yarn workspaces foreach` precede the command. */
function wordsOfYarn([first, second]: readonly string[]): number {
  if (first === 'workspace') return 2
  return first === 'workspaces' ? (second === 'foreach' ? 2 : 1) : 0
}

/** Whether the options that follow are those of the script or program. npm accepts its own options everywhere, except after
 * `npm exec`. */
function isComplete(name: string, plain: readonly string[]): boolean {
  const [first, second] = name === 'yarn' ? plain.slice(wordsOfYarn(plain)) : plain
  if (first === undefined) return false
  if (name === 'npm') return /^(?:exec|x)$/.test(first) && second !== undefined
  return !/^(?:run|run-script|exec|x|dlx)$/.test(first) || second !== undefined
}

/** `turbo run test lint`, `nx run cart:test`, `nx run-many -t test`, `lerna run test --scope cart`: any word may name a script. */
function packageTasks(words: readonly string[]): ScriptArgument {
  const end = words.indexOf('--')
  const scripts = (end < 0 ? words : words.slice(0, end)).flatMap((word) =>
    (word.startsWith('-') ? word.slice(word.indexOf('=') + 1) : word)
      .split(/[,:#]/)
      .filter((name) => /^\w/.test(name) && name !== 'run'),
  )
  return { kind: 'package-script', scripts: [...new Set(scripts)], folder: '', packages: [], otherwise: null }
}

/** `concurrently "npm:lint" "sh check.sh"`: each word is a command. */
function sideBySide(words: readonly string[]): ScriptArgument {
  const commands = words.filter((word) => !word.startsWith('-'))
  return { kind: 'shell', text: commands.map((word) => word.replace(/^npm:/, 'npm-run-all ')).join('\n') }
}

const MAKE_FOLDER = /^(?:-C|--directory|-d|--working-directory)$/
const MAKE_FILE = /^(?:-f|--file|--makefile|--justfile)$/

function makeTargets(words: readonly string[], tool: 'make' | 'just'): ScriptArgument {
  let folder: string | null = null
  let file: string | null = null
  const targets: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const [, option = words[at] ?? '', attached] = /^(--[\w-]+)=(.*)$|^/.exec(words[at] ?? '') ?? []
    const short = /^(-[Cf])(.+)$/.exec(option)
    const name = short?.[1] ?? option
    const value = (): string => attached ?? short?.[2] ?? words[++at] ?? ''
    if (MAKE_FOLDER.test(name)) folder = value()
    else if (MAKE_FILE.test(name)) file = value()
    else if (/^(?:-j|-l|-o|-W)$/.test(option) && /^\d+$/.test(words[at + 1] ?? '')) at += 1
    else if (!option.startsWith('-') && !/^\w+[:+?]?=/.test(option)) targets.push(option)
  }
  if (tool === 'just' && file !== null && folder === null) {
    // The recipes run where their file is.
    const slash = file.lastIndexOf('/')
    return {
      kind: 'make',
      tool,
      file: file.slice(slash + 1),
      targets,
      folder: file.slice(0, Math.max(0, slash)),
    }
  }
  // A justfile is named from where the command runs, a makefile from its folder.
  const isFromHere = tool === 'just' && file !== null && file.startsWith(`${folder}/`)
  const name = isFromHere ? (file?.slice(`${folder}/`.length) ?? null) : file
  return { kind: 'make', tool, file: name, targets, folder: folder ?? '' }
}
