import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { ApiClient } from '../../api/client.ts'
import { renderLog } from '../../core/agents/render-log.ts'
import type { ContentStatus } from '../../core/fleet/content.ts'
import { hostNameSchema } from '../../core/fleet/names.ts'
import { clockWords } from '../../core/fleet/presence.ts'
import type { FleetStatus, Membership, Shipping } from '../../core/fleet/status.ts'
import type { FleetEntry, FleetHost } from '../../core/fleet/view.ts'
import { HEARD_WORDS, HUB_WORDS } from '../../core/vocabulary/fleet.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns } from '../format.ts'
import { wholeNumber } from '../number-option.ts'
import { addAskCommand } from './fleet-ask.ts'
import { addHubCommands } from './fleet-hub.ts'

interface JoinOptions {
  readonly token?: string
  readonly tokenFile?: string
  readonly group?: string
  readonly label?: readonly string[]
}

/** `fleet`: many machines, one view. */
export function addFleetCommand(program: Command, run: RunCommand): void {
  const fleet = program
    .command('fleet')
    .description('many machines, one view: join a hub, leave it, see what was sent, or make a hub')
  fleet
    .command('join')
    .description('send the records of this host to a hub, from now on')
    .argument('<URL>', 'tls://HOST:PORT, as `pulseward fleet hub add` says it')
    .option('--token <TOKEN>', 'what `pulseward fleet hub add` printed')
    .option('--token-file <FILE>', "holds it, so that it stays out of the shell's history")
    .option('--group <NAME>', 'by which hosts are grouped')
    .option('--label <LABEL...>', 'what this host is or has: shared work can ask for it')
    .action(run(join))
  fleet.command('leave').description('send nothing any more; what was sent stays there').action(run(leave))
  fleet
    .command('status')
    .description('whether the hub is reached, and what of each record was sent')
    .action(run(status))
  addCentreCommands(fleet, run)
  addAskCommand(fleet, run)
  addHubCommands(fleet, run)
}

interface FilterOptions {
  readonly host?: string
  readonly group?: string
  readonly tag?: string
}

function addCentreCommands(fleet: Command, run: RunCommand): void {
  const filtered = (command: Command): Command =>
    command
      .option('--host <NAME>', 'of this host alone')
      .option('--group <NAME>', 'of the hosts of this group alone')
      .option('--tag <TAG>', 'of the workspaces with this tag alone')
  fleet
    .command('hosts')
    .description('of a centre: its hosts, when each was heard of, and what was refused')
    .action(run(hosts))
  filtered(fleet.command('workspaces'))
    .description('of a centre: the workspaces of all hosts')
    .action(run(workspaces))
  filtered(fleet.command('leaderboard'))
    .description('of a centre: workspaces by the share of their targets over seven finished days')
    .action(run(leaderboard))
  filtered(fleet.command('timeline'))
    .description('of a centre: what happened on all hosts, newest first')
    .option('--limit <N>', 'how many at most, up to 1,000 (default: 100)')
    .action(run(timeline))
  fleet
    .command('content')
    .description('of a centre: what was asked, said and changed in an attempt of a host that lets it leave')
    .argument('<HOST>', 'as the hub has it')
    .argument('<WORKSPACE>', 'its name, or its id')
    .argument('<ATTEMPT>', 'its id')
    .action(run(content))
  filtered(fleet.command('export'))
    .description('of a centre: write everything that happened on all hosts into a file')
    .argument('<FILE>', 'a file that is not there yet')
    .option('--format <FORMAT>', 'json or csv (default: as the name of the file ends, else json)')
    .action(run(exportTimeline))
}

/** 1 where a host does not send a record any more, or something of one was refused. Silence is no such thing. */
async function hosts(context: CommandContext): Promise<0 | 1> {
  const found = await context.withHost((client) => client.fleet.hosts())
  context.output.answer(found, () =>
    found.length === 0
      ? ['No host has joined yet: pulseward fleet hub add NAME']
      : [...columns(found.map(hostWords)), ...found.flatMap(troubleWords)],
  )
  return found.some(({ halted, refused }) => halted.length + refused.length > 0) ? 1 : 0
}

function hostWords({ host, group, heard, heardAt, workspaces: count, events }: FleetHost): string[] {
  const when = heard === 'heard' && heardAt !== null ? `heard of at ${heardAt}` : HEARD_WORDS[heard]
  return [host, group ?? '', `${count} workspaces`, `${events} lines`, when]
}

function troubleWords({ host, clockOffsetSeconds, halted, refused }: FleetHost): string[] {
  const clock = clockWords(clockOffsetSeconds)
  return [
    ...(clock === null ? [] : [`${host}: ${clock}.`]),
    ...halted.map(({ workspace, problem }) => `${host}, ${workspace}: ${problem}`),
    ...refused.map(
      ({ kind, count, detail, lastAt }) => `${host}: ${count} refused (${kind}), last ${detail} at ${lastAt}`,
    ),
  ]
}

async function workspaces(context: CommandContext, filter: FilterOptions): Promise<0> {
  const found = await context.withHost((client) => client.fleet.workspaces(filter))
  context.output.answer(found, () =>
    columns(
      found.map(({ host, heard, view }) => [
        host,
        view.name,
        `${view.score.score} of ${view.score.target}`,
        view.shield,
        `${view.needs.length} to decide`,
        heard,
      ]),
    ),
  )
  return 0
}

async function leaderboard(context: CommandContext, filter: FilterOptions): Promise<0> {
  const found = await context.withHost((client) => client.fleet.leaderboard(filter))
  context.output.answer(found, () =>
    columns(
      found.map(({ host, name, share, days, verified, failed }) => [
        share === null ? 'no finished day' : `${share} %`,
        host,
        name,
        `${days} days`,
        `${verified} verified`,
        `${failed} failed`,
      ]),
    ),
  )
  return 0
}

async function timeline(
  context: CommandContext,
  { limit, ...filter }: FilterOptions & { readonly limit?: string },
): Promise<0> {
  const most = Math.min(wholeNumber('--limit', limit) ?? 100, 1_000)
  const found = await context.withHost((client) => client.fleet.timeline({ ...filter, limit: most }))
  context.output.answer(found, () =>
    columns(found.map(({ host, workspace, entry }) => [entry.at, host, workspace, entry.title])),
  )
  return 0
}

async function content(
  context: CommandContext,
  host: string,
  workspace: string,
  attempt: string,
): Promise<0> {
  if (!hostNameSchema.safeParse(host).success)
    throw usageError(`${JSON.stringify(host)} is no name of a host: \`pulseward fleet hosts\` lists them.`)
  const found = await context.withHost((client) => client.fleet.content({ host, workspace, attempt }))
  const part = (title: string, text: string | null): string[] =>
    text === null ? [] : [`--- ${title} ---`, ...text.trimEnd().split('\n'), '']
  context.output.answer(found, () => [
    ...part('Prompt', found.prompt),
    // As it was kept, whatever its program prints: `--json` has it unchanged.
    ...part('Output', found.output === null ? null : renderLog(found.output)),
    ...part('Differences', found.difference),
    `Sent ${found.sentAt}.`,
  ])
  return 0
}

async function exportTimeline(
  context: CommandContext,
  file: string,
  { format, ...filter }: FilterOptions & { readonly format?: string },
): Promise<0> {
  const path = resolve(context.currentDirectory, file)
  const asked = format ?? (file.endsWith('.csv') ? 'csv' : 'json')
  if (asked !== 'json' && asked !== 'csv') throw usageError('--format is json or csv.')
  const bytes = await context.withHost(async (client) => {
    // Asked before the file is made: a host that is no centre leaves none.
    await client.fleet.summary({})
    return context.machine.exportFleet(path, asked, pagesOf(client, filter))
  })
  if (bytes === null) throw usageError(`${path} cannot be written: name a file that is not there yet.`)
  context.output.answer({ path, format: asked, bytes }, () => [`Wrote ${path}, ${bytes} bytes.`])
  return 0
}

async function* pagesOf(
  client: ApiClient,
  filter: FilterOptions,
): AsyncGenerator<readonly FleetEntry[], undefined, void> {
  let cursor: string | undefined
  for (;;) {
    const page = await client.fleet.timeline({
      ...filter,
      limit: 1_000,
      ...(cursor !== undefined && { cursor }),
    })
    yield page
    cursor = page.at(-1)?.cursor
    if (cursor === undefined) return undefined
  }
}

async function join(context: CommandContext, url: string, options: JoinOptions): Promise<0 | 1> {
  const { token, tokenFile, group, label } = options
  if ((token === undefined) === (tokenFile === undefined))
    throw usageError('Name the token with --token, or the file that holds it with --token-file.')
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

/** 1 where something stands still and somebody has to look. */
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
