import type { Command } from 'commander'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { runChecks } from '../doctor-checks.ts'

export function addDoctorCommand(program: Command, run: RunCommand): void {
  program
    .command('doctor')
    .description('check the data, locks, trust, and the agents on this machine')
    .option('--accept <workspace>', 'accept the record of this workspace as it is now')
    .action(
      run(async (context, options: { readonly accept?: string }) => {
        const { output, machine, dataDirectory, signal } = context
        if (options.accept !== undefined) await accept(context, options.accept)
        const checks = await runChecks(machine, dataDirectory, signal)
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

/** Goes through the host, which records who accepted; for a workspace that no host can open, it accepts directly. */
async function accept({ machine, dataDirectory, withHost }: CommandContext, given: string): Promise<void> {
  const data = await machine.data()
  const id = await data.findWorkspace(dataDirectory, given)
  if (id === null) throw usageError(`There is no workspace ${given}. \`pulseward list\` shows them.`)
  await withHost(async (client) => {
    const isOpen = (await client.workspaces.list({ all: true })).some((workspace) => workspace.id === id)
    if (isOpen) await client.workspaces.acceptRecord({ id })
    else await data.acceptRecord(dataDirectory, id)
  })
}
