import { z } from 'zod'
import { quietHoursSchema } from '../configuration/app.ts'
import { CHANNEL_ROWS, channelTypeSchema } from '../vocabulary/channel.ts'
import { notificationSubjectSchema } from '../vocabulary/notification-schema.ts'
import { SEVERITIES, severitySchema } from '../vocabulary/severity.ts'
import type { ChannelMessage } from './message.ts'

const MAX_ADDRESS = 2000

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
  error: 'a name of letters, digits, ".", "_" and "-" (at most 64)',
})

const mailbox = z
  .string()
  .max(320)
  .regex(/^[^\s<>@,]+@[^\s<>@,]+$/, { error: 'an address such as me@example.org' })

/** What a channel is notified about. */
const rules = {
  /** What it is notified about; empty for everything. */
  kinds: z.array(notificationSubjectSchema).max(50).default([]),
  /** The lowest severity that it is notified about. */
  severity: severitySchema.default('info'),
  /** Ids of workspaces; empty for all. */
  workspaces: z.array(z.string().max(200)).max(1000).default([]),
  /** Messages during these hours are held back until they end, in the machine's time. */
  quietHours: quietHoursSchema.nullable().default(null),
  /** The address of the operator's server or tunnel, at which they reach this Pulseward from outside; for links. */
  link: z
    .url({ protocol: /^https?$/, error: 'an http or https address' })
    .max(MAX_ADDRESS)
    .nullable()
    .default(null),
  /** For ntfy: gives messages buttons that allow, unblock and pause, answered at `link`. */
  answers: z.boolean().default(false),
}

/** The settings of a channel that can be changed without its address. */
export const channelRulesSchema = z.object({ name, ...rules })

export type ChannelRules = z.infer<typeof channelRulesSchema>

/** Where the operator is notified, and about what. Addresses and secrets stay in a private file and are never returned. */
export const channelSchema = z
  .object({
    name,
    type: channelTypeSchema,
    /** Address of the service: http or https; for e-mail smtp or smtps, with login. */
    address: z.string().max(MAX_ADDRESS, { error: `at most ${MAX_ADDRESS} characters` }),
    /** Signs a webhook; for ntfy, its token. */
    secret: z.string().min(8, { error: 'at least 8 characters' }).max(1000).nullable().default(null),
    /** The sender, for e-mail. */
    from: mailbox.nullable().default(null),
    to: z.array(mailbox).max(20).default([]),
    ...rules,
  })
  .superRefine((channel, context) => {
    const problem = addressProblem(channel.type, channel.address)
    if (problem !== null) context.addIssue({ code: 'custom', path: ['address'], message: problem })
    if (channel.answers && !offersAnswers(channel)) {
      const needed =
        'buttons require a channel of type ntfy and a link: the address where you reach this Pulseward from outside'
      context.addIssue({ code: 'custom', path: ['answers'], message: needed })
    }
    if (channel.type !== 'email') return
    if (channel.from === null)
      context.addIssue({ code: 'custom', path: ['from'], message: 'the address that mail is sent from' })
    if (channel.to.length === 0)
      context.addIssue({ code: 'custom', path: ['to'], message: 'at least one address that mail is sent to' })
  })

export type Channel = z.infer<typeof channelSchema>

/** The content of `channels.json`. */
export const channelsFileSchema = z.object({ channels: z.array(channelSchema).max(50).default([]) })

/** Returns what is wrong with an address of this type, without repeating it; `null` if nothing is. */
function addressProblem(type: Channel['type'], address: string): string | null {
  const parts = addressParts(address)
  const { schemes } = CHANNEL_ROWS[type]
  const isWhole = parts !== null && z.url().safeParse(address).success
  if (!isWhole || !schemes.includes(parts.scheme))
    return `an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`
  if (type === 'ntfy' && ntfyTopic(address) === null)
    return 'the address of a topic, such as https://ntfy.example.org/topic'
  return null
}

/** Returns scheme (with its colon), host with port, and path, without login and query. `null` if it is not an address. */
function addressParts(address: string): { scheme: string; host: string; path: string } | null {
  const found = /^([a-z]+:)\/\/(?:[^/?#@\s]*@)?([^/?#@\s]+)([^?#\s]*)(?:[?#]\S*)?$/i.exec(address)
  const [, scheme = '', host = '', path = ''] = found ?? []
  return found === null ? null : { scheme: scheme.toLowerCase(), host, path }
}

/** Returns whether two channels use the same service: type, scheme and host are equal. */
export function isSameService(
  one: Pick<Channel, 'type' | 'address'>,
  other: Pick<Channel, 'type' | 'address'>,
): boolean {
  const [first, second] = [addressParts(one.address), addressParts(other.address)]
  return one.type === other.type && first?.scheme === second?.scheme && first?.host === second?.host
}

/** Returns the topic at the end of an ntfy address and the address of its server; `null` if there is none. */
export function ntfyTopic(address: string): { topic: string; server: string } | null {
  const found = /^(https?:\/\/[^?#]*\/)([-_A-Za-z0-9]{1,64})\/*$/i.exec(address)
  const [, server = '', topic = ''] = found ?? []
  return found === null ? null : { topic, server }
}

/** Returns whether this channel is notified about this. A ping is only sent for heartbeats. */
export function isFor(
  channel: Channel,
  message: Pick<ChannelMessage, 'about' | 'severity' | 'workspace'>,
): boolean {
  if (channel.type === 'ping') return false
  const isWanted = channel.kinds.length === 0 || channel.kinds.includes(message.about)
  const isGraveEnough = SEVERITIES.indexOf(message.severity) <= SEVERITIES.indexOf(channel.severity)
  return isWanted && isGraveEnough && isOf(channel, message.workspace?.id ?? null)
}

/** Returns whether its messages have buttons that answer. */
export function offersAnswers({ type, link, answers }: Pick<Channel, 'type' | 'link' | 'answers'>): boolean {
  return answers && CHANNEL_ROWS[type].hasButtons && link !== null
}

/** Returns whether this channel covers this workspace. Messages about no workspace go to all. */
export function isOf({ workspaces }: Channel, workspace: string | null): boolean {
  return workspaces.length === 0 || workspace === null || workspaces.includes(workspace)
}

/** A channel as it may be shown: the host of its address, and no secrets. */
export const channelViewSchema = z.object({
  name: z.string(),
  type: channelTypeSchema,
  /** The host of its address, or the mailboxes of an e-mail channel. */
  to: z.string(),
  kinds: z.array(z.string()),
  severity: severitySchema,
  workspaces: z.array(z.string()),
  quietHours: quietHoursSchema.nullable(),
  link: z.string().nullable(),
  answers: z.boolean(),
  hasSecret: z.boolean(),
})

export type ChannelView = z.infer<typeof channelViewSchema>

export function channelView(channel: Channel): ChannelView {
  const { name: called, type, kinds, severity, workspaces, quietHours, link, answers } = channel
  const to = type === 'email' ? channel.to.join(', ') : (addressParts(channel.address)?.host ?? '')
  return {
    name: called,
    type,
    to,
    kinds,
    severity,
    workspaces,
    quietHours,
    link,
    answers,
    hasSecret: channel.secret !== null,
  }
}
