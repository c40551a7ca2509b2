import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ApiClient } from '../../api/client.ts'
import { renderLog } from '../../core/agents/render-log.ts'
import { hostNameSchema } from '../../core/fleet/names.ts'
import { clockWords } from '../../core/fleet/presence.ts'
import type { FleetEntry, FleetHost } from '../../core/fleet/view.ts'
import { counted, formatPoints } from '../../core/scoring/format.ts'
import { HEARD_WORDS, isFinding, REFUSAL_REMEDIES, REFUSAL_WORDS } from '../../core/vocabulary/fleet.ts'
import { SEVERITIES, type Severity } from '../../core/vocabulary/severity.ts'
import { TIMELINE_KINDS, type TimelineKind } from '../../core/vocabulary/timeline.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns } from '../format.ts'
import { wholeNumber } from '../number-option.ts'

interface FilterOptions {
  readonly host?: string
  readonly group?: string
  readonly tag?: string
}

/** Further filters for a timeline. */
interface EntryOptions extends FilterOptions {
  readonly kind?: readonly TimelineKind[]
  readonly severity?: Severity
  readonly text?: string
}

/** Adds the commands that show a center's hosts. */
export function addCentreCommands(fleet: Command, run: RunCommand): void {
  const filtered = (command: Command): Command =>
    command
      .option('--host <NAME>', 'only this host')
      .option('--group <NAME>', 'only hosts of this group')
      .option('--tag <TAG>', 'only workspaces with this tag')
  const narrowed = (command: Command): Command =>
    filtered(command)
      .option('--kind <KIND>', `only this kind, or several: ${TIMELINE_KINDS.join(', ')}`, kindsOf)
      .addOption(new Option('--severity <LEVEL>', 'only this severity').choices([...SEVERITIES]))
      .option('--text <TEXT>', 'only entries with this text, ignoring case')
  fleet
    .command('hosts')
    .description('on a center: its hosts, when each was last heard from, and what was refused')
    .action(run(hosts))
  filtered(fleet.command('workspaces'))
    .description('on a center: the workspaces of all hosts')
    .action(run(workspaces))
  filtered(fleet.command('leaderboard'))
    .description('on a center: workspaces by the share of their targets over seven finished days')
    .action(run(leaderboard))
  narrowed(fleet.command('timeline'))
    .description('on a center: what happened on all hosts, newest first')
    .option('--limit <N>', 'maximum number, up to 1,000 (default: 100)')
    .action(run(timeline))
  fleet
    .command('content')
    .description(
      'on a center: what was asked, said and changed in an attempt on a host that allows sending it',
    )
    .argument('<HOST>', 'its name in the hub')
    .argument('<WORKSPACE>', 'its name, or its id')
    .argument('<ATTEMPT>', 'its id')
    .action(run(content))
  narrowed(fleet.command('export'))
    .description('on a center: write everything that happened on all hosts into a file')
    .argument('<FILE>', 'a file that does not exist yet')
    .option('--format <FORMAT>', 'json or csv (default: by the file’s extension, else json)')
    .action(run(exportTimeline))
}

/**
 * Adds one kind to those already given. The option is repeated for each kind: an option that took several words would also swallow a
 * following file name.
 */
function kindsOf(text: string, before: readonly TimelineKind[] = []): readonly TimelineKind[] {
  const kind = TIMELINE_KINDS.find((each) => each === text)
  if (kind === undefined) throw new InvalidArgumentError(`Allowed choices are ${TIMELINE_KINDS.join(', ')}.`)
  return [...before, kind]
}

/** Returns 1 if the hub is unreachable, a host stopped sending a record, or part of one was refused. A silent host doesn't count. */
async function hosts(context: CommandContext): Promise<0 | 1> {
  const { found, problem } = await context.withHost(async (client) => ({
    found: await client.fleet.hosts(),
    problem: (await client.fleet.summary({})).problem,
  }))
  if (problem !== null)
    context.output.remark(`The hub cannot be reached: ${problem} What was heard before is shown.`)
  context.output.answer(found, () =>
    found.length === 0
      ? problem === null
        ? ['No host has joined yet: pulseward fleet hub add NAME']
        : ['No host was heard from before.']
      : [...columns(found.map(hostWords)), ...found.flatMap(troubleWords)],
  )
  return problem !== null || found.some(({ halted, refused }) => halted.length + refused.length > 0) ? 1 : 0
}

function hostWords({ host, group, heard, heardAt, workspaces: count, events }: FleetHost): string[] {
  const when = heard === 'heard' && heardAt !== null ? `heard from at ${heardAt}` : HEARD_WORDS[heard]
  return [host, group ?? '', counted(count, 'workspace'), counted(events, 'line'), when]
}

function troubleWords({ host, clockOffsetSeconds, halted, refused }: FleetHost): string[] {
  const clock = clockWords(clockOffsetSeconds)
  return [
    ...(clock === null ? [] : [`${host}: ${clock}.`]),
    ...halted.map(({ workspace, problem }) => `${host}, ${workspace}: ${problem}`),
    ...refused.flatMap(({ kind, count, detail, lastAt }) => [
      isFinding(kind)
        ? `${host}: ${REFUSAL_WORDS[kind]} (${detail}), last at ${lastAt}`
        : `${host}: ${count} refused (${kind}), last ${detail} at ${lastAt}`,
      `  ${REFUSAL_REMEDIES[kind]}`,
    ]),
  ]
}

async function workspaces(context: CommandContext, filter: FilterOptions): Promise<0> {
  const found = await context.withHost((client) => client.fleet.workspaces(filter))
  context.output.answer(found, () =>
    columns(
      found.map(({ host, heard, view }) => [
        host,
        view.name,
        `${formatPoints(view.score.score)} of ${view.score.target}`,
        view.shield,
        counted(view.needs.length, 'decision'),
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
  { limit, ...options }: EntryOptions & { readonly limit?: string },
): Promise<0> {
  const most = Math.min(wholeNumber('--limit', limit) ?? 100, 1_000)
  const filter = entryFilterOf(options)
  const found = await context.withHost((client) => client.fleet.timeline({ ...filter, limit: most }))
  context.output.answer(found, () =>
    columns(found.map(({ host, workspace, entry }) => [entry.at, host, workspace, entry.title])),
  )
  return 0
}

/** Converts command options to the filter of a request. */
function entryFilterOf({ kind, ...filter }: EntryOptions) {
  return { ...filter, ...(kind !== undefined && { kinds: [...kind] }) }
}

async function content(
  context: CommandContext,
  host: string,
  workspace: string,
  attempt: string,
): Promise<0> {
  if (!hostNameSchema.safeParse(host).success)
    throw usageError(
      `${JSON.stringify(host)} is not the name of a host: \`pulseward fleet hosts\` lists them.`,
    )
  const found = await context.withHost((client) => client.fleet.content({ host, workspace, attempt }))
  const part = (title: string, text: string | null): string[] =>
    text === null ? [] : [`--- ${title} ---`, ...text.trimEnd().split('\n'), '']
  context.output.answer(found, () => [
    ...part('Prompt', found.prompt),
    // In the output's stored form; `--json` has it unchanged.
    ...part('Output', found.output === null ? null : renderLog(found.output)),
    ...part('Differences', found.difference),
    `Sent ${found.sentAt}.`,
  ])
  return 0
}

async function exportTimeline(
  context: CommandContext,
  file: string,
  { format, ...options }: EntryOptions & { readonly format?: string },
): Promise<0> {
  const path = resolve(context.currentDirectory, file)
  const asked = format ?? (file.endsWith('.csv') ? 'csv' : 'json')
  if (asked !== 'json' && asked !== 'csv') throw usageError('--format is json or csv.')
  const bytes = await context.withHost(async (client) => {
    // Asked before the file is created, so that a host that is not a center leaves no file behind.
    await client.fleet.summary({})
    return context.machine.exportFleet(path, asked, pagesOf(client, entryFilterOf(options)))
  })
  if (bytes === null) throw usageError(`${path} cannot be written: name a file that does not exist yet.`)
  context.output.answer({ path, format: asked, bytes }, () => [`Wrote ${path}, ${bytes} bytes.`])
  return 0
}

async function* pagesOf(
  client: ApiClient,
  filter: ReturnType<typeof entryFilterOf>,
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
