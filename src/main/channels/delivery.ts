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
import { createOutbox, type Outbox } from './outbox.ts'
import type { ReceiptBook } from './receipts.ts'
import { ping, send } from './send.ts'
import type { ChannelStore } from './store.ts'

export interface DeliveryParts {
  readonly store: ChannelStore
  readonly receipts: ReceiptBook
  readonly answers: OneTimeAnswers
  readonly clock: Clock
  readonly log: Log
  /** What could not be sent by a channel and is not tried again; one that is about a channel already is not told of again. */
  readonly onGivenUp: (lost: LostMessage) => void
}

/** A message that a channel has not taken. */
export interface LostMessage {
  readonly channel: string
  readonly title: string
  readonly severity: Severity
  readonly answer: string
}

/** How a message is sent beside what it says. */
export interface DeliveryTerms {
  readonly answers: readonly Answer[]
  /** With others of the same subject within a minute it is one message. */
  readonly cause?: string
  /** The channel that it is about: it is not notified. */
  readonly notBy?: string
}

const ONE_CAUSE_MS = 60_000
/** Of one channel; beyond, the oldest are forgotten. */
const MAX_CAUSES = 500

/** What is sent by the channels of `store`, each with an outbox of its own; every try leaves a receipt. */
export class Delivery {
  readonly #parts: DeliveryParts
  readonly #outboxes = new Map<string, Outbox>()
  readonly #closing = new AbortController()
  readonly #tests = new Set<Promise<Receipt>>()
  /** By channel, subject and cause: what was told of it last. */
  readonly #causes = new Map<string, { readonly atMs: number; readonly severity: Severity }>()

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** To each channel that wants it, once its quiet hours are over. */
  message(message: ChannelMessage, { answers, cause, notBy }: DeliveryTerms): void {
    const nowMs = this.#parts.clock.nowMs()
    for (const channel of this.#parts.store.current) {
      if (channel.name === notBy || !isFor(channel, message)) continue
      if (cause !== undefined && this.#isToldOf(channel, message, cause, nowMs)) continue
      this.#post(channel, message, answers, notBy !== undefined)
    }
  }

  /** What is made for each channel, where it wants that. */
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
    this.#outboxOf(channel).post({
      title: message.title,
      severity: message.severity,
      isAboutChannel,
      ...(quietMs !== null && { notBeforeMs: quietMs }),
      send: (signal) => send(this.#asItIs(channel), message, this.#parts.clock.nowMs(), signal, buttons),
    })
  }

  /** Whether this channel was told of the same cause within the last minute, and no less gravely. */
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

  /** The same for each try of a message, and good once. */
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
        // A service that counts heartbeats notices by itself that one is missing.
        isAboutChannel: true,
        isFleeting: sign.sign === 'start',
        send: (signal) => ping(this.#asItIs(channel), sign, signal),
      })
    }
  }

  /** At once, past what waits; given up once this closes, for it is no news. */
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

  /** What waits for this channel is not sent any more. */
  forget(name: string): void {
    this.#outboxes.get(name)?.clear()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const closed = [...this.#outboxes.values()].map((outbox) => outbox.close())
    await Promise.all([...closed, Promise.allSettled(this.#tests)])
  }

  #outboxOf(channel: Channel): Outbox {
    const existing = this.#outboxes.get(channel.name)
    if (existing !== undefined) return existing
    const outbox = createOutbox(
      this.#parts.clock,
      ({ title }, attempt, sent, nextMs) =>
        this.#receive(this.#asItIs(channel), title, attempt, sent, nextMs),
      ({ title, severity, isAboutChannel }, answer) => {
        if (isAboutChannel !== true) this.#parts.onGivenUp({ channel: channel.name, title, severity, answer })
      },
    )
    this.#outboxes.set(channel.name, outbox)
    return outbox
  }

  /** What waits goes to the channel as it has become meanwhile. */
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
