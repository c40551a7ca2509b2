import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { ChannelView } from '../../core/channels/channel.ts'
import type { Receipt } from '../../core/channels/receipt.ts'
import { CHANNEL_ROWS, CHANNEL_TYPES, type ChannelType } from '../../core/vocabulary/channel.ts'
import { notificationSubjectSchema } from '../../core/vocabulary/notification-schema.ts'
import { SEVERITIES, type Severity } from '../../core/vocabulary/severity.ts'
import { knownOnes, pathsOf } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { findWorkspace } from '../find-workspace.ts'
import { clockTime, columns } from '../format.ts'
import { wholeNumber } from '../number-option.ts'

interface AddOptions {
  readonly secretFile?: string
  readonly from?: string
  readonly to?: readonly string[]
  readonly kind?: readonly string[]
  readonly severity?: Severity
  readonly only?: readonly string[]
  readonly quiet?: string
  readonly link?: string
  readonly answers?: boolean
}

/** Adds `channels`, which sets where the operator is notified when away from this machine. */
export function addChannelsCommand(program: Command, run: RunCommand): void {
  const channels = program
    .command('channels')
    .description(
      'manage where you are notified when you are away: webhook, ntfy, Slack, e-mail, Apprise, heartbeat pings',
    )
    .action(run(list))
  channels
    .command('add')
    .description('add a channel, or replace the one of this name')
    .argument('<NAME>', 'what it is called')
    .argument('<TYPE>', CHANNEL_TYPES.join(', '))
    .argument('<ADDRESS>', `"-" reads it from standard input, so that it stays out of the shell's history`)
    .option('--secret-file <FILE>', 'contains the secret that signs a webhook, or ntfy’s token')
    .option('--from <ADDRESS>', 'for e-mail: the sender')
    .option('--to <ADDRESS...>', 'for e-mail: the recipients')
    .addOption(
      new Option('--kind <KIND...>', 'notify only of these (default: everything)').choices(
        notificationSubjectSchema.options,
      ),
    )
    .addOption(
      new Option('--severity <LEVEL>', 'the lowest severity to notify about').choices([...SEVERITIES]),
    )
    .option('--only <DIR...>', 'notify only of these workspaces (default: all)')
    .option('--quiet <HH:MM-HH:MM>', 'messages during these hours are sent when they end')
    .option('--link <ADDRESS>', 'the address at which you reach this Pulseward, for links')
    .option('--answers', 'for ntfy: buttons that allow once, unblock and pause, answered at --link')
    .action(run(add))
  channels
    .command('test')
    .description('send a test now, and show the answer')
    .argument('<NAME>')
    .action(run(test))
  channels.command('remove').description('stop notifying there').argument('<NAME>').action(run(remove))
  channels
    .command('receipts')
    .description('show the answers, newest first')
    .option('--limit <N>', 'maximum number, up to 500 (default: 50)')
    .action(run(receipts))
}

async function list(context: CommandContext): Promise<0> {
  const channels = await context.withHost((client) => client.channels.list())
  const nowMs = Date.now()
  context.output.answer(channels, () =>
    channels.length === 0
      ? ['No channel is set up: add one with `pulseward channels add NAME TYPE ADDRESS`.']
      : columns(
          channels.map(({ name, type, to, last }) => [
            name,
            type,
            to,
            last === null ? 'nothing sent yet' : receiptWords(last, nowMs),
          ]),
        ),
  )
  return 0
}

async function add(
  context: CommandContext,
  name: string,
  type: string,
  given: string,
  options: AddOptions,
): Promise<0> {
  const known = CHANNEL_TYPES.find((each) => each === type)
  if (known === undefined)
    throw usageError(`${type} is no type of channel. Choose one of ${CHANNEL_TYPES.join(', ')}.`)
  const address = given === '-' ? await lineOf(process.stdin, known) : given
  const secret =
    options.secretFile === undefined
      ? null
      : (
          await readFile(resolve(context.currentDirectory, options.secretFile), 'utf8').catch(() => {
            throw usageError(`${options.secretFile} cannot be read: --secret-file names a file.`)
          })
        ).trim()
  const { view, before } = await context.withHost(async (client) => {
    const before = (await client.channels.list()).find((channel) => channel.name === name)
    const workspaces = await client.workspaces.list()
    const only = await Promise.all(
      (options.only ?? []).map(async (folder) => {
        const found = await findWorkspace(workspaces, folder, context.currentDirectory)
        if (found === undefined)
          throw usageError(`${folder} is no workspace. ${knownOnes(pathsOf(workspaces))}`)
        return found.id
      }),
    )
    const view = await client.channels.put({
      name,
      type: known,
      address,
      secret,
      from: options.from ?? null,
      to: [...(options.to ?? [])],
      kinds: (options.kind ?? []).map((kind) => notificationSubjectSchema.parse(kind)),
      severity: options.severity ?? 'info',
      workspaces: only,
      quietHours: quietHoursOf(options.quiet),
      link: options.link ?? null,
      answers: options.answers ?? false,
    })
    return { view, before }
  })
  context.output.answer(view, () => [
    `${view.name} notifies ${view.to}${signedWords(view)}. Try it: pulseward channels test ${view.name}`,
  ])
  if (before?.hasSecret === true && secret === null)
    context.output.remark(
      view.hasSecret
        ? `The secret of ${name} was kept. To drop it: pulseward channels remove ${name}, then add it again.`
        : `The secret of ${name} was dropped, because the address belongs to another service: name one with --secret-file.`,
    )
  return 0
}

/** Returns a remark about signing. A webhook without a secret is not signed, so its receiver cannot tell who sends. */
function signedWords({ type, hasSecret }: ChannelView): string {
  if (type !== 'webhook') return ''
  return hasSecret ? ' (signed)' : ' (not signed: --secret-file signs it)'
}

async function lineOf(input: NodeJS.ReadableStream, type: ChannelType): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += String(chunk)
    if (text.length > 4000) break
  }
  const line = text.trim()
  if (line === '') throw usageError(`Nothing came on standard input: expected ${CHANNEL_ROWS[type].address}`)
  return line
}

function quietHoursOf(text: string | undefined): { from: string; to: string } | null {
  if (text === undefined) return null
  const [from = '', to = ''] = text.split('-')
  return { from, to }
}

async function test(context: CommandContext, name: string): Promise<0 | 1> {
  const receipt = await context.withHost((client) => client.channels.test({ name }))
  context.output.answer(receipt, () => [`${name}: ${receipt.answer}`])
  return receipt.isAccepted ? 0 : 1
}

async function remove(context: CommandContext, name: string): Promise<0> {
  const answer = await context.withHost((client) => client.channels.remove({ name }))
  context.output.answer(answer, () => [`${name} is no longer notified.`])
  return 0
}

async function receipts(context: CommandContext, options: { readonly limit?: string }): Promise<0> {
  const limit = Math.min(wholeNumber('--limit', options.limit) ?? 50, 500)
  const found = await context.withHost((client) => client.channels.receipts({ limit }))
  const nowMs = Date.now()
  context.output.answer(found, () =>
    found.length === 0
      ? ['Nothing was sent yet.']
      : columns(found.map((receipt) => [receipt.channel, receiptWords(receipt, nowMs), receipt.title])),
  )
  return 0
}

/** Returns a line such as `14:02 ntfy 200`: the service's answer, which doesn't mean that anyone has read the message. */
function receiptWords({ at, type, answer, nextTryAt, isAccepted }: Receipt, nowMs: number): string {
  const next =
    nextTryAt === null ? (isAccepted ? '' : ', given up') : `, again at ${clockTime(nextTryAt, nowMs)}`
  return `${clockTime(at, nowMs)} ${type} ${answer}${next}`
}
