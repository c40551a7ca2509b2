import type { Command } from 'commander'
import { usageError } from '../cli-error.ts'
import type { RunCommand } from '../context.ts'
import { runChecks } from '../doctor-checks.ts'
import type { Machine } from '../machine.ts'

export function addDoctorCommand(program: Command, run: RunCommand): void {
  program
    .command('doctor')
    .description('check the data, locks, trust, and the agents on this machine')
    .option('--accept <workspace>', 'take the record of this workspace as it stands now')
    .action(
      run(async ({ output, machine, dataDirectory }, options: { readonly accept?: string }) => {
        if (options.accept !== undefined) await accept(machine, dataDirectory, options.accept)
        const checks = await runChecks(machine, dataDirectory)
        const signs = { ok: ['✓', 'good'], warning: ['!', 'warning'], error: ['✕', 'bad'] } as const
        output.answer({ checks }, (paint) =>
          checks.map(({ name, status, message }) => {
            const [glyph, style] = signs[status]
            return `${paint(style, glyph)} ${paint('strong', name)}: ${message}`
          }),
        )
        return checks.some(({ status }) => status === 'error') ? 1 : 0
      }),
    )
}

async function accept(machine: Machine, dataDirectory: string, given: string): Promise<void> {
  if ((await machine.acceptRecord(dataDirectory, given)) === null)
    throw usageError(`There is no workspace ${given}. \`pulseward list\` shows them.`)
}
