import { randomBytes } from 'node:crypto'
import type { Answer } from '../../core/channels/answer.ts'
import type { Clock } from '../ports/clock.ts'

/** Long enough for a night and the morning after it. */
const GOOD_MS = 24 * 60 * 60_000
const MAX_ISSUED = 1_000

/** The answer that a button gives, and the channel that it was sent through. */
export interface Offered {
  readonly answer: Answer
  readonly channel: string
}

/** Codes that each give one answer, once. Kept only in memory: after a restart the buttons do nothing. */
export interface OneTimeAnswers {
  issue(offered: Offered): string
  /** Returns what the code offers and invalidates the code; `null` if the code is not valid. */
  take(code: string): Offered | null
}

export function createOneTimeAnswers(clock: Pick<Clock, 'nowMs'>): OneTimeAnswers {
  const issued = new Map<string, Offered & { readonly untilMs: number }>()
  return {
    issue: (offered) => {
      const [oldest] = issued.keys()
      if (issued.size >= MAX_ISSUED && oldest !== undefined) issued.delete(oldest)
      const code = randomBytes(24).toString('base64url')
      issued.set(code, { ...offered, untilMs: clock.nowMs() + GOOD_MS })
      return code
    },
    take: (code) => {
      const found = issued.get(code)
      issued.delete(code)
      return found !== undefined && clock.nowMs() < found.untilMs ? found : null
    },
  }
}
