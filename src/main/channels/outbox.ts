import type { ChannelMessage } from '../../core/channels/message.ts'
import { retryDelayMs } from '../../core/channels/retry.ts'
import { SEVERITIES, type Severity } from '../../core/vocabulary/severity.ts'
import { type Clock, LONGEST_SLEEP_MS } from '../ports/clock.ts'
import type { Sent } from './http.ts'

/** One thing to send, and how to report each attempt. */
export interface Letter {
  readonly title: string
  /** Determines how long it is retried. */
  readonly severity: Severity
  /** Earliest time to send it (epoch ms). */
  readonly notBeforeMs?: number
  /** True if it is soon outdated, and not retried after the first failure. */
  readonly isFleeting?: boolean
  /** True if it is about a channel; if it is lost too, that is not reported. */
  readonly isAboutChannel?: boolean
  /** The message; omitted: a restart drops it. */
  readonly message?: ChannelMessage
  readonly send: (signal: AbortSignal) => Promise<Sent>
}

/** Progress in delivering a letter. */
export interface Progress {
  /** Number of attempts so far. */
  readonly attempt: number
  /** Time of the next attempt (epoch ms). */
  readonly dueMs: number
  /** Time of the first attempt (epoch ms); `null`: none yet. */
  readonly firstMs: number | null
}

export interface Outbox {
  post(letter: Letter): void
  /** Continues the delivery of a letter that an earlier run did not finish. */
  resume(letter: Letter, progress: Progress): void
  /** The letters that failed before or wait for their time. */
  readonly waiting: readonly (Progress & { readonly letter: Letter })[]
  /** Drops everything that waits. */
  clear(): void
  /**
   * Finishes what is being sent, retries once what has failed before, and ends within moments. Does not send early what waits for its time.
   */
  close(): Promise<void>
}

/** Limit per channel: beyond it the least severe and oldest letters are dropped, so that a service that is down for days costs nothing. */
const MAX_WAITING = 200
const LAST_TRY_MS = 3_000

type Waiting = { -readonly [Name in keyof Progress]: Progress[Name] } & { readonly letter: Letter }

/**
 * Creates the outbox of one channel, which sends one letter at a time. `onTried` gets the time of the next attempt (epoch ms), or `null`.
 * `onGivenUp` is called for a letter that was not accepted and is not retried, but not if closing cut it off.
 */
export function createOutbox(
  clock: Clock,
  onTried: (letter: Letter, attempt: number, sent: Sent, nextTryMs: number | null) => void,
  onGivenUp: (letter: Letter, answer: string) => void = () => {},
): Outbox {
  const waiting: Waiting[] = []
  const closing = new AbortController()
  /** Aborts requests to a service that does not answer, moments after closing begins. */
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
    // A temporary failure during closing is not final: the next run continues.
    const isKept = dueMs !== null || (closing.signal.aborted && canBeResumed(letter, sent))
    const isOver = !isKept && waiting.includes(entry)
    entry.dueMs = dueMs ?? entry.dueMs
    if (isOver) waiting.splice(waiting.indexOf(entry), 1)
    onTried(letter, entry.attempt, sent, dueMs)
    if (sent.isAccepted) hasComeBack()
    else if (isOver && !closing.signal.aborted) onGivenUp(letter, sent.answer)
  }
  /** Retries the other failed letters now, because a service that accepts one letter probably accepts them too. */
  const hasComeBack = (): void => {
    const nowMs = clock.nowMs()
    for (const entry of waiting) if (entry.attempt > 0) entry.dueMs = Math.min(entry.dueMs, nowMs)
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
  const add = (entry: Waiting): void => {
    if (closing.signal.aborted) return
    waiting.push(entry)
    if (waiting.length > MAX_WAITING) dropOne(waiting, onGivenUp)
    wake.abort()
    working ??= work()
  }
  return {
    post: (letter) => add({ letter, attempt: 0, dueMs: letter.notBeforeMs ?? clock.nowMs(), firstMs: null }),
    resume: (letter, progress) => add({ letter, ...progress }),
    get waiting() {
      return waiting.filter(isUnfinished)
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

function isUnfinished({ attempt, letter }: Waiting): boolean {
  return attempt > 0 || letter.notBeforeMs !== undefined
}

function canBeResumed({ isFleeting }: Letter, { isAccepted, isPassing }: Sent): boolean {
  return !isAccepted && isPassing && isFleeting !== true
}

/** Drops the oldest of the least severe letters. */
function dropOne(waiting: Waiting[], onGivenUp: (letter: Letter, answer: string) => void): void {
  const [least] = waiting.toSorted((a, b) => graveness(a.letter) - graveness(b.letter))
  if (least === undefined) return
  waiting.splice(waiting.indexOf(least), 1)
  onGivenUp(least.letter, `more than ${MAX_WAITING} messages wait`)
}

/** Returns a number that is greater for a more severe letter. */
function graveness({ severity }: Letter): number {
  return -SEVERITIES.indexOf(severity)
}

/** Returns the delay until the next attempt in ms; `null` if there is no further attempt. */
function delayAfter({ letter, attempt, firstMs }: Waiting, sent: Sent, nowMs: number): number | null {
  if (!canBeResumed(letter, sent)) return null
  const { severity } = letter
  return retryDelayMs({ attempt, severity, ageMs: nowMs - (firstMs ?? nowMs), askedForMs: sent.askedForMs })
}
