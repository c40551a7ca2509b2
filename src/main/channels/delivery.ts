import { ANSWER_LABELS, type Answer } from '../../core/channels/answer.ts'
import { type Channel, isFor, isOf, offersAnswers } from '../../core/channels/channel.ts'
import type { ChannelMessage } from '../../core/channels/message.ts'
import type { Button } from '../../core/channels/payload.ts'
import type { Receipt } from '../../core/channels/receipt.ts'
import { quietUntil } from '../../core/pacing/quiet-hours.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
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
}

/** What is sent by the channels of `store`, each with an outbox of its own; every try leaves a receipt. */
export class Delivery {
  readonly #parts: DeliveryParts
  readonly #outboxes = new Map<string, Outbox>()
  readonly #closing = new AbortController()
  readonly #tests = new Set<Promise<Receipt>>()

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** To each channel that wants it, once its quiet hours are over. */
  message(message: ChannelMessage, answers: readonly Answer[] = []): void {
    const nowMs = this.#parts.clock.nowMs()
    for (const channel of this.#parts.store.current) {
      if (!isFor(channel, message)) continue
      const quietMs = quietUntil(nowMs, channel.quietHours, 'local')
      const buttons = this.#buttonsOf(channel, answers)
      this.#outboxOf(channel).post({
        title: message.title,
        ...(quietMs !== null && { notBeforeMs: quietMs }),
        send: (signal) => send(this.#asItIs(channel), message, this.#parts.clock.nowMs(), signal, buttons),
      })
    }
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
    const outbox = createOutbox(this.#parts.clock, ({ title }, attempt, sent, nextMs) =>
      this.#receive(this.#asItIs(channel), title, attempt, sent, nextMs),
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
