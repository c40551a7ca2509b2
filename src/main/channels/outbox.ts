import { retryDelayMs } from '../../core/channels/retry.ts'
import type { Clock } from '../ports/clock.ts'
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
  /** Tries what waits once more, and ends within moments. */
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
  let wake = new AbortController()
  let working: Promise<void> | null = null

  const tryOne = async (entry: (typeof waiting)[number], signal: AbortSignal): Promise<void> => {
    const { letter } = entry
    entry.attempt++
    const sent = await letter.send(signal)
    const delay =
      sent.isAccepted || !sent.isPassing || letter.isFleeting === true || closing.signal.aborted
        ? null
        : retryDelayMs(entry.attempt, sent.askedForMs)
    const dueMs = delay === null ? null : clock.nowMs() + delay
    onTried(letter, entry.attempt, sent, dueMs)
    if (dueMs === null) waiting.splice(waiting.indexOf(entry), 1)
    else entry.dueMs = dueMs
  }
  const work = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const next = waiting.toSorted((a, b) => a.dueMs - b.dueMs)[0]
      if (next === undefined) break
      const nowMs = clock.nowMs()
      if (next.dueMs <= nowMs) await tryOne(next, closing.signal)
      else {
        wake = new AbortController()
        await clock.sleep(next.dueMs - nowMs, AbortSignal.any([wake.signal, closing.signal]))
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
    close: async () => {
      closing.abort()
      await working
      const signal = AbortSignal.timeout(LAST_TRY_MS)
      await Promise.all([...waiting].map((entry) => tryOne(entry, signal)))
    },
  }
}
