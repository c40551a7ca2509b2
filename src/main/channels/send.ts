import type { Channel } from '../../core/channels/channel.ts'
import type { ChannelMessage } from '../../core/channels/message.ts'
import { type Button, postOf } from '../../core/channels/payload.ts'
import type { HeartbeatSign } from '../ports/channels.ts'
import { post, type Sent, signature } from './http.ts'

/** Sends once, depending on the channel's kind. Never rejects. */
export async function send(
  channel: Channel,
  message: ChannelMessage,
  nowMs: number,
  signal: AbortSignal,
  buttons: readonly Button[] = [],
): Promise<Sent> {
  if (channel.type === 'email') {
    // Loaded when the first mail is sent, because most users send none.
    const { mail } = await import('./mail.ts')
    return mail(channel, message, signal)
  }
  const { url, body, headers } = postOf(channel, message, buttons)
  const text = JSON.stringify(body)
  const signed =
    channel.type === 'webhook' && channel.secret !== null
      ? signature(message.id, nowMs, text, channel.secret)
      : {}
  return post(url, text, { 'content-type': 'application/json', ...headers, ...signed }, signal)
}

const PING_PATH: Readonly<Record<HeartbeatSign['sign'], string>> = {
  start: '/start',
  success: '',
  fail: '/fail',
  log: '/log',
}

/** Sends a ping in the protocol of healthchecks.io. Never rejects. */
export async function ping(
  { address }: Channel,
  { sign, text }: Pick<HeartbeatSign, 'sign' | 'text'>,
  signal: AbortSignal,
): Promise<Sent> {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${PING_PATH[sign]}`
  return post(url.href, text, { 'content-type': 'text/plain; charset=utf-8' }, signal)
}
