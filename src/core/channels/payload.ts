import type { Severity } from '../vocabulary/severity.ts'
import { type Channel, ntfyTopic, offersAnswers } from './channel.ts'
import type { ChannelMessage } from './message.ts'

/** What is posted: the address and the JSON. */
export interface Post {
  readonly url: string
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** A button of a message: its label, and the code for its answer. */
export interface Button {
  readonly label: string
  readonly code: string
}

/** Path below this Pulseward's address where a code is answered. */
export const ANSWER_PATH = '/answer/'

/** ntfy's 1 to 5; 3 is the default. */
const NTFY_PRIORITY: Readonly<Record<Severity, number>> = { critical: 5, warning: 4, info: 3 }
const NTFY_TAG: Readonly<Record<Severity, string>> = {
  critical: 'rotating_light',
  warning: 'warning',
  info: 'shield',
}
const APPRISE_TYPE: Readonly<Record<Severity, string>> = {
  critical: 'failure',
  warning: 'warning',
  info: 'info',
}

/**
 * Returns `message` as a request of this channel's kind: ntfy's JSON publishing, Slack's blocks as plain text, Apprise's
 * stateless fields, or our own. Nothing in it is markup, because names and words come from agents. Pure.
 */
export function postOf(channel: Channel, message: ChannelMessage, buttons: readonly Button[] = []): Post {
  const plain = { url: channel.address, headers: {} }
  switch (channel.type) {
    case 'ntfy':
      return ntfyPost(channel, message, buttons)
    case 'slack':
      return { ...plain, body: slackBody(channel, message) }
    case 'apprise':
      return { ...plain, body: appriseBody(channel, message) }
    case 'webhook':
    // Neither is sent as a post: `send` writes the mail, `ping` pings the monitor.
    case 'email':
    case 'ping':
      return {
        ...plain,
        body: { type: 'pulseward.notification', ...message, link: linkTo(channel, message) },
      }
  }
}

/** Returns where the message links to: the workspace in the operator's page; `null` if its address is unknown. */
export function linkTo({ link }: Channel, { workspace }: Pick<ChannelMessage, 'workspace'>): string | null {
  if (link === null) return null
  return workspace === null ? link : `${baseOf(link)}/#/w/${encodeURIComponent(workspace.id)}`
}

/** Returns the message as plain text, for a mail. */
export function textOf(channel: Channel, message: ChannelMessage): string {
  const about = [message.workspace?.name, message.task].filter((part) => part != null).join(', ')
  return [message.body, about, linkTo(channel, message)]
    .filter((part) => part != null && part !== '')
    .join('\n\n')
}

function ntfyPost(channel: Channel, message: ChannelMessage, buttons: readonly Button[]): Post {
  const { topic = '', server = channel.address } = ntfyTopic(channel.address) ?? {}
  const click = linkTo(channel, message)
  return {
    url: server,
    headers: channel.secret === null ? {} : { authorization: `Bearer ${channel.secret}` },
    body: {
      topic,
      title: message.title,
      message: message.body === '' ? message.title : message.body,
      priority: NTFY_PRIORITY[message.severity],
      tags: [NTFY_TAG[message.severity]],
      ...(click !== null && {
        click,
        actions: [{ action: 'view', label: 'Open', url: click }, ...buttons.flatMap(httpAction(channel))],
      }),
    },
  }
}

/** A press is a POST, so that link previews, which only fetch addresses, answer nothing. */
function httpAction(channel: Channel) {
  return ({ label, code }: Button) =>
    offersAnswers(channel)
      ? [
          {
            action: 'http',
            label,
            url: `${baseOf(channel.link)}${ANSWER_PATH}${code}`,
            method: 'POST',
            clear: true,
          },
        ]
      : []
}

const baseOf = (link: string | null): string => (link ?? '').replace(/\/+$/, '')

function slackBody(channel: Channel, message: ChannelMessage): unknown {
  const plain = (text: string, most: number) => ({
    type: 'plain_text',
    text: text.slice(0, most),
    emoji: false,
  })
  const link = linkTo(channel, message)
  return {
    text: escaped(message.title),
    blocks: [
      { type: 'header', text: plain(message.title, 150) },
      ...(message.body === '' ? [] : [{ type: 'section', text: plain(message.body, 3000) }]),
      ...(link === null
        ? []
        : [{ type: 'actions', elements: [{ type: 'button', text: plain('Open', 75), url: link }] }]),
    ],
  }
}

/** Slack reads only the fallback text as markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function appriseBody(channel: Channel, message: ChannelMessage): unknown {
  return {
    title: message.title,
    body: textOf(channel, message) || message.title,
    type: APPRISE_TYPE[message.severity],
    format: 'text',
  }
}
