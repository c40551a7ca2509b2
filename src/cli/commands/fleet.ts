import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { ContentStatus } from '../../core/fleet/content.ts'
import type { FleetStatus, Membership, Shipping } from '../../core/fleet/status.ts'
import { HUB_WORDS } from '../../core/vocabulary/fleet.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns } from '../format.ts'
import { addAskCommand } from './fleet-ask.ts'
import { addCentreCommands } from './fleet-centre.ts'
import { addHubCommands } from './fleet-hub.ts'

interface JoinOptions {
  readonly token?: string
  readonly tokenFile?: string
  readonly group?: string
  readonly label?: readonly string[]
}

/** Adds `fleet`, which shows many machines in one view. */
export function addFleetCommand(program: Command, run: RunCommand): void {
  const fleet = program
    .command('fleet')
    .description('show many machines in one view: join or leave a hub, see what was sent, or create a hub')
  fleet
    .command('join')
    .description('start sending the records of this host to a hub')
    .argument('<URL>', 'tls://HOST:PORT, as printed by `pulseward fleet hub add`')
    .option('--token <TOKEN>', 'the token printed by `pulseward fleet hub add`')
    .option('--token-file <FILE>', 'read the token from a file, to keep it out of the shell history')
    .option('--group <NAME>', 'group of this host')
    .option('--label <LABEL...>', 'what this host is or has: shared work can ask for it')
    .action(run(join))
  fleet.command('leave').description('stop sending; what was sent stays there').action(run(leave))
  fleet
    .command('status')
    .description('show whether the hub can be reached, and how much of each record was sent')
    .action(run(status))
  addCentreCommands(fleet, run)
  addAskCommand(fleet, run)
  addHubCommands(fleet, run)
}

async function join(context: CommandContext, url: string, options: JoinOptions): Promise<0 | 1> {
  const { token, tokenFile, group, label } = options
  if ((token === undefined) === (tokenFile === undefined))
    throw usageError('Name the token with --token, or the file that contains it with --token-file.')
  const text = token ?? (await readToken(context, tokenFile ?? ''))
  const answer = await context.withHost((client) =>
    client.fleet.join({ url, token: text, group: group ?? null, labels: [...(label ?? [])] }),
  )
  context.output.answer(answer, () => [
    `Joined ${url} as ${answer.member?.host ?? ''}. What was sent: pulseward fleet status`,
  ])
  return 0
}

async function readToken({ currentDirectory }: CommandContext, file: string): Promise<string> {
  return readFile(resolve(currentDirectory, file), 'utf8').catch(() => {
    throw usageError(`${file} cannot be read: --token-file names a file.`)
  })
}

async function leave(context: CommandContext): Promise<0> {
  const answer = await context.withHost((client) => client.fleet.leave())
  context.output.answer(answer, () => [
    answer.left ? 'Left. What was sent stays at the hub.' : 'This host was in no fleet.',
  ])
  return 0
}

/** Returns 1 if something is stuck and needs attention. */
async function status(context: CommandContext): Promise<0 | 1> {
  const answer = await context.withHost((client) => client.fleet.status())
  context.output.answer(answer, () => describe(answer))
  const { member } = answer
  const isHalted = member?.workspaces.some(({ problem }) => problem !== null) ?? false
  return isHalted || member?.state === 'refused' ? 1 : 0
}

function describe({ member }: FleetStatus): readonly string[] {
  if (member === null)
    return ['This host is in no fleet. Join one with `pulseward fleet join URL --token …`.']
  const { host, url, state, problem, workspaces, leases, refusedAsks, content: sent } = member
  return [
    `${host} at ${url}${groupWords(member)}`,
    problem ?? HUB_WORDS[state],
    ...columns(workspaces.map(shippingWords)),
    ...workspaces.flatMap((each) => (each.problem === null ? [] : [each.problem])),
    ...leases.map(({ name, workspace, epoch }) => `${workspace} runs ${name} for the fleet (epoch ${epoch})`),
    ...refusedAsks.map(
      ({ kind, count, lastAt, operator }) =>
        `${count} requests from afar refused (${kind}), last by ${operator} at ${lastAt}`,
    ),
    ...(sent === null ? [] : [contentWords(sent)]),
  ]
}

function contentWords({ sent, waiting, problem }: ContentStatus): string {
  const counts = `Prompts, output and differences as allowed: ${sent} attempts sent, ${waiting} waiting`
  return problem === null ? counts : `${counts}. ${problem}`
}

function groupWords({ group, labels }: Membership): string {
  const words = [...(group === null ? [] : [`group ${group}`]), ...labels]
  return words.length === 0 ? '' : ` (${words.join(', ')})`
}

function shippingWords({ workspace, state, shippedSeq, seq }: Shipping): string[] {
  const sent = shippedSeq === null ? `${seq} recorded` : `${shippedSeq} of ${seq} sent`
  return [workspace, state, sent]
}
