import { Command } from 'commander'
import { type ExitCode, usageError } from './cli-error.ts'
import type { CommandContext, RunCommand } from './context.ts'
import type { Streams } from './output.ts'

export interface GlobalOptions {
  readonly json?: boolean
  readonly dataDir?: string
  readonly workspace?: string
}

type AddCommands = (program: Command, run: RunCommand) => void

/** The commands by file, in the order of the help. Only those on the command line are loaded. */
const COMMANDS: readonly { readonly names: readonly string[]; readonly load: () => Promise<AddCommands> }[] =
  [
    { names: ['verify'], load: async () => (await import('./commands/verify.ts')).addVerifyCommand },
    { names: ['check'], load: async () => (await import('./commands/check.ts')).addCheckCommand },
    {
      names: ['add', 'trust', 'list', 'remove'],
      load: async () => (await import('./commands/workspaces.ts')).addWorkspaceCommands,
    },
    { names: ['run'], load: async () => (await import('./commands/run.ts')).addRunCommand },
    { names: ['proposals'], load: async () => (await import('./commands/proposals.ts')).addProposalsCommand },
    { names: ['serve'], load: async () => (await import('./commands/serve.ts')).addServeCommand },
    { names: ['service'], load: async () => (await import('./commands/service.ts')).addServiceCommand },
    { names: ['backup'], load: async () => (await import('./commands/backup.ts')).addBackupCommand },
    { names: ['update'], load: async () => (await import('./commands/update.ts')).addUpdateCommand },
    {
      names: ['export', 'import'],
      load: async () => (await import('./commands/exchange.ts')).addExchangeCommands,
    },
    { names: ['sample'], load: async () => (await import('./commands/sample.ts')).addSampleCommand },
    { names: ['attempt'], load: async () => (await import('./commands/attempt.ts')).addAttemptCommand },
    {
      names: ['score', 'history', 'feedback', 'overrule'],
      load: async () => (await import('./commands/score.ts')).addScoreCommands,
    },
    { names: ['attest'], load: async () => (await import('./commands/attest.ts')).addAttestCommand },
    {
      names: ['attestation'],
      load: async () => (await import('./commands/attestation.ts')).addAttestationCommand,
    },
    { names: ['key'], load: async () => (await import('./commands/key.ts')).addKeyCommand },
    { names: ['landing'], load: async () => (await import('./commands/landing.ts')).addLandingCommand },
    { names: ['review'], load: async () => (await import('./commands/review.ts')).addReviewCommands },
    {
      names: ['status', 'pause', 'resume'],
      load: async () => (await import('./commands/status.ts')).addStatusCommands,
    },
    {
      names: ['blocked', 'unblock', 'retry-blocked'],
      load: async () => (await import('./commands/blocked.ts')).addBlockedCommands,
    },
    {
      names: ['interventions', 'profile', 'metrics'],
      load: async () => (await import('./commands/interventions.ts')).addInterventionCommands,
    },
    { names: ['hook'], load: async () => (await import('./commands/hook.ts')).addHookCommand },
    {
      names: ['sessions', 'session'],
      load: async () => (await import('./commands/sessions.ts')).addSessionCommands,
    },
    { names: ['acp'], load: async () => (await import('./commands/acp.ts')).addAcpCommand },
    { names: ['mcp'], load: async () => (await import('./commands/mcp.ts')).addMcpCommand },
    { names: ['note'], load: async () => (await import('./commands/note.ts')).addNoteCommand },
    { names: ['channels'], load: async () => (await import('./commands/channels.ts')).addChannelsCommand },
    { names: ['fleet'], load: async () => (await import('./commands/fleet.ts')).addFleetCommand },
    { names: ['probe'], load: async () => (await import('./commands/probe.ts')).addProbeCommand },
    { names: ['agents'], load: async () => (await import('./commands/agents.ts')).addAgentsCommand },
    { names: ['doctor'], load: async () => (await import('./commands/doctor.ts')).addDoctorCommand },
    { names: ['stop'], load: async () => (await import('./commands/stop.ts')).addStopCommand },
    { names: ['seen'], load: async () => (await import('./commands/seen.ts')).addSeenCommand },
    { names: ['undo'], load: async () => (await import('./commands/undo.ts')).addUndoCommand },
    { names: ['token'], load: async () => (await import('./commands/token.ts')).addTokenCommand },
  ]

/** If a command line contains any of these, it may need all commands. */
const ABOUT_ALL: ReadonlySet<string> = new Set(['help', '--help', '-h'])

/** Runs every command: passes it the context and uses its exit code. */
type Execute = (globals: GlobalOptions, work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>

/**
 * Returns the program with the subcommands that `args` may need, or all of them if it is left out. Completions and the manual are generated
 * from it too.
 */
export async function createProgram(
  { version, streams }: { readonly version: string; readonly streams: Pick<Streams, 'stdout'> },
  execute: Execute,
  args: readonly string[] = [],
): Promise<Command> {
  const program = new Command('pulseward')
    .description('Supervises AI agents: checks their claims against reality.')
    .version(version)
    .option('--json', 'print one JSON document and nothing else')
    .option('--data-dir <DIR>', 'the data folder (default: PULSEWARD_HOME, or ~/.pulseward)')
    .option('--workspace <DIR>', 'the workspace (default: the current folder, or the only one)')
    .configureHelp({ showGlobalOptions: true })
    .hook('preAction', (whole, command) => refuseOddValues(whole, command))
    .exitOverride()
    .showHelpAfterError(false)
    // Commander's messages about mistakes are also thrown as errors, and printed as such.
    .configureOutput({ writeOut: (text) => void streams.stdout.write(text), writeErr: () => {} })
  const run: RunCommand =
    (work) =>
    (...args) =>
      execute(program.opts<GlobalOptions>(), (context) => work(context, ...args))
  const loaded = await Promise.all(commandsFor(args).map(({ load }) => load()))
  for (const addCommands of loaded) addCommands(program, run)
  return program
}

/**
 * Refuses empty values and options given as values. An empty value usually comes from an unset variable, and as a path it would mean the
 * current folder, which the caller did not name. An option where a value belongs means that the value was forgotten.
 */
function refuseOddValues(program: Command, command: Command): void {
  const [first] = [...oddOptions(program, command), ...emptyArguments(command)]
  if (first !== undefined) throw usageError(`${first}. See \`${pathOf(command)} --help\`.`)
}

function oddOptions(program: Command, command: Command): string[] {
  const both = [program, command]
  const flags = new Set(both.flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])))
  return both.flatMap((each) =>
    each.options.flatMap((option) => {
      const value: unknown = each.getOptionValue(option.attributeName())
      if (value === '') return `${option.long} is empty: ${whatToGive(option.mandatory)}`
      if (typeof value !== 'string' || !flags.has(value)) return []
      return `option '${option.flags}' argument missing: ${value} follows instead`
    }),
  )
}

function emptyArguments({ registeredArguments, processedArgs }: Command): string[] {
  return registeredArguments
    .filter((_, at) => processedArgs[at] === '')
    .map((argument) => `${argument.name()} is empty: ${whatToGive(argument.required)}`)
}

function whatToGive(isNeeded: boolean): string {
  return isNeeded ? 'give it a value' : 'give it a value, or leave it out'
}

/** Returns a command's name after those of its parents, as it is typed. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

/**
 * Returns the commands that the words may name. Such a word may just be a value, but loading one too many costs little, and one too few
 * would be missing.
 */
function commandsFor(args: readonly string[]): typeof COMMANDS {
  const named = COMMANDS.filter(({ names }) => names.some((name) => args.includes(name)))
  return named.length === 0 || args.some((arg) => ABOUT_ALL.has(arg)) ? COMMANDS : named
}
