import type { Command } from 'commander'
import type { RunCommand } from '../context.ts'
import { runChecks } from '../doctor-checks.ts'

export function addDoctorCommand(program: Command, run: RunCommand): void {
  program
    .command('doctor')
    .description('check the data, locks, trust, and the agents on this machine')
    .action(
      run(async ({ output, machine, dataDirectory }) => {
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
