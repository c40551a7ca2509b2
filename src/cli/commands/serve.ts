import { resolve } from 'node:path'
import type { Command } from 'commander'
import { titled } from '../../core/text/sentence.ts'
import { CliError, usageError } from '../cli-error.ts'
import { isConflict, withinLimit } from '../connect.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { readJson, send } from '../loopback-request.ts'
import type { OwnHost } from '../machine.ts'

interface ServeOptions {
  readonly port?: string
  readonly open?: boolean
  readonly sample?: boolean
  readonly fleet?: string
}

export function addServeCommand(program: Command, run: RunCommand): void {
  program
    .command('serve')
    .description('supervise and serve the page on loopback, without a desktop, until interrupted')
    .option('--port <N>', 'the port (default: the setting, or any free one)')
    .option('--open', 'open the page in the browser')
    .option('--fleet <DIR>', 'be the center of the hub in this folder: show all its hosts')
    .option('--sample', 'start with the sample workspace if there is none yet')
    .action(
      run(async (context, options: ServeOptions) => {
        const host = await startHost(context, options)
        if (host === null) return 0
        try {
          await serve(context, host, options)
        } finally {
          await host.stop()
        }
        return 0
      }),
    )
}

/** Starts a host. Returns `null` if another host is already serving; then its page was opened instead. */
async function startHost(context: CommandContext, options: ServeOptions): Promise<OwnHost | null> {
  const { machine, dataDirectory, output } = context
  try {
    return await machine.startHost({
      dataDirectory,
      port: parsePort(options.port),
      scheduled: true,
      withPage: true,
      ...(options.fleet !== undefined && {
        hubDirectory: resolve(context.currentDirectory, options.fleet),
      }),
      onNotification: (title, body) => output.remark(titled(title, body)),
    })
  } catch (error) {
    if (!isConflict(error)) throw error
    const running = await machine.findHost(dataDirectory)
    const page = running === null ? null : await pageOfRunning(running, context.signal)
    if (page === null || options.open !== true) {
      const address = page === null ? '' : ` It serves ${page} (good once, for a minute)`
      throw new CliError(3, 'CONFLICT', `${error.message}${address}`, { cause: error })
    }
    output.answer({ url: new URL(page).origin, page }, () => [`Pulseward is serving on ${page} already`])
    await openInBrowser(context, page)
    return null
  }
}

async function serve(context: CommandContext, host: OwnHost, options: ServeOptions): Promise<void> {
  const { output, signal } = context
  const page = host.pageAddress()
  output.answer({ url: host.url, port: host.port, token: host.token, page, pid: process.pid }, () => [
    `Pulseward is serving on ${page}`,
  ])
  if (options.sample === true) await openSample(host)
  if (options.open === true) {
    // Open a second address: each can be used once, and the printed one must stay valid for copying.
    await openInBrowser(context, host.pageAddress())
  }
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  output.remark('Stopping …')
}

async function openSample({ client }: OwnHost): Promise<void> {
  if ((await client.workspaces.list({ all: true })).length === 0) await client.workspaces.openSample()
}

async function openInBrowser({ output }: CommandContext, page: string): Promise<void> {
  const { default: open } = await import('open')
  await open(page).catch((error: unknown) =>
    output.remark(`The browser could not be opened: ${String(error)}`),
  )
}

/** Returns the page's address on another process's host; `null` if it does not answer. */
async function pageOfRunning(
  { port, token }: { port: number; token: string },
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const headers = { authorization: `Bearer ${token}` }
    const { code } = await withinLimit(signal, async (limit) => {
      const options = { method: 'POST', headers, signal: limit, text: null }
      const answer = await send(new URL(`http://127.0.0.1:${port}/api/session/code`), options)
      return (await readJson(answer)) as { code?: unknown }
    })
    return typeof code === 'string' ? `http://127.0.0.1:${port}/?code=${code}` : null
  } catch {
    return null
  }
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
