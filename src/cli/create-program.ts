import { Command } from 'commander'
import type { ExitCode } from './cli-error.ts'
import { addAgentsCommand } from './commands/agents.ts'
import { addAttemptCommand } from './commands/attempt.ts'
import { addBackupCommand } from './commands/backup.ts'
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
import { addServiceCommand } from './commands/service.ts'
import { addStatusCommands } from './commands/status.ts'
import { addStopCommand } from './commands/stop.ts'
import { addTokenCommand } from './commands/token.ts'
import { addUndoCommand } from './commands/undo.ts'
import { addWorkspaceCommands } from './commands/workspaces.ts'
import type { CommandContext, RunCommand } from './context.ts'
import type { Streams } from './output.ts'

export interface GlobalOptions {
  readonly json?: boolean
  readonly dataDir?: string
  readonly workspace?: string
}

/** What every command is run by: it gets the context and answers with the exit code. */
type Execute = (globals: GlobalOptions, work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>

/** The command with all its subcommands; completions and the manual are written from it too. */
export function createProgram(
  { version, streams }: { readonly version: string; readonly streams: Pick<Streams, 'stdout'> },
  execute: Execute,
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
    addServiceCommand,
    addBackupCommand,
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
    addUndoCommand,
    addTokenCommand,
  ]) {
    addCommands(program, run)
  }
  return program
}
