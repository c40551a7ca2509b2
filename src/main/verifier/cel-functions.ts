import picomatch from 'picomatch'
import { split } from 'shlex'
import type { TestReport } from '../../core/reports/test-report.ts'
import { isOperatorFile } from '../../core/verification/difference.ts'
import type { LackingRun } from '../../core/verification/types.ts'
import { toCel } from './cel-values.ts'
import type { Fact, Facts } from './facts.ts'
import { parseJsonFile } from './json-text.ts'
import { lacksProgram, NO_SUCH_PROGRAM } from './lacks-program.ts'
import { isNotLaidOut } from './not-laid-out.ts'
import { lastWords, type ProgramRequest, reusing, type VerifierWorld, whyNoResult } from './program.ts'
import { canReport, runWithReport } from './reports/run-reported.ts'
import { throughLinks } from './through-links.ts'
import { lackingRun } from './withheld.ts'
import { locateIn, readFileIn } from './workspace-file.ts'

/** Size limit: checks read reports and logs, so a larger file means a mistake in the check. */
const MAX_FILE_BYTES = 16 * 1024 * 1024
const MAX_GLOB_LENGTH = 1000
/** Words that show that a command was meant for a shell. We never use one. */
const SHELL_WORDS = new Set(['|', '||', '&', '&&', ';', '>', '>>', '<', '<<', '2>', '2>&1', '&>'])

export interface FunctionContext {
  readonly world: VerifierWorld
  readonly facts: Facts
  /** This attempt's difference, for `changed`. */
  readonly changedPaths: readonly string[]
  /** The only commands that `succeeds` runs, exactly as configured. */
  readonly approvedCommands: readonly string[]
  readonly commandTimeoutMs: number
  readonly signal: AbortSignal
  /** Called with the result of each command of `succeeds`. */
  readonly onCommand: (command: string, result: CommandResult) => void
  /** Called if `json` is used on a file that doesn't exist or isn't JSON. */
  readonly onNoJson: () => void
  readonly links: LinkReading
}

export interface CommandResult {
  /** Its report; null if there was only an exit code. */
  readonly report: TestReport | null
  /** The variables that it seems to lack, if it failed. */
  readonly lacking: LackingRun | undefined
}

/**
 * How links that lead out of the repository or to nothing count. Replacing a file with one neither creates nor removes that
 * file, so an expression must be true both ways.
 */
export interface LinkReading {
  /** Whether their targets count as existing, and as containing any text. */
  readonly areThere: boolean
  /** Called for each such link that is met. `isTold`: the expression asked only about the link itself. */
  readonly met: (path: string, isTold: boolean) => void
}

/**
 * Returns the functions that checks may call, by CEL signature. Paths are relative to the workspace and may not leave it, not
 * even by symbolic links. A missing file doesn't exist, contains nothing, has 0 lines, and is null as JSON. For links out of
 * the repository see `LinkReading`.
 */
export function celFunctions(
  context: FunctionContext,
): Readonly<Record<string, (...parameters: string[]) => unknown>> {
  const { facts, changedPaths, links } = context
  const text = (path: string): Text => facts.ask(`text of ${path}`, () => readWorkspaceFile(path, context))
  /** Returns the value to assume for a text that may not be read. */
  const unseen = <Value>(path: string, ifThere: Value, ifNot: Value): Value => {
    links.met(path, false)
    return links.areThere ? ifThere : ifNot
  }
  return {
    'exists(string): bool': (path = '') => {
      const existence = facts.ask(`existence of ${path}`, () => findExistence(path, context))
      if (typeof existence === 'boolean') return existence
      links.met(path, existence === 'link')
      return links.areThere
    },
    'changed(string): bool': (glob = '') => {
      const pattern = patternOf(glob)
      if (hasChanged(pattern, changedPaths)) return true
      const named = plainStart(pattern)
      if (named === '') return false
      const real = facts.ask(`place of ${named}`, async () => ({
        ok: true,
        value: await throughLinks(context.world.directory, named, changedPaths),
      }))
      return real !== named && hasChanged(`${real}${pattern.slice(named.length)}`, changedPaths)
    },
    'contains(string, string): bool': (path = '', wanted = '') => {
      const content = text(path)
      if (content === UNSEEN) return unseen(path, true, false)
      return content !== null && holdsText(content, wanted)
    },
    'lines(string): int': (path = '') => {
      const content = text(path)
      if (content === UNSEEN) return unseen(path, MANY_LINES, 0n)
      return BigInt(countLines(content ?? ''))
    },
    'json(string): dyn': (path = '') => {
      const content = text(path)
      const value = typeof content === 'string' ? parseJsonFile(path, content) : undefined
      if (value === undefined) context.onNoJson()
      return value === undefined ? null : toCel(value)
    },
    'succeeds(string): bool': (command = '') =>
      facts.ask(`success of ${command}`, () => findSuccess(command, context)),
  }
}

/** A text behind a link that leads outside the repository. It is not read. */
const UNSEEN = Symbol('unseen')
/** `null` if the file doesn't exist. */
type Text = string | null | typeof UNSEEN
/** More lines than any file that we read can have. */
const MANY_LINES = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * A folder counts as its content: `changed("notes")` is true if something below `notes` changed. Brackets also match
 * themselves: `app/[id]/*.tsx` and `app/(main)/*.tsx` are folders of routes. The contract and the configuration count only if
 * named exactly: an agent that checks its box has not changed the `*.md` it was asked for.
 */
function hasChanged(pattern: string, changedPaths: readonly string[]): boolean {
  const patterns = [...new Set([pattern, pattern.replace(/(?<![@!?+*])\(|\)|[[\]]/g, '\\$&')])]
  const matches = picomatch([...patterns, ...patterns.map((one) => `${one}/**`)], { dot: true })
  return changedPaths.some((raw) => {
    const path = raw.normalize()
    return path === pattern || (!isOperatorFile(path) && matches(path))
  })
}

/** Ignores differences in line ends and in Unicode's forms of the same letters. */
function holdsText(text: string, wanted: string): boolean {
  if (text.includes(wanted)) return true
  const hasForms = /\n|[^ -~]/.test(wanted)
  return hasForms && inOneForm(text).includes(inOneForm(wanted))
}

function inOneForm(text: string): string {
  return text.replaceAll('\r\n', '\n').normalize()
}

function patternOf(glob: string): string {
  const pattern = glob.trim().normalize().replace(/^\.\//, '').replace(/\/+$/, '')
  if (pattern === '' || pattern.length > MAX_GLOB_LENGTH) throw new Error('changed() needs a glob')
  return pattern
}

/** Returns the literal folders of a pattern, or the whole pattern: the part that may be a link. */
function plainStart(pattern: string): string {
  const names = pattern.split('/')
  const first = names.findIndex((name) => /[*?{}()[\]!+@\\]/.test(name))
  return (first < 0 ? names : names.slice(0, first)).join('/')
}

/** Counts lines that end with a line feed, plus one if text follows the last of them. */
function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return text === '' || text.endsWith('\n') ? count : count + 1
}

/** `link`: the path is a link that leads out of the repository or to nothing; `beyond`: it passes through such a link. */
async function findExistence(
  path: string,
  { world }: FunctionContext,
): Promise<Fact<boolean | 'link' | 'beyond'>> {
  const location = await locateIn(world, path)
  if (location.kind === 'outside') return leavesWorkspace(path)
  if (location.kind === 'unreadable') return cannotRead(path, location.reason)
  if (location.kind === 'beyond') return { ok: true, value: 'beyond' }
  if (location.kind === 'dangling' || location.kind === 'led-out') return { ok: true, value: 'link' }
  return { ok: true, value: location.kind === 'inside' || (await isNotLaidOut(world, path)) }
}

async function readWorkspaceFile(path: string, { world }: FunctionContext): Promise<Fact<Text>> {
  const reading = await readFileIn(world, path, MAX_FILE_BYTES)
  if (reading.kind === 'outside') return leavesWorkspace(path)
  if (reading.kind === 'unreadable') return cannotRead(path, reading.reason)
  if (reading.kind === 'led-out' || reading.kind === 'beyond') return { ok: true, value: UNSEEN }
  return { ok: true, value: reading.kind === 'text' ? reading.text : null }
}

async function findSuccess(command: string, context: FunctionContext): Promise<Fact<boolean>> {
  const { world, signal, commandTimeoutMs } = context
  const wanted = command.trim()
  if (!context.approvedCommands.some((approved) => approved.trim() === wanted))
    return contractFault(
      `the command "${wanted}" is not approved. Add it to [verification] commands in pulseward.toml and approve the file`,
    )
  const words = splitCommand(wanted)
  if (words === null)
    return contractFault(
      `the command "${wanted}" needs a shell, but none is used. Put it into a script and name the script`,
    )
  const { fact, result } = await reusing(
    world,
    {
      kind: 'command',
      name: wanted,
      command: words,
      configured: commandTimeoutMs,
      variables: {},
      isReport: () => canReport(world, words),
      said: ({ result: answer }: CommandAnswer) =>
        answer?.report == null || answer.lacking !== undefined ? null : JSON.stringify(answer.report),
    },
    () => runCommand(wanted, words, world, { timeoutMs: commandTimeoutMs, signal }),
  )
  if (result !== null) context.onCommand(wanted, result)
  return fact
}

/** `result`: null if the command didn't produce one. */
interface CommandAnswer {
  readonly fact: Fact<boolean>
  readonly result: CommandResult | null
}

async function runCommand(
  wanted: string,
  words: readonly string[],
  world: VerifierWorld,
  request: ProgramRequest,
): Promise<CommandAnswer> {
  const { run, runner, reported, texts } = await runWithReport(world, words, request)
  const none = (reason: string, fault: 'environment' | 'contract') => ({
    fact: { ok: false as const, reason, fault, command: wanted },
    result: null,
  })
  const trouble = whyNoResult(run, request.timeoutMs)
  if (trouble !== null) return none(`"${wanted}" gave no result: ${trouble}`, 'environment')
  const lacking = await lackingRun(world, {}, words, run, texts)
  if (reported.kind === 'report') {
    const { report } = reported
    return { fact: { ok: true, value: report.failed === 0 }, result: { report, lacking } }
  }
  if (run.exitCode === NO_SUCH_PROGRAM) {
    const { fact } = none(`"${wanted}" lacks a program: ${lastWords(run)}`, 'environment')
    const lacks = await lacksProgram(world, words, run, request)
    return { fact: lacks ? { ...fact, lacksProgram: true } : fact, result: null }
  }
  if (run.exitCode === 0 && runner !== null)
    return {
      fact: {
        ...{ ok: false, command: wanted, fault: 'contract' },
        reason: `"${wanted}" exited with 0, but ${reported.reason}: ${lastWords(run)}`,
        ...(reported.passesWithoutReport && { passesWithoutReport: reported.passesWithoutReport }),
      },
      result: null,
    }
  return { fact: { ok: true, value: run.exitCode === 0 }, result: { report: null, lacking } }
}

/** Returns program and arguments without quotes; null if it is not a command without a shell. */
export function splitCommand(command: string): readonly string[] | null {
  try {
    const words = split(command)
    return words.length === 0 || words.some((word) => SHELL_WORDS.has(word)) ? null : words
  } catch {
    return null
  }
}

function contractFault(reason: string): Extract<Fact<never>, { ok: false }> {
  return { ok: false, reason, fault: 'contract' }
}

function leavesWorkspace(path: string): Fact<never> {
  return contractFault(`${path} leads out of the workspace`)
}

function cannotRead(path: string, reason: string): Fact<never> {
  return contractFault(`${path} cannot be read: ${reason}`)
}
