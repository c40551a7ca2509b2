import type { Command } from 'commander'
import { counted } from '../../core/scoring/format.ts'
import { CliError } from '../cli-error.ts'
import { isConflict } from '../connect.ts'
import type { RunCommand } from '../context.ts'
import type { Backup } from '../machine.ts'

/** Adds `backup`, `backup list` and `backup restore`, for the record, the settings and the approvals. */
export function addBackupCommand(program: Command, run: RunCommand): void {
  const backup = program
    .command('backup')
    .description('copy record, settings and approvals into the data folder’s backups; also runs once a day')
    .action(
      run(async ({ machine, output, dataDirectory }) => {
        const made = await machine.backups.create(dataDirectory)
        output.answer(made, () => [`Backed up ${described(made)} to ${made.path}`])
        return 0
      }),
    )
  backup
    .command('list')
    .description('list the backups, newest first')
    .action(
      run(async ({ machine, output, dataDirectory }) => {
        const backups = await machine.backups.list(dataDirectory)
        output.answer({ backups }, () =>
          backups.length === 0
            ? ['There is no backup yet. Make one with `pulseward backup`.']
            : backups.map((each) => `${each.name}  ${described(each)}`),
        )
        return 0
      }),
    )
  backup
    .command('restore')
    .description('restore a backup while Pulseward is not running; the current data is set aside')
    .argument('<BACKUP>', 'its name, or a path')
    .action(
      run(async ({ machine, output, dataDirectory }, given: string) => {
        const restored = await machine.backups.restore(dataDirectory, given).catch((error: unknown) => {
          // A running host can't do this itself, so it is a conflict.
          throw isConflict(error) ? new CliError(3, 'CONFLICT', error.message, { cause: error }) : error
        })
        output.answer(restored, () => [
          `Restored ${counted(restored.files, 'file')} to ${dataDirectory}.`,
          ...(restored.before === null ? [] : [`The previous data is in ${restored.before}.`]),
        ])
        return 0
      }),
    )
}

function described({ files, bytes }: Backup): string {
  const size =
    bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  return `${counted(files, 'file')}, ${size}`
}
