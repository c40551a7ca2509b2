import { ANSWER_LABELS, type Answer } from '../../core/channels/answer.ts'
import { type Channel, isFor, isOf, offersAnswers } from '../../core/channels/channel.ts'
import type { ChannelMessage } from '../../core/channels/message.ts'
import type { Button } from '../../core/channels/payload.ts'
import type { Receipt } from '../../core/channels/receipt.ts'
import { quietUntil } from '../../core/pacing/quiet-hours.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import { SEVERITIES, type Severity } from '../../core/vocabulary/severity.ts'
import type { HeartbeatSign } from '../ports/channels.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Sent } from './http.ts'
import type { OneTimeAnswers } from './one-time-answers.ts'
import { createOutbox, type Letter, type Outbox } from './outbox.ts'
import type { ReceiptBook } from './receipts.ts'
import { ping, send } from './send.ts'
import type { ChannelStore } from './store.ts'
import type { WaitingMessage, WaitingStore } from './waiting.ts'

export interface DeliveryParts {
  readonly store: ChannelStore
  readonly receipts: ReceiptBook
  readonly answers: OneTimeAnswers
  readonly waiting: WaitingStore
  readonly clock: Clock
  readonly log: Log
  /** Called with a message that a channel could not send and will not retry, unless the message is about a channel. */
  readonly onGivenUp: (lost: LostMessage) => void
}

/** A message that a channel did not accept. */
export interface LostMessage {
  readonly channel: string
  readonly title: string
  readonly severity: Severity
  readonly answer: string
}

/** How a message is sent, besides its content. */
export interface DeliveryTerms {
  readonly answers: readonly Answer[]
  /** Messages about the same subject with the same cause within a minute become one. */
  readonly cause?: string
  /** The channel that the message is about, which does not get it. */
  readonly notBy?: string
}

const ONE_CAUSE_MS = 60_000
/** Limit per channel; the oldest causes are dropped beyond it. */
const MAX_CAUSES = 500

/** Sends messages through the channels of `store`, each with its own outbox; every attempt leaves a receipt. */
export class Delivery {
  readonly #parts: DeliveryParts
  readonly #outboxes = new Map<string, Outbox>()
  readonly #closing = new AbortController()
  readonly #tests = new Set<Promise<Receipt>>()
  /** The last message, by channel, subject and cause. */
  readonly #causes = new Map<string, { readonly atMs: number; readonly severity: Severity }>()

  /** Messages of an earlier run that have not been resumed and stay in the file. */
  #left: readonly WaitingMessage[]

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#left = parts.waiting.found
  }

  /** Continues what an earlier run did not deliver; what failed is retried right away. Buttons do nothing after a restart. */
  resume(): void {
    const nowMs = this.#parts.clock.nowMs()
    const found = this.#left
    this.#left = []
    for (const { channel: name, message, isAboutChannel, ...progress } of found) {
      const channel = this.#parts.store.current.find((each) => each.name === name)
      // A permission request has expired by now.
      if (channel === undefined || message.about === 'permission') continue
      const quietMs = quietUntil(nowMs, channel.quietHours, 'local')
      const dueMs = quietMs ?? (progress.attempt > 0 ? nowMs : Math.min(progress.dueMs, nowMs))
      this.#outboxOf(channel).resume(this.#letterOf(channel, message, [], isAboutChannel, quietMs), {
        ...progress,
        dueMs,
      })
    }
  }

  /** Sends a message to each channel that wants it, after its quiet hours. */
  message(message: ChannelMessage, { answers, cause, notBy }: DeliveryTerms): void {
    const nowMs = this.#parts.clock.nowMs()
    for (const channel of this.#parts.store.current) {
      if (channel.name === notBy || !isFor(channel, message)) continue
      if (cause !== undefined && this.#isToldOf(channel, message, cause, nowMs)) continue
      this.#post(channel, message, answers, notBy !== undefined)
    }
  }

  /** Sends to each channel a message made for it, if the channel wants it. */
  each(made: (channel: Channel) => ChannelMessage | null): void {
    for (const channel of this.#parts.store.current) {
      const message = made(channel)
      if (message !== null && isFor(channel, message)) this.#post(channel, message, [], false)
    }
  }

  #post(
    channel: Channel,
    message: ChannelMessage,
    answers: readonly Answer[],
    isAboutChannel: boolean,
  ): void {
    const quietMs = quietUntil(this.#parts.clock.nowMs(), channel.quietHours, 'local')
    const buttons = this.#buttonsOf(channel, answers)
    this.#outboxOf(channel).post(this.#letterOf(channel, message, buttons, isAboutChannel, quietMs))
    if (quietMs !== null) this.#save()
  }

  #letterOf(
    channel: Channel,
    message: ChannelMessage,
    buttons: readonly Button[],
    isAboutChannel: boolean,
    quietMs: number | null,
  ): Letter {
    return {
      title: message.title,
      severity: message.severity,
      isAboutChannel,
      message,
      ...(quietMs !== null && { notBeforeMs: quietMs }),
      send: (signal) => send(this.#asItIs(channel), message, this.#parts.clock.nowMs(), signal, buttons),
    }
  }

  #save(): void {
    this.#parts.waiting.save(() => [
      ...this.#left,
      ...[...this.#outboxes].flatMap(([channel, { waiting }]) =>
        waiting.flatMap(({ letter: { message, isAboutChannel = false }, ...progress }): WaitingMessage[] =>
          message === undefined ? [] : [{ channel, message, isAboutChannel, ...progress }],
        ),
      ),
    ])
  }

  /** Returns whether this channel got a message with the same cause within the last minute, and at least as severe. */
  #isToldOf({ name }: Channel, { about, severity }: ChannelMessage, cause: string, nowMs: number): boolean {
    const key = JSON.stringify([name, about, cause])
    const last = this.#causes.get(key)
    const isRecent = last !== undefined && nowMs - last.atMs < ONE_CAUSE_MS
    if (isRecent && SEVERITIES.indexOf(last.severity) <= SEVERITIES.indexOf(severity)) return true
    this.#causes.delete(key)
    this.#causes.set(key, { atMs: nowMs, severity })
    const [oldest] = this.#causes.keys()
    if (this.#causes.size > MAX_CAUSES && oldest !== undefined) this.#causes.delete(oldest)
    return false
  }

  /** Creates a message's buttons: the same for every attempt, and each works once. */
  #buttonsOf(channel: Channel, answers: readonly Answer[]): readonly Button[] {
    if (!offersAnswers(channel)) return []
    const { answers: book } = this.#parts
    return answers.map((answer) => ({
      label: ANSWER_LABELS[answer.kind],
      code: book.issue({ answer, channel: channel.name }),
    }))
  }

  sign(sign: HeartbeatSign): void {
    for (const channel of this.#parts.store.current) {
      if (channel.type !== 'ping' || !isOf(channel, sign.workspace)) continue
      this.#outboxOf(channel).post({
        title: `heartbeat: ${sign.sign}`,
        severity: 'info',
        // A service that expects heartbeats notices a missing one itself.
        isAboutChannel: true,
        isFleeting: sign.sign === 'start',
        send: (signal) => ping(this.#asItIs(channel), sign, signal),
      })
    }
  }

  /** Sends right away, ahead of waiting messages. Aborted on close, because a test is only useful now. */
  async test(channel: Channel, message: ChannelMessage): Promise<Receipt> {
    const tested = this.#test(channel, message)
    this.#tests.add(tested)
    return tested.finally(() => this.#tests.delete(tested))
  }

  async #test(channel: Channel, message: ChannelMessage): Promise<Receipt> {
    const { signal } = this.#closing
    const sent =
      channel.type === 'ping'
        ? await ping(channel, { sign: 'log', text: message.title }, signal)
        : await send(channel, message, this.#parts.clock.nowMs(), signal)
    return this.#receive(channel, message.title, 1, sent, null)
  }

  /** Drops everything that waits for this channel. */
  forget(name: string): void {
    this.#outboxes.get(name)?.clear()
    this.#left = this.#left.filter(({ channel }) => channel !== name)
    this.#save()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const closed = [...this.#outboxes.values()].map((outbox) => outbox.close())
    await Promise.all([...closed, Promise.allSettled(this.#tests)])
    this.#save()
    await this.#parts.waiting.close()
  }

  #outboxOf(channel: Channel): Outbox {
    const existing = this.#outboxes.get(channel.name)
    if (existing !== undefined) return existing
    const outbox = createOutbox(
      this.#parts.clock,
      ({ title }, attempt, sent, nextMs) => {
        this.#receive(this.#asItIs(channel), title, attempt, sent, nextMs)
        this.#save()
      },
      ({ title, severity, isAboutChannel }, answer) => {
        if (isAboutChannel !== true) this.#parts.onGivenUp({ channel: channel.name, title, severity, answer })
      },
    )
    this.#outboxes.set(channel.name, outbox)
    return outbox
  }

  /** Returns the channel's current configuration, which may have changed while the message waited. */
  #asItIs(channel: Channel): Channel {
    return this.#parts.store.current.find(({ name }) => name === channel.name) ?? channel
  }

  #receive(channel: Channel, title: string, attempt: number, sent: Sent, nextMs: number | null): Receipt {
    const receipt: Receipt = {
      at: timestamp(this.#parts.clock.nowMs(), 'local'),
      channel: channel.name,
      type: channel.type,
      title,
      attempt,
      isAccepted: sent.isAccepted,
      answer: sent.answer,
      nextTryAt: nextMs === null ? null : timestamp(nextMs, 'local'),
    }
    this.#parts.receipts.add(receipt)
    if (!sent.isAccepted)
      this.#parts.log.warn('A channel did not take a message', { channel: channel.name, answer: sent.answer })
    return receipt
  }
}
