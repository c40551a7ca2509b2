import { randomUUID } from 'node:crypto'
import { type Channel, channelView, isFor, isOf } from '../../core/channels/channel.ts'
import type { ChannelMessage } from '../../core/channels/message.ts'
import type { Receipt } from '../../core/channels/receipt.ts'
import { quietUntil } from '../../core/pacing/quiet-hours.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import { notificationSeverity } from '../../core/vocabulary/notification.ts'
import type { Channels } from '../ports/channels.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Notification } from '../ports/notifier.ts'
import type { Sent } from './http.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { openReceipts } from './receipts.ts'
import { ping, send } from './send.ts'
import { openChannelStore } from './store.ts'

export interface ChannelsOptions {
  readonly dataDirectory: string
  readonly clock: Clock
  readonly log: Log
  /** What a workspace is called; `null`: it is gone. */
  readonly nameOf: (workspace: string) => string | null
}

/** Opens what was set up. Never rejects for what the files hold. */
export async function openChannels(options: ChannelsOptions): Promise<Channels> {
  const { dataDirectory, clock, log, nameOf } = options
  const store = await openChannelStore(dataDirectory, log)
  const receipts = await openReceipts(dataDirectory, log)
  const outboxes = new Map<string, Outbox>()
  let changes: Promise<unknown> = Promise.resolve()

  const receive = (
    channel: Channel,
    title: string,
    attempt: number,
    sent: Sent,
    nextMs: number | null,
  ): Receipt => {
    const receipt: Receipt = {
      at: timestamp(clock.nowMs(), 'local'),
      channel: channel.name,
      type: channel.type,
      title,
      attempt,
      isAccepted: sent.isAccepted,
      answer: sent.answer,
      nextTryAt: nextMs === null ? null : timestamp(nextMs, 'local'),
    }
    receipts.add(receipt)
    if (!sent.isAccepted)
      log.warn('A channel did not take a message', { channel: channel.name, answer: sent.answer })
    return receipt
  }
  const outboxOf = (channel: Channel): Outbox => {
    const existing = outboxes.get(channel.name)
    if (existing !== undefined) return existing
    const outbox = createOutbox(clock, ({ title }, attempt, sent, nextMs) =>
      receive(asItIs(channel), title, attempt, sent, nextMs),
    )
    outboxes.set(channel.name, outbox)
    return outbox
  }
  /** What waits goes to the channel as it has become meanwhile. */
  const asItIs = (channel: Channel): Channel =>
    store.current.find(({ name }) => name === channel.name) ?? channel
  const change = <T>(work: () => Promise<T>): Promise<T> => {
    const result = changes.then(work)
    changes = result.catch(() => undefined)
    return result
  }
  const messageOf = ({ about, workspaceId, taskId, title, body }: Notification): ChannelMessage => ({
    id: randomUUID(),
    at: timestamp(clock.nowMs(), 'local'),
    about,
    severity: notificationSeverity(about),
    workspace: workspaceId === '' ? null : { id: workspaceId, name: nameOf(workspaceId) ?? workspaceId },
    task: taskId ?? null,
    title,
    body,
  })
  const tell = (channel: Channel, message: ChannelMessage): void => {
    const quietMs = quietUntil(clock.nowMs(), channel.quietHours, 'local')
    outboxOf(channel).post({
      title: message.title,
      ...(quietMs !== null && { notBeforeMs: quietMs }),
      send: (signal) => send(asItIs(channel), message, clock.nowMs(), signal),
    })
  }

  return {
    list: () =>
      store.current.map((channel) => ({
        ...channelView(channel),
        last: receipts.all.find((receipt) => receipt.channel === channel.name) ?? null,
      })),
    put: (channel) =>
      change(async () => {
        await store.replace([...store.current.filter(({ name }) => name !== channel.name), channel])
        return channelView(channel)
      }),
    remove: (name) =>
      change(async () => {
        const rest = store.current.filter((channel) => channel.name !== name)
        if (rest.length === store.current.length) return false
        await store.replace(rest)
        outboxes.get(name)?.clear()
        return true
      }),
    test: async (name) => {
      const channel = store.current.find((each) => each.name === name)
      if (channel === undefined) return null
      const signal = new AbortController().signal
      const title = 'A test from Pulseward'
      const sent =
        channel.type === 'ping'
          ? await ping(channel, { sign: 'log', text: title }, signal)
          : await send(
              channel,
              messageOf({
                key: '',
                about: 'report',
                workspaceId: '',
                title,
                body: `It reaches you by ${name}.`,
              }),
              clock.nowMs(),
              signal,
            )
      return receive(channel, title, 1, sent, null)
    },
    receipts: (limit) => receipts.all.slice(0, limit),
    notify: (notification) => {
      const message = messageOf(notification)
      for (const channel of store.current) if (isFor(channel, message)) tell(channel, message)
    },
    heartbeat: (sign) => {
      for (const channel of store.current) {
        if (channel.type !== 'ping' || !isOf(channel, sign.workspace)) continue
        outboxOf(channel).post({
          title: `heartbeat: ${sign.sign}`,
          isFleeting: sign.sign === 'start',
          send: (signal) => ping(asItIs(channel), sign, signal),
        })
      }
    },
    stop: async () => {
      await Promise.all([...outboxes.values()].map((outbox) => outbox.close()))
      await receipts.close()
    },
  }
}
