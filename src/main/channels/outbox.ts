import { retryDelayMs } from '../../core/channels/retry.ts'
import { SEVERITIES, type Severity } from '../../core/vocabulary/severity.ts'
import { type Clock, LONGEST_SLEEP_MS } from '../ports/clock.ts'
import type { Sent } from './http.ts'

/** One thing to be sent, and what is said of each try. */
export interface Letter {
  readonly title: string
  /** How long it is tried. */
  readonly severity: Severity
  /** Not before this moment (epoch ms). */
  readonly notBeforeMs?: number
  /** Old news are not sent: at the first failure it is over. */
  readonly isFleeting?: boolean
  /** It says something of a channel: where it is lost too, nothing more is said. */
  readonly isAboutChannel?: boolean
  readonly send: (signal: AbortSignal) => Promise<Sent>
}

export interface Outbox {
  post(letter: Letter): void
  /** What waits is not sent any more. */
  clear(): void
  /** Lets what is being sent end, tries what has failed once more, and ends within moments. What waits for its hour is not sent before it. */
  close(): Promise<void>
}

/** What waits for one channel: more is dropped, the least grave and oldest first, so that a service that is down for days costs nothing. */
const MAX_WAITING = 200
const LAST_TRY_MS = 3_000

interface Waiting {
  readonly letter: Letter
  attempt: number
  dueMs: number
  /** Of the first try; `null`: none yet. */
  firstMs: number | null
}

/**
 * The letters of one channel, one after the other. `onTried` says when it is tried again (epoch ms), `null`: it is not.
 * `onGivenUp` is told of what was not accepted and is not tried again, but for what the end cuts off.
 */
export function createOutbox(
  clock: Clock,
  onTried: (letter: Letter, attempt: number, sent: Sent, nextTryMs: number | null) => void,
  onGivenUp: (letter: Letter, answer: string) => void = () => {},
): Outbox {
  const waiting: Waiting[] = []
  const closing = new AbortController()
  /** What a service keeps waiting is given up some moments after the end. */
  const ending = new AbortController()
  let wake = new AbortController()
  let working: Promise<void> | null = null

  const tryOne = async (entry: Waiting): Promise<void> => {
    const { letter } = entry
    entry.attempt++
    entry.firstMs ??= clock.nowMs()
    const sent = await letter.send(ending.signal)
    const delay = closing.signal.aborted ? null : delayAfter(entry, sent, clock.nowMs())
    const dueMs = delay === null ? null : clock.nowMs() + delay
    onTried(letter, entry.attempt, sent, dueMs)
    if (sent.isAccepted) hasComeBack()
    if (dueMs !== null) entry.dueMs = dueMs
    else if (waiting.includes(entry)) {
      waiting.splice(waiting.indexOf(entry), 1)
      if (!sent.isAccepted && !closing.signal.aborted) onGivenUp(letter, sent.answer)
    }
  }
  /** A service that takes one letter takes the others that failed: none waits out its hour. */
  const hasComeBack = (): void => {
    const nowMs = clock.nowMs()
    for (const entry of waiting) if (entry.attempt > 0) entry.dueMs = Math.min(entry.dueMs, nowMs)
  }
  const dropOne = (): void => {
    const [least] = waiting.toSorted((a, b) => graveness(a.letter) - graveness(b.letter))
    if (least === undefined) return
    waiting.splice(waiting.indexOf(least), 1)
    onGivenUp(least.letter, `more than ${MAX_WAITING} messages wait`)
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
      waiting.push({ letter, attempt: 0, dueMs: letter.notBeforeMs ?? clock.nowMs(), firstMs: null })
      if (waiting.length > MAX_WAITING) dropOne()
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

/** Greater is graver. */
function graveness({ severity }: Letter): number {
  return -SEVERITIES.indexOf(severity)
}

/** Until the next try (ms); `null`: there is none. */
function delayAfter({ letter, attempt, firstMs }: Waiting, sent: Sent, nowMs: number): number | null {
  if (sent.isAccepted || !sent.isPassing || letter.isFleeting === true) return null
  const { severity } = letter
  return retryDelayMs({ attempt, severity, ageMs: nowMs - (firstMs ?? nowMs), askedForMs: sent.askedForMs })
}
