import { RUNNERS, type Runner } from './runners.ts'
import { lastCommand, type ScriptCommand, shellQuote } from './script-text.ts'
import type { ReportFormat } from './test-report.ts'

/** How a command is run so that its runner writes a report for us. */
export interface ReportPlan {
  /** The runner's usual name: "vitest", "go test". */
  readonly runner: string
  readonly format: ReportFormat
  /** A file of ours, its output, or files in the tree that this run wrote, by path. */
  readonly from: 'file' | 'stream' | RegExp
  /** True if its words may mean another program that reports differently. */
  readonly isGuess?: boolean
  readonly command: readonly string[]
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>
}

/** The folder's settings that a command is looked up in. */
export interface RunnerSurroundings {
  /** The `scripts` in the folder's package.json; empty if there is none. */
  readonly scripts: Readonly<Record<string, string>>
  /** Absolute path of the file for the report. */
  readonly reportFile: string
}

/** Limit for package scripts that call package scripts. */
const MAX_DEPTH = 5

/**
 * Returns how to run `command` with our report, if it ends in a known runner: directly, behind `npx`, `python -m` and the like,
 * in `sh -c "…"`, or in a package script. Null if no report is possible and only the exit code can be used. Pure.
 */
export function planReport(command: readonly string[], around: RunnerSurroundings): ReportPlan | null {
  const found = extend(command, around, 0)
  if (found === null) return null
  const { runner, words } = found
  return {
    runner: runner.name,
    format: runner.format,
    from: runner.from,
    command: words,
    env: runner.env?.(around.reportFile) ?? {},
    ...(runner.isGuess === true && { isGuess: true }),
  }
}

/** Returns whether a command runs a known test runner, with our report or with its own options. Pure. */
export function isKnownRunner(command: readonly string[], scripts: RunnerSurroundings['scripts']): boolean {
  if (planReport(command, { scripts, reportFile: 'report' }) !== null) return true
  const start = runnerStart(command)
  const [program = '', second = ''] = [programName(command[start] ?? ''), command[start + 1]]
  if (/^(ba|da|z)?sh$/.test(program)) {
    const last = lastCommand(command[start + 2] ?? '')
    return last !== null && isKnownRunner(last.words, {})
  }
  return NAMED_RUNNERS.has(program) || (TEST_SUBCOMMANDS.has(program) && second === 'test')
}

/** Programs that only run tests, and those that do with the word `test`. */
const NAMED_RUNNERS = new Set(
  'vitest jest mocha pytest py.test gotestsum phpunit pest ctest ava tape prove rspec bats'.split(' '),
)
const TEST_SUBCOMMANDS = new Set('go cargo dotnet mix deno bun playwright'.split(' '))

interface Extended {
  readonly runner: Runner
  /** The command with the report's options in it. */
  readonly words: readonly string[]
  /** The options alone, if they may be appended at the end. */
  readonly appended: readonly string[] | null
}

function extend(command: readonly string[], around: RunnerSurroundings, depth: number): Extended | null {
  if (depth > MAX_DEPTH) return null
  const start = runnerStart(command)
  const before = command.slice(0, start)
  const words = [programName(command[start] ?? ''), ...command.slice(start + 1)]
  const runner = RUNNERS.find(({ matches }) => matches(words))
  if (runner !== undefined) return placeOptions(runner, command, start, words, around.reportFile)
  const inside = extendShell(words, around, depth) ?? extendPackageScript(words, around, depth)
  return inside === null ? null : { ...inside, words: [...before, ...inside.words] }
}

function placeOptions(
  runner: Runner,
  command: readonly string[],
  start: number,
  words: readonly string[],
  file: string,
): Extended {
  const options = runner.options(file, words)
  const after = runner.after(words)
  if (after === null) return { runner, words: [...command, ...options], appended: options }
  const at = start + after
  return { runner, words: [...command.slice(0, at), ...options, ...command.slice(at)], appended: null }
}

/** Extends the last command of `sh -c "npm ci && npm test"`. */
function extendShell(words: readonly string[], around: RunnerSurroundings, depth: number): Extended | null {
  const [program = '', option = '', text = '', ...more] = words
  if (!/^(ba|da|z)?sh$/.test(program) || !/^-[a-z]*c$/.test(option) || more.length > 0) return null
  const inside = extendScript(text, around, depth)
  return inside === null ? null : { ...inside, words: [program, option, inside.text], appended: null }
}

/** Returns the text of a script whose last command is a runner, with the report's options in it. */
function extendScript(
  text: string,
  around: RunnerSurroundings,
  depth: number,
): (Extended & { readonly text: string }) | null {
  const last = lastCommand(text)
  const inside = last === null ? null : extend(last.words, around, depth + 1)
  if (last === null || inside === null) return null
  return { ...inside, text: rewritten(last, inside) }
}

/** What the shell expands (`$CI`, `*.test.js`) stays as written. */
function rewritten(
  { before, source, words: own, raw }: ScriptCommand,
  { words, appended }: Extended,
): string {
  if (appended !== null) return before + [source, ...appended.map(shellQuote)].join(' ')
  let at = 0
  const text = words.map((word) => {
    if (word !== own[at]) return shellQuote(word)
    at += 1
    return raw[at - 1] ?? shellQuote(word)
  })
  return before + text.join(' ')
}

const RUN_WORDS = new Set(['run', 'run-script'])
const TEST_WORDS = new Set(['test', 't', 'tst'])

/** Extends the last command of the script that `npm test`, `pnpm run unit` or `yarn test` runs. */
function extendPackageScript(
  words: readonly string[],
  around: RunnerSurroundings,
  depth: number,
): Extended | null {
  const [manager = '', first = '', second = ''] = words
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(manager)) return null
  const isRun = RUN_WORDS.has(first)
  const name = isRun
    ? second
    : TEST_WORDS.has(first)
      ? 'test'
      : manager === 'yarn' || manager === 'pnpm'
        ? first
        : ''
  const script = Object.hasOwn(around.scripts, name) ? around.scripts[name] : undefined
  const given = words.slice(isRun ? 3 : 2)
  // Flags of the package manager (`--prefix`, `--workspaces`) may lead to another package.
  const own =
    manager === 'npm' ? given.slice(0, given.includes('--') ? given.indexOf('--') : given.length) : []
  if (script === undefined || own.some((word) => !HARMLESS_OPTIONS.has(word))) return null
  const passed = manager === 'npm' ? behindDashes(given) : given
  const inside = extendScript([script, ...passed.map(shellQuote)].join(' '), around, depth)
  if (inside === null) return null
  if (inside.appended !== null) {
    const needsDashes = manager === 'npm' && !given.includes('--')
    const appended = [...(needsDashes ? ['--'] : []), ...inside.appended]
    return { ...inside, words: [...words, ...appended], appended }
  }
  // Arguments can't be inserted into the middle of a script, so npm is given the text itself.
  const hasHooks = Object.hasOwn(around.scripts, `pre${name}`) || Object.hasOwn(around.scripts, `post${name}`)
  if (manager !== 'npm' || hasHooks) return null
  return { ...inside, words: ['npm', 'exec', '--call', inside.text], appended: null }
}

function behindDashes(words: readonly string[]): readonly string[] {
  const at = words.indexOf('--')
  return at < 0 ? [] : words.slice(at + 1)
}

/** Programs that run the command after them, by the number of words to skip. Their options are skipped if they take no value. */
const WRAPPERS: readonly (readonly string[])[] = [
  ...['npx', 'bunx', 'pnpx', 'env', 'cross-env', 'c8', 'nyc', 'time', 'nice'].map((name) => [name]),
  ...['npm', 'pnpm', 'yarn'].flatMap((name) => [
    [name, 'exec'],
    [name, 'dlx'],
  ]),
  ...['poetry', 'uv', 'pipenv', 'pdm', 'hatch', 'rye'].map((name) => [name, 'run']),
  ['bundle', 'exec'],
  ['yarn', 'run', '-T'],
]
const HARMLESS_OPTIONS = new Set([
  '-y',
  '--yes',
  '--no',
  '--no-install',
  '--quiet',
  '-q',
  '-s',
  '--silent',
  '--',
])

/** Returns the index of the word that names the runner itself. */
function runnerStart(command: readonly string[]): number {
  let at = 0
  for (let before = -1; before !== at; ) {
    before = at
    at = skipWrapper(command, at)
  }
  return at
}

function skipWrapper(command: readonly string[], from: number): number {
  if (/^[A-Za-z_]\w*=/.test(command[from] ?? '')) return from + 1
  const program = programName(command[from] ?? '')
  const rest = [program, ...command.slice(from + 1)]
  if (/^(python|pypy)[\d.]*$/.test(program)) return skipPython(rest, from)
  if (program === 'coverage' && rest[1] === 'run') return rest[2] === '-m' ? from + 3 : from
  if (program === 'node') return skipNode(rest, from)
  const wrapper = WRAPPERS.find((words) => words.every((word, index) => rest[index] === word))
  if (wrapper === undefined) return from
  let at = from + wrapper.length
  while (HARMLESS_OPTIONS.has(command[at] ?? '')) at += 1
  return (command[at] ?? '-').startsWith('-') ? from : at
}

/** Skips `python -m pytest`, including options such as `-X dev` and `-W error` in between. */
function skipPython(rest: readonly string[], from: number): number {
  const at = rest.indexOf('-m')
  const isOwn =
    at > 0 &&
    rest
      .slice(1, at)
      .every((word, index, all) => word.startsWith('-') || /^-[XW]$/.test(all[index - 1] ?? ''))
  return isOwn ? from + at + 1 : from
}

/** Skips node and the runner's own script: `node node_modules/jest/bin/jest.js`. */
function skipNode(rest: readonly string[], from: number): number {
  if (rest.includes('--test')) return from
  const at = rest.findIndex((word, index) => index > 0 && !word.startsWith('-'))
  return at > 0 && /(^|[\\/])node_modules[\\/]/.test(rest[at] ?? '') ? from + at : from
}

/** Returns the program's name for `./node_modules/.bin/vitest.cmd`, `vitest@3` or `node_modules/jest/bin/jest.js`. */
function programName(word: string): string {
  const name = word.split(/[\\/]/).at(-1) ?? ''
  return name
    .replace(/(?<=.)@[^@]*$/, '')
    .replace(/\.(cmd|exe|ps1|[cm]?js)$/i, '')
    .replace(/^_mocha$/, 'mocha')
}
