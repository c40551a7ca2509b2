import { randomUUID } from 'node:crypto'
import { RequestProblem } from '../../api/request-problem.ts'
import { answersTo } from '../../core/channels/answer.ts'
import {
  channelSchema,
  channelView,
  isFor,
  isSameService,
  offersAnswers,
} from '../../core/channels/channel.ts'
import type { ChannelMessage } from '../../core/channels/message.ts'
import { quietUntil } from '../../core/pacing/quiet-hours.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import { harmlessLine, harmlessText } from '../../core/text/harmless.ts'
import { masked } from '../../core/text/secrets.ts'
import { notificationSeverity } from '../../core/vocabulary/notification.ts'
import type { Channels } from '../ports/channels.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Notification, Notifier } from '../ports/notifier.ts'
import { createSerializer } from '../process/serialize.ts'
import { Delivery, type LostMessage } from './delivery.ts'
import { createOneTimeAnswers } from './one-time-answers.ts'
import { openReceipts } from './receipts.ts'
import { type ChannelStore, openChannelStore } from './store.ts'
import { openWaiting } from './waiting.ts'

export interface ChannelsOptions {
  readonly dataDirectory: string
  readonly clock: Clock
  readonly log: Log
  /** Returns a workspace's name; `null`: it is gone. */
  readonly nameOf: (workspace: string) => string | null
  /** False: the host ends with a single command, and leaves waiting messages to a later run. */
  readonly isResident?: boolean
  /** Told about what could not be sent, in the app and through the channels that work. */
  readonly notifier?: Notifier
}

/** Opens the configured channels. Never rejects because of a file's content. */
export async function openChannels(options: ChannelsOptions): Promise<Channels> {
  const { dataDirectory, clock, log, nameOf, notifier } = options
  const store = await openChannelStore(dataDirectory, log)
  const receipts = await openReceipts(dataDirectory, log)
  const answers = createOneTimeAnswers(clock)
  const onGivenUp = (lost: LostMessage) => notifier?.notify(lostNotification(lost, clock.nowMs()))
  const waiting = await openWaiting(dataDirectory, log)
  const delivery = new Delivery({ store, receipts, answers, waiting, clock, log, onGivenUp })
  if (options.isResident !== false) delivery.resume()
  const messageOf = ({
    about,
    severity,
    workspaceId,
    taskId,
    title,
    body,
  }: Notification): ChannelMessage => ({
    id: randomUUID(),
    at: timestamp(clock.nowMs(), 'local'),
    about,
    severity: severity ?? notificationSeverity(about),
    workspace: workspaceId === '' ? null : { id: workspaceId, name: nameOf(workspaceId) ?? workspaceId },
    task: taskId ?? null,
    title,
    body,
  })
  return {
    ...setUpOf(store, (name) => delivery.forget(name)),
    list: () =>
      store.current.map((channel) => ({
        ...channelView(channel),
        last: receipts.all.find((receipt) => receipt.channel === channel.name) ?? null,
      })),
    test: async (name) => {
      const channel = store.current.find((each) => each.name === name)
      if (channel === undefined) return null
      const [title, body] = ['A test from Pulseward', `${name} works.`]
      return delivery.test(channel, messageOf({ key: '', about: 'report', workspaceId: '', title, body }))
    },
    receipts: (limit) => receipts.all.slice(0, limit),
    notify: (notification) => {
      const { cause, notBy } = notification
      delivery.message(messageOf(notification), {
        answers: answersTo(notification),
        ...(cause !== undefined && { cause }),
        ...(notBy !== undefined && { notBy }),
      })
    },
    report: (compose) =>
      delivery.each(({ workspaces }) => {
        const composed = compose(workspaces)
        const report = { key: '', about: 'report', workspaceId: '' } as const
        return composed === null ? null : messageOf({ ...report, ...shown(composed) })
      }),
    canAsk: (workspace) => {
      const asked = { about: 'permission', severity: notificationSeverity('permission') } as const
      return store.current.some(
        (channel) =>
          offersAnswers(channel) &&
          isFor(channel, { ...asked, workspace: { id: workspace, name: '' } }) &&
          // Anything that would wait for quiet hours to end would be outdated by then.
          quietUntil(clock.nowMs(), channel.quietHours, 'local') === null,
      )
    },
    takeAnswer: answers.take,
    heartbeat: (sign) => delivery.sign(sign),
    stop: async () => {
      await delivery.close()
      await receipts.close()
    },
  }
}

/** Removes secrets, because the reasons in a report quote agents and their programs. */
function shown({ title, body }: Pick<Notification, 'title' | 'body'>): Pick<Notification, 'title' | 'body'> {
  return { title: harmlessLine(masked(title)), body: harmlessText(masked(body)) }
}

/** Makes one change of the configuration at a time. */
function setUpOf(
  store: ChannelStore,
  onRemoved: (name: string) => void,
): Pick<Channels, 'put' | 'change' | 'remove'> {
  const serialize = createSerializer()
  return {
    put: (given) =>
      serialize(async () => {
        const before = store.current.find(({ name }) => name === given.name)
        // A secret is sent only to the service that it belongs to.
        const channel =
          given.secret === null && before !== undefined && isSameService(before, given)
            ? { ...given, secret: before.secret }
            : given
        await store.replace([...store.current.filter((each) => each !== before), channel])
        return channelView(channel)
      }),
    change: (rules) =>
      serialize(async () => {
        const before = store.current.find(({ name }) => name === rules.name)
        if (before === undefined) return null
        const after = channelSchema.safeParse({ ...before, ...rules })
        if (!after.success) throw new RequestProblem('bad-request', after.error.issues[0]?.message ?? '')
        await store.replace(store.current.map((channel) => (channel === before ? after.data : channel)))
        return channelView(after.data)
      }),
    remove: (name) =>
      serialize(async () => {
        const rest = store.current.filter((channel) => channel.name !== name)
        if (rest.length === store.current.length) return false
        await store.replace(rest)
        onRemoved(name)
        return true
      }),
  }
}

/** Each lost message has its own key; messages lost within a minute become one notification. */
function lostNotification({ channel, title, severity, answer }: LostMessage, nowMs: number): Notification {
  return {
    key: `channel-lost:${channel}:${nowMs}:${title}`,
    about: 'trouble',
    workspaceId: '',
    severity,
    cause: `channel-lost:${channel}`,
    notBy: channel,
    title: `The channel ${channel} did not deliver: ${title}`,
    body: `Its last answer: ${answer}. It is not tried again. Check it with \`pulseward channels test ${channel}\`.`,
  }
}
