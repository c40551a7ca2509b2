import { type Command, Option } from 'commander'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns } from '../format.ts'
import { type HubOptions, hubDirectory } from './fleet-hub-folder.ts'
import { addOperatorCommand } from './fleet-operator.ts'

/** Adds `fleet hub`, which manages the configuration of nats-server and who may connect to it. */
export function addHubCommands(fleet: Command, run: RunCommand): void {
  const directory = () => new Option('--dir <DIR>', 'the folder of the hub (default: hub in the data folder)')
  const hub: Command = fleet
    .command('hub')
    .description('write the files that nats-server starts with: accounts, keys, TLS')
    // `hub` itself would take the option from its subcommands, which have an option of the same name, wherever it is written.
    .hook('preAction', (_hub, command) => void command.setOptionValue('dir', hub.opts<HubOptions>().dir))
    .addOption(directory())
    .option('--address <HOST:PORT>', 'the address at which hosts reach it')
    .action(
      run((context, options: HubOptions & { readonly address?: string }) => createHub(context, options)),
    )
  hub
    .command('add')
    .description('let a host in; prints the command to join, once')
    .argument('<NAME>', 'small letters, digits and hyphens')
    .addOption(directory())
    .action(run((context, name: string, options: HubOptions) => addKey(context, name, options)))
  addOperatorCommand(hub, run, directory())
  hub
    .command('revoke')
    .description('revoke its access; what it sent stays')
    .argument('<NAME>')
    .addOption(directory())
    .action(run((context, name: string, options: HubOptions) => revokeKey(context, name, options)))
  hub
    .command('list')
    .description('list whom the hub lets in')
    .addOption(directory())
    .action(run((context, options: HubOptions) => listKeys(context, options)))
}

async function createHub(
  context: CommandContext,
  options: HubOptions & { readonly address?: string },
): Promise<0> {
  if (options.address === undefined)
    throw usageError('Name the address at which hosts reach it: --address hub.example.org:4222')
  const made = await (await context.machine.hub()).create(hubDirectory(context, options), options.address)
  context.output.answer(made, () => [
    `A hub for ${made.url} is in ${made.directory}. Start it:`,
    ...made.commands.map((command) => `  ${command}`),
    `Then let hosts in: pulseward fleet hub add NAME${dirWords(options)}`,
    `To use your own cluster, include ${made.users} in an account with JetStream instead.`,
  ])
  return 0
}

function dirWords({ dir }: HubOptions): string {
  return dir === undefined ? '' : ` --dir ${dir}`
}

async function addKey(context: CommandContext, name: string, options: HubOptions): Promise<0> {
  const added = await (await context.machine.hub()).add(hubDirectory(context, options), name)
  context.output.answer(added, () => [`pulseward fleet join ${added.url} --token ${added.token}`])
  context.output.remark('This secret is shown only once. Anyone who has it can join under this name.')
  if (added.notYet !== null) context.output.remark(added.notYet)
  return 0
}

async function revokeKey(context: CommandContext, name: string, options: HubOptions): Promise<0 | 1> {
  const revoked = await (await context.machine.hub()).revoke(hubDirectory(context, options), name)
  context.output.answer(revoked, () => [`${name} no longer has access. What it sent is kept.`])
  if (revoked.notYet !== null) context.output.remark(revoked.notYet)
  if (revoked.hosts !== null)
    context.output.remark(
      `${revoked.hosts} hosts have confirmed that they refuse it too; the others are told when they connect.`,
    )
  return 0
}

async function listKeys(context: CommandContext, options: HubOptions): Promise<0> {
  const keys = await (await context.machine.hub()).list(hubDirectory(context, options))
  context.output.answer(keys, () =>
    keys.length === 0
      ? ['No one has access yet: pulseward fleet hub add NAME']
      : columns(
          keys.map(({ name, role, addedAt, revokedAt }) => [
            name,
            role,
            revokedAt === null ? `since ${addedAt}` : `revoked ${revokedAt}`,
          ]),
        ),
  )
  return 0
}
