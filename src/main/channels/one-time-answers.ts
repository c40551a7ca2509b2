import { randomBytes } from 'node:crypto'
import type { Answer } from '../../core/channels/answer.ts'
import type { Clock } from '../ports/clock.ts'

/** A night, and the morning after it. */
const GOOD_MS = 24 * 60 * 60_000
const MAX_ISSUED = 1_000

/** What a button stands for, and which channel it was sent by. */
export interface Offered {
  readonly answer: Answer
  readonly channel: string
}

/** Codes that each stand for one answer, once. They are in memory alone: after a restart no button does anything. */
export interface OneTimeAnswers {
  issue(offered: Offered): string
  /** `null` where it is none that is still good. It is not after this. */
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
