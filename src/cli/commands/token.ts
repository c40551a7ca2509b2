import type { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import type { RunCommand } from '../context.ts'

export function addTokenCommand(program: Command, run: RunCommand): void {
  program
    .command('token')
    .description("print the running host's token")
    .action(
      run(async ({ output, machine, dataDirectory }) => {
        const address = await machine.findHost(dataDirectory)
        if (address === null) {
          throw new CliError(
            3,
            'UNAVAILABLE',
            `No Pulseward runs for ${dataDirectory}. Start one with \`pulseward serve\`, or open the app.`,
          )
        }
        const { token, port, pid } = address
        output.answer({ token, url: `http://127.0.0.1:${port}`, pid }, () => [token])
        return 0
      }),
    )
}
