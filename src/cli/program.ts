import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { CliError, type ExitCode, toCliError } from './cli-error.ts'
import { addAgentsCommand } from './commands/agents.ts'
import { addAttemptCommand } from './commands/attempt.ts'
import { addBlockedCommands } from './commands/blocked.ts'
import { addChannelsCommand } from './commands/channels.ts'
import { addCheckCommand } from './commands/check.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addInterventionCommands } from './commands/interventions.ts'
import { addNoteCommand } from './commands/note.ts'
import { addProbeCommand } from './commands/probe.ts'
import { addProposalsCommand } from './commands/proposals.ts'
import { addReviewCommands } from './commands/review.ts'
import { addRunCommand } from './commands/run.ts'
import { addSampleCommand } from './commands/sample.ts'
import { addScoreCommands } from './commands/score.ts'
import { addServeCommand } from './commands/serve.ts'
import { addStatusCommands } from './commands/status.ts'
import { addStopCommand } from './commands/stop.ts'
import { addTokenCommand } from './commands/token.ts'
import { addWorkspaceCommands } from './commands/workspaces.ts'
import { askHost, withHost } from './connect.ts'
import type { CommandContext, RunCommand } from './context.ts'
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

interface GlobalOptions {
  readonly json?: boolean
  readonly dataDir?: string
  readonly workspace?: string
}

/** Runs one command line and answers with its exit code. What goes wrong is printed, never thrown. */
export async function runCli(options: CliOptions): Promise<ExitCode> {
  let exitCode: ExitCode = 0
  const program = createProgram(options, async (globals, work) => {
    const context = createContext(options, globals)
    await refuseSupervised(context, program.args[0])
    exitCode = await work(context)
  })
  try {
    await program.parseAsync(options.args, { from: 'user' })
    return exitCode
  } catch (error) {
    const problem = error instanceof CommanderError ? fromCommander(error) : toCliError(error)
    if (problem === null) return 0
    if (problem.exitCode === 70) options.onMistake?.(problem.cause)
    outputFor(options, { json: options.args.includes('--json') }).fail(problem)
    return problem.exitCode
  }
}

/** What an agent's process may do: look at a contract, which needs no data folder. */
const OPEN_TO_ALL: ReadonlySet<string | undefined> = new Set(['check', 'sample', 'agents'])

/** An agent that runs its own supervisor's commands is refused, and a running host is told of it. */
async function refuseSupervised(
  { machine, dataDirectory, currentDirectory }: CommandContext,
  command: string | undefined,
): Promise<void> {
  if (OPEN_TO_ALL.has(command) || !(await machine.isSupervised(dataDirectory))) return
  // It refuses this process too, and records that it asked; where none answers, the next one has to be told.
  const answer = await askHost({ machine, dataDirectory }).catch(() => null)
  if (answer !== 'refused') await machine.noteRefused(dataDirectory, command ?? '', currentDirectory)
  throw new CliError(
    3,
    'FORBIDDEN',
    `"pulseward ${command ?? ''}" is not for a process of an agent that Pulseward supervises, nor for a check: they may report and read their own task, and nothing else.`,
  )
}

function createProgram(
  { version, streams }: CliOptions,
  execute: (globals: GlobalOptions, work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>,
): Command {
  const program = new Command('pulseward')
    .description('Supervises AI agents: checks against reality what they say they did.')
    .version(version)
    .option('--json', 'print one JSON document and nothing else')
    .option('--data-dir <DIR>', 'the data folder (default: PULSEWARD_HOME, or ~/.pulseward)')
    .option('--workspace <DIR>', 'the workspace (default: the current folder, or the only one)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError(false)
    // What commander would print about mistakes is one of its errors too, and is printed as such.
    .configureOutput({ writeOut: (text) => void streams.stdout.write(text), writeErr: () => {} })
  const run: RunCommand =
    (work) =>
    (...args) =>
      execute(program.opts<GlobalOptions>(), (context) => work(context, ...args))
  for (const addCommands of [
    addCheckCommand,
    addWorkspaceCommands,
    addRunCommand,
    addProposalsCommand,
    addServeCommand,
    addSampleCommand,
    addAttemptCommand,
    addScoreCommands,
    addReviewCommands,
    addStatusCommands,
    addBlockedCommands,
    addInterventionCommands,
    addNoteCommand,
    addChannelsCommand,
    addProbeCommand,
    addAgentsCommand,
    addDoctorCommand,
    addStopCommand,
    addTokenCommand,
  ]) {
    addCommands(program, run)
  }
  return program
}

function createContext(options: CliOptions, globals: GlobalOptions): CommandContext {
  const { machine, currentDirectory, signal } = options
  const output = outputFor(options, globals)
  const dataDirectory = resolve(currentDirectory, globals.dataDir ?? machine.defaultDataDirectory)
  return {
    output,
    machine,
    currentDirectory,
    dataDirectory,
    workspaceArgument: globals.workspace,
    signal,
    withHost: (work) =>
      withHost(
        {
          machine,
          dataDirectory,
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

/** Help and version are errors to commander; to us they are answers. */
function fromCommander(error: CommanderError): CliError | null {
  if (error.exitCode === 0) return null
  if (error.code === 'commander.help') {
    return new CliError(2, 'USAGE', 'Name a command; `pulseward --help` lists them.')
  }
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
  return new CliError(2, 'USAGE', `${message}. See \`pulseward --help\`.`)
}
