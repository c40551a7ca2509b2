import { resolve } from 'node:path'
import { type Command, CommanderError, type Option } from 'commander'
import { titled } from '../core/text/sentence.ts'
import { CliError, type ExitCode, toCliError, usageError } from './cli-error.ts'
import { askHost, withHost } from './connect.ts'
import type { CommandContext } from './context.ts'
import { createProgram, type GlobalOptions, pathOf } from './create-program.ts'
import { readHelp } from './help-words.ts'
import type { Machine } from './machine.ts'
import { createOutput, type Streams } from './output.ts'

export interface CliOptions {
  /** The words after the program's name. */
  readonly args: readonly string[]
  readonly version: string
  readonly machine: Machine
  readonly streams: Streams
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly currentDirectory: string
  /** Aborted at the first Ctrl-C. */
  readonly signal: AbortSignal
  /** Called with a bug in Pulseward, in addition to what is printed. */
  readonly onMistake?: (error: unknown) => void
}

/** Runs one command line and returns its exit code. Errors are printed, never thrown. */
export async function runCli(options: CliOptions): Promise<ExitCode> {
  let exitCode: ExitCode = 0
  const json = options.args.includes('--json')
  const said: string[] = []
  const program = await createProgram(
    // Help and version are answers like any other: a document with `--json`.
    { ...options, streams: json ? { stdout: { write: (text) => said.push(text) } } : options.streams },
    async (globals, work) => {
      const words = wordsOfCommand(program.args)
      const context = createContext(options, globals, words)
      await refuseSupervised(context, program.args[0], words)
      await refuseUnusableData(context, program.args[0])
      exitCode = await work(context)
    },
    options.args,
  )
  try {
    await program.parseAsync(readHelp(program, options.args), { from: 'user' })
    return exitCode
  } catch (error) {
    const problem =
      error instanceof CommanderError ? fromCommander(error, options.args, program) : toCliError(error)
    const output = outputFor(options, { json })
    if (problem === null) {
      if (json) output.answer(aboutCommands(error, options.version, said.join('')), () => [])
      return 0
    }
    if (problem.exitCode === 70) options.onMistake?.(problem.cause)
    output.fail(problem)
    return problem.exitCode
  }
}

/** What an agent's process may do: check a contract or a change, which needs no data folder. */
const OPEN_TO_ALL: ReadonlySet<string | undefined> = new Set(['check', 'sample', 'agents', 'verify'])

/** Commands that need no data folder, and those that find out what is wrong with it. */
const WITHOUT_DATA: ReadonlySet<string | undefined> = new Set([...OPEN_TO_ALL, 'doctor', 'attestation'])

async function refuseUnusableData(
  { machine, dataDirectory }: CommandContext,
  command: string | undefined,
): Promise<void> {
  const problem = WITHOUT_DATA.has(command) ? null : await machine.problemOfDataDirectory(dataDirectory)
  if (problem !== null) throw usageError(problem)
}

/** Refuses an agent that runs its own supervisor's commands, and tells a running host about it. */
async function refuseSupervised(
  { machine, dataDirectory, currentDirectory, signal }: CommandContext,
  command: string | undefined,
  words: string,
): Promise<void> {
  if (OPEN_TO_ALL.has(command) || !(await machine.isSupervised(dataDirectory))) return
  // The host refuses this process too, and records the request; if none is running, the next one has to be told.
  const answer = await askHost({ machine, dataDirectory, signal, command: words }).catch(() => null)
  if (answer !== 'refused') await machine.noteRefused(dataDirectory, words, currentDirectory)
  throw new CliError(
    3,
    'FORBIDDEN',
    `"pulseward ${command ?? ''}" is not for a process of an agent that Pulseward supervises, nor for a check: they may report and read their own task, and nothing else.`,
  )
}

const MAX_WORDS = 80

/** Returns the command and its arguments, limited to simple words: an id, or a word such as `up`. */
function wordsOfCommand(args: readonly string[]): string {
  return args
    .filter((word) => /^[\w-]{1,40}$/.test(word))
    .join(' ')
    .slice(0, MAX_WORDS)
    .trim()
}

function createContext(options: CliOptions, globals: GlobalOptions, command: string): CommandContext {
  const { machine, version, currentDirectory, signal } = options
  const output = outputFor(options, globals)
  const dataDirectory = resolve(currentDirectory, globals.dataDir ?? machine.defaultDataDirectory)
  return {
    output,
    machine,
    version,
    currentDirectory,
    dataDirectory,
    workspaceArgument: globals.workspace,
    signal,
    withHost: (work) =>
      withHost(
        {
          machine,
          dataDirectory,
          command,
          signal,
          onNotification: (title, body) => output.remark(titled(title, body)),
        },
        work,
      ),
  }
}

function outputFor({ streams, environment }: CliOptions, { json }: GlobalOptions) {
  return createOutput(streams, { json: json === true, environment })
}

function aboutCommands(error: unknown, version: string, help: string): object {
  return error instanceof CommanderError && error.code === 'commander.version' ? { version } : { help }
}

/** Converts commander's errors. Help and version are errors to commander, but answers to us. */
function fromCommander(error: CommanderError, args: readonly string[], program: Command): CliError | null {
  if (error.exitCode === 0) return null
  const command = namedCommand(program, args)
  const help = `\`${pathOf(command)} --help\``
  if (error.code === 'commander.help') {
    return new CliError(2, 'USAGE', `Name a command; ${help} lists them.`)
  }
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
  const taker = error.code === 'commander.missingArgument' ? takerOfAll(command, args) : undefined
  if (taker !== undefined) {
    return new CliError(
      2,
      'USAGE',
      `${message}: ${taker.long} takes all the words behind it. Put it last, or end it with \`--\`. See ${help}.`,
    )
  }
  return new CliError(2, 'USAGE', `${message}. See ${help}.`)
}

/** Returns the deepest command that the words name. */
function namedCommand(program: Command, args: readonly string[]): Command {
  return args.reduce<Command>(
    (command, word) => command.commands.find((each) => each.name() === word) ?? command,
    program,
  )
}

/** Returns an option that was given and takes all following words, so that it may have swallowed an argument. */
function takerOfAll(command: Command, args: readonly string[]): Option | undefined {
  return command.options.find(({ variadic, long }) => variadic && long != null && args.includes(long))
}
