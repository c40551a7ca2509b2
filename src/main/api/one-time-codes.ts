import { randomBytes } from 'node:crypto'

/** How long a code is good. */
const CODE_MS = 60_000
const MAX_CODES = 64

/** Codes that each open the page once: they may stand in an address, where the token never does. */
export interface OneTimeCodes {
  issue(): string
  /** Whether it is one that is still good; it is not after this. */
  take(code: string): boolean
}

/** `nowMs` is monotonic. */
export function createOneTimeCodes(nowMs: () => number = () => performance.now()): OneTimeCodes {
  const goodUntil = new Map<string, number>()
  return {
    issue: () => {
      const [oldest] = goodUntil.keys()
      if (goodUntil.size >= MAX_CODES && oldest !== undefined) goodUntil.delete(oldest)
      const code = randomBytes(18).toString('base64url')
      goodUntil.set(code, nowMs() + CODE_MS)
      return code
    },
    take: (code) => {
      const until = goodUntil.get(code)
      goodUntil.delete(code)
      return until !== undefined && nowMs() < until
    },
  }
}
