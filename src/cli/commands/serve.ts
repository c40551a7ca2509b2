import type { Command } from 'commander'
import { createHttpClient } from '../../api/client.ts'
import { CliError, usageError } from '../cli-error.ts'
import { isConflict } from '../connect.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import type { OwnHost } from '../machine.ts'

interface ServeOptions {
  readonly port?: string
  readonly open?: boolean
  readonly sample?: boolean
}

export function addServeCommand(program: Command, run: RunCommand): void {
  program
    .command('serve')
    .description('supervise and serve the page on loopback, without a desktop, until interrupted')
    .option('--port <N>', 'the port (default: the setting, or any free one)')
    .option('--open', 'open the page in the browser')
    .option('--sample', 'start with the sample workspace where there is none yet')
    .action(
      run(async (context, options: ServeOptions) => {
        const host = await startHost(context, parsePort(options.port))
        try {
          await serve(context, host, options)
        } finally {
          await host.stop()
        }
        return 0
      }),
    )
}

async function startHost(context: CommandContext, port: number | undefined): Promise<OwnHost> {
  const { machine, dataDirectory, output } = context
  try {
    return await machine.startHost({
      dataDirectory,
      port,
      scheduled: true,
      withPage: true,
      onNotification: (title, body) => output.remark(`${title}: ${body}`),
    })
  } catch (error) {
    if (!isConflict(error)) throw error
    const running = await machine.findHost(dataDirectory)
    const address = running === null ? '' : ` It serves ${pageAddress(running.port, running.token)}`
    throw new CliError(3, 'CONFLICT', `${error.message}${address}`, { cause: error })
  }
}

async function serve(context: CommandContext, host: OwnHost, options: ServeOptions): Promise<void> {
  const { output, signal } = context
  const page = pageAddress(host.port, host.token)
  output.answer({ url: host.url, port: host.port, token: host.token, page, pid: process.pid }, () => [
    `Pulseward is serving on ${page}`,
  ])
  if (options.sample === true) await openSample(host)
  if (options.open === true) {
    const { default: open } = await import('open')
    await open(page).catch((error: unknown) =>
      output.remark(`The browser could not be opened: ${String(error)}`),
    )
  }
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  output.remark('Stopping …')
}

async function openSample(host: OwnHost): Promise<void> {
  const client = createHttpClient({ url: host.url, token: host.token })
  if ((await client.workspaces.list()).length === 0) await client.workspaces.openSample()
}

function pageAddress(port: number, token: string): string {
  return `http://127.0.0.1:${port}/?token=${token}`
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw usageError(
      `--port is ${JSON.stringify(text)}; expected a whole number from 0 (any free one) to 65535.`,
    )
  }
  return port
}
