import { resolve } from 'node:path'
import { type Command, CommanderError, type Option } from 'commander'
import { CliError, type ExitCode, toCliError, usageError } from './cli-error.ts'
import { askHost, withHost } from './connect.ts'
import type { CommandContext } from './context.ts'
import { createProgram, type GlobalOptions, pathOf } from './create-program.ts'
import { readHelp } from './help-words.ts'
import type { Machine } from './machine.ts'
import { createOutput, type Streams } from './output.ts'

export interface CliOptions {
  /** After the program's name. */
  readonly args: readonly string[]
  readonly version: string
  readonly machine: Machine
  readonly streams: Streams
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly currentDirectory: string
  /** Aborted at the first Ctrl-C. */
  readonly signal: AbortSignal
  /** Told of a mistake of ours, beside what is printed. */
  readonly onMistake?: (error: unknown) => void
}

/** Runs one command line and answers with its exit code. What goes wrong is printed, never thrown. */
export async function runCli(options: CliOptions): Promise<ExitCode> {
  let exitCode: ExitCode = 0
  const json = options.args.includes('--json')
  const said: string[] = []
  const program = await createProgram(
    // What is said about the commands is an answer like any other: a document where one is wanted.
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

/** What an agent's process may do: look at a contract or a change, which needs no data folder. */
const OPEN_TO_ALL: ReadonlySet<string | undefined> = new Set(['check', 'sample', 'agents', 'verify'])

/** What needs no data folder, and what looks for what is wrong with it. */
const WITHOUT_DATA: ReadonlySet<string | undefined> = new Set([...OPEN_TO_ALL, 'doctor', 'attestation'])

async function refuseUnusableData(
  { machine, dataDirectory }: CommandContext,
  command: string | undefined,
): Promise<void> {
  const problem = WITHOUT_DATA.has(command) ? null : await machine.problemOfDataDirectory(dataDirectory)
  if (problem !== null) throw usageError(problem)
}

/** An agent that runs its own supervisor's commands is refused, and a running host is notified of it. */
async function refuseSupervised(
  { machine, dataDirectory, currentDirectory, signal }: CommandContext,
  command: string | undefined,
  words: string,
): Promise<void> {
  if (OPEN_TO_ALL.has(command) || !(await machine.isSupervised(dataDirectory))) return
  // It refuses this process too, and records that it asked; where none answers, the next one has to be told.
  const answer = await askHost({ machine, dataDirectory, signal, command: words }).catch(() => null)
  if (answer !== 'refused') await machine.noteRefused(dataDirectory, words, currentDirectory)
  throw new CliError(
    3,
    'FORBIDDEN',
    `"pulseward ${command ?? ''}" is not for a process of an agent that Pulseward supervises, nor for a check: they may report and read their own task, and nothing else.`,
  )
}

const MAX_WORDS = 80

/** The command and what it was given, without what only fits a command line: an id, a word such as `up`. */
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
          onNotification: (title, body) => output.remark(`${title}: ${body}`),
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

/** Help and version are errors to commander; to us they are answers. */
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

/** The command that the words name, as far as they name one. */
function namedCommand(program: Command, args: readonly string[]): Command {
  return args.reduce<Command>(
    (command, word) => command.commands.find((each) => each.name() === word) ?? command,
    program,
  )
}

/** An option that was given and takes as many words as follow: it may have taken an argument too. */
function takerOfAll(command: Command, args: readonly string[]): Option | undefined {
  return command.options.find(({ variadic, long }) => variadic && long != null && args.includes(long))
}
