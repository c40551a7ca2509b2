import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import {
  ASSISTANT_CLIENTS,
  type AssistantClient,
  CONFIG_PLACES,
  clientConfig,
} from '../assistant/client-config.ts'
import type { CommandContext, RunCommand } from '../context.ts'

/** Adds `mcp`, the server for the operator's own assistant. */
export function addMcpCommand(program: Command, run: RunCommand): void {
  program
    .command('mcp')
    .description(
      'serve your own assistant over MCP (stdio): tells it what your agents did and what needs your attention',
    )
    .addOption(
      new Option('--print-config <CLIENT>', 'print how to add it to a program').choices([
        ...ASSISTANT_CLIENTS,
      ]),
    )
    .action(run(mcp))
}

async function mcp(context: CommandContext, { printConfig }: { printConfig?: AssistantClient }): Promise<0> {
  const { workspaceArgument, output } = context
  if (printConfig !== undefined) {
    const config = clientConfig(printConfig, argumentsFrom(context))
    output.remark(CONFIG_PLACES[printConfig])
    output.answer({ client: printConfig, config }, () => [config])
    return 0
  }
  const { serveAssistant } = await import('../assistant/assistant-server.ts')
  const { chooseWorkspace } = await import('../choose-workspace.ts')
  const { createHttpClient } = await import('../../api/client.ts')
  const workspace =
    workspaceArgument === undefined
      ? null
      : (await context.withHost((client) => chooseWorkspace(context, client))).id
  await serveAssistant(
    {
      version: context.version,
      workspace,
      input: process.stdin,
      output: process.stdout,
      withHost: context.withHost,
      findHost: async () => {
        const address = await context.machine.findHost(context.dataDirectory)
        // Other commands use a smaller client, which cannot read a stream.
        return address && createHttpClient({ url: `http://127.0.0.1:${address.port}`, token: address.token })
      },
    },
    context.signal,
  )
  return 0
}

/** Returns the arguments that start this server from any folder. */
function argumentsFrom({
  workspaceArgument,
  currentDirectory,
  dataDirectory,
  machine,
}: CommandContext): readonly string[] {
  const folder = resolve(currentDirectory, workspaceArgument ?? '.')
  const workspace = existsSync(folder) ? folder : workspaceArgument
  return [
    'mcp',
    ...(dataDirectory === machine.defaultDataDirectory ? [] : ['--data-dir', dataDirectory]),
    ...(workspaceArgument === undefined || workspace === undefined ? [] : ['--workspace', workspace]),
  ]
}
