import { retryDelayMs } from '../../core/channels/retry.ts'
import { type Clock, LONGEST_SLEEP_MS } from '../ports/clock.ts'
import type { Sent } from './http.ts'

/** One thing to be sent, and what is said of each try. */
export interface Letter {
  readonly title: string
  /** Not before this moment (epoch ms). */
  readonly notBeforeMs?: number
  /** Old news are not sent: at the first failure it is over. */
  readonly isFleeting?: boolean
  readonly send: (signal: AbortSignal) => Promise<Sent>
}

export interface Outbox {
  post(letter: Letter): void
  /** What waits is not sent any more. */
  clear(): void
  /** Lets what is being sent end, tries what has failed once more, and ends within moments. What waits for its hour is not sent before it. */
  close(): Promise<void>
}

/** What waits for one channel: more is dropped, the oldest first, so that a service that is down for days costs nothing. */
const MAX_WAITING = 200
const LAST_TRY_MS = 3_000

/** The letters of one channel, one after the other. `onTried` says when it is tried again (epoch ms), `null`: it is not. */
export function createOutbox(
  clock: Clock,
  onTried: (letter: Letter, attempt: number, sent: Sent, nextTryMs: number | null) => void,
): Outbox {
  const waiting: { letter: Letter; attempt: number; dueMs: number }[] = []
  const closing = new AbortController()
  /** What a service keeps waiting is given up some moments after the end. */
  const ending = new AbortController()
  let wake = new AbortController()
  let working: Promise<void> | null = null

  const tryOne = async (entry: (typeof waiting)[number]): Promise<void> => {
    const { letter } = entry
    entry.attempt++
    const sent = await letter.send(ending.signal)
    const delay =
      sent.isAccepted || !sent.isPassing || letter.isFleeting === true || closing.signal.aborted
        ? null
        : retryDelayMs(entry.attempt, sent.askedForMs)
    const dueMs = delay === null ? null : clock.nowMs() + delay
    onTried(letter, entry.attempt, sent, dueMs)
    if (dueMs !== null) entry.dueMs = dueMs
    else if (waiting.includes(entry)) waiting.splice(waiting.indexOf(entry), 1)
  }
  const work = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const next = waiting.toSorted((a, b) => a.dueMs - b.dueMs)[0]
      if (next === undefined) break
      const nowMs = clock.nowMs()
      if (next.dueMs <= nowMs) await tryOne(next)
      else {
        wake = new AbortController()
        const sleepMs = Math.min(next.dueMs - nowMs, LONGEST_SLEEP_MS)
        await clock.sleep(sleepMs, AbortSignal.any([wake.signal, closing.signal]))
      }
    }
    working = null
  }
  return {
    post: (letter) => {
      if (closing.signal.aborted) return
      waiting.push({ letter, attempt: 0, dueMs: letter.notBeforeMs ?? clock.nowMs() })
      if (waiting.length > MAX_WAITING) waiting.shift()
      wake.abort()
      working ??= work()
    },
    clear: () => {
      waiting.length = 0
    },
    close: async () => {
      closing.abort()
      const giveUp = setTimeout(() => ending.abort(), LAST_TRY_MS)
      await working
      const nowMs = clock.nowMs()
      const due = waiting.filter(({ attempt, dueMs }) => attempt > 0 || dueMs <= nowMs)
      await Promise.all(due.map(tryOne))
      clearTimeout(giveUp)
    },
  }
}
