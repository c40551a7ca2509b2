import { randomBytes } from 'node:crypto'

/** How long a code is valid. */
const CODE_MS = 60_000
const MAX_CODES = 64

/** What a page that was opened with a code may do. */
export type SessionKind = 'full' | 'reading'

/** Codes that each open the page once: they may appear in an address, where the token never does. */
export interface OneTimeCodes {
  issue(kind: SessionKind): string
  /** Returns what the code opens, and invalidates it; `null` if it is not valid. */
  take(code: string): SessionKind | null
}

/** `nowMs` must be monotonic. */
export function createOneTimeCodes(nowMs: () => number = () => performance.now()): OneTimeCodes {
  const issued = new Map<string, { readonly kind: SessionKind; readonly untilMs: number }>()
  return {
    issue: (kind) => {
      const [oldest] = issued.keys()
      if (issued.size >= MAX_CODES && oldest !== undefined) issued.delete(oldest)
      const code = randomBytes(18).toString('base64url')
      issued.set(code, { kind, untilMs: nowMs() + CODE_MS })
      return code
    },
    take: (code) => {
      const found = issued.get(code)
      issued.delete(code)
      return found !== undefined && nowMs() < found.untilMs ? found.kind : null
    },
  }
}
