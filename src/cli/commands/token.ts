import type { Command } from 'commander'
import { z } from 'zod'
import { CliError } from '../cli-error.ts'
import type { RunCommand } from '../context.ts'

export function addTokenCommand(program: Command, run: RunCommand): void {
  program
    .command('token')
    .description("print the running host's token")
    .option('--read-only', 'one that can see everything but change nothing, valid until it is revoked')
    .action(
      run(async ({ output, machine, dataDirectory }, options: { readonly readOnly?: boolean }) => {
        const address = await machine.findHost(dataDirectory)
        if (address === null) {
          throw new CliError(
            3,
            'UNAVAILABLE',
            `No Pulseward runs for ${dataDirectory}. Start one with \`pulseward serve\`, or open the app.`,
          )
        }
        const { token, port, pid } = address
        const url = `http://127.0.0.1:${port}`
        if (options.readOnly !== true) {
          output.answer({ token, url, pid }, () => [token])
          return 0
        }
        const reading = await askSession(url, token, 'GET', 'reading-token')
        const code = await askSession(url, reading.token ?? '', 'POST', 'code')
        const page = `${url}/?code=${code.code ?? ''}`
        output.answer({ token: reading.token, url, pid, page, readOnly: true }, () => [reading.token ?? ''])
        output.remark(`A read-only page, valid once and for one minute: ${page}`)
        return 0
      }),
    )
}

async function askSession(
  url: string,
  token: string,
  method: 'GET' | 'POST',
  what: string,
): Promise<{ readonly token?: string; readonly code?: string }> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/session/${what}`, { method, headers }).catch(() => null)
  if (answer?.ok !== true)
    throw new CliError(
      3,
      'UNAVAILABLE',
      `The host at ${url} gives no token for reading; it may be an older one.`,
    )
  return answerSchema.parse(await answer.json())
}

const answerSchema = z.object({ token: z.string().optional(), code: z.string().optional() })
