import type { Clock } from '../../ports/clock.ts'

/** A longer limit is a weekly or monthly one, not a window whose size could be learned. */
const LONGEST_CLOSED_MS = 24 * 60 * 60_000

interface Window {
  /** From when the account's next use begins a new window. */
  freshFromMs: number
  /** When the open window began; `null`: nothing has been requested in it yet. */
  sinceMs: number | null
  readonly used: Map<string, number>
  /** The most tokens that fit in a window, for all workspaces together; `null`: no window has been seen from start to end. */
  size: number | null
  /** The time from that window's start to its reset. */
  lengthMs: number
}

/** How much of its windows an account's workspaces use; see `createAccountWindows`. */
export interface AccountWindows {
  /** The service has closed the account until `untilMs`. */
  closed(account: string, untilMs: number): void
  /** Something is about to be requested from the account. */
  begins(account: string): void
  /** Records that `workspace` used this many tokens of the account. */
  used(account: string, workspace: string, tokens: number): void
  /**
   * Returns until when `workspace` has used up its share of the open window, in epoch ms; `null` if it has some left, or that is unknown.
   */
  hadUntil(account: string, workspace: string, share01: number): number | null
}

/**
 * Tracks how much each workspace has used of the window that its account's service has opened. No service says how much a window allows:
 * that is learned from one seen completely, from its reset to the next limit, and kept while the host runs.
 */
export function createAccountWindows(clock: Pick<Clock, 'nowMs'>): AccountWindows {
  const windows = new Map<string, Window>()
  return {
    closed: (account, untilMs) => {
      const before = windows.get(account)
      const learned = learnedFrom(before, untilMs, clock.nowMs())
      windows.set(account, { freshFromMs: untilMs, sinceMs: null, used: new Map(), ...learned })
    },
    begins: (account) => {
      const window = windows.get(account)
      const nowMs = clock.nowMs()
      if (window === undefined || nowMs < window.freshFromMs) return
      const isOver =
        window.sinceMs !== null && window.size !== null && nowMs >= window.sinceMs + window.lengthMs
      if (window.sinceMs !== null && !isOver) return
      window.sinceMs = nowMs
      window.used.clear()
    },
    used: (account, workspace, tokens) => {
      const window = windows.get(account)
      if (window === undefined || window.sinceMs === null) return
      window.used.set(workspace, (window.used.get(workspace) ?? 0) + tokens)
    },
    hadUntil: (account, workspace, share01) => {
      const window = windows.get(account)
      if (window === undefined || window.sinceMs === null || window.size === null) return null
      const endMs = window.sinceMs + window.lengthMs
      const hasHad = (window.used.get(workspace) ?? 0) >= share01 * window.size
      return hasHad && clock.nowMs() < endMs ? endMs : null
    },
  }
}

function learnedFrom(
  before: Window | undefined,
  untilMs: number,
  nowMs: number,
): Pick<Window, 'size' | 'lengthMs'> {
  const { size = null, lengthMs = 0, sinceMs = null, used } = before ?? {}
  const total = [...(used?.values() ?? [])].reduce((sum, tokens) => sum + tokens, 0)
  // A limit reached by the first request after a reset comes from someone else's use: it teaches nothing.
  const isWhole = sinceMs !== null && total > (size ?? 0) && untilMs - nowMs <= LONGEST_CLOSED_MS
  return isWhole ? { size: total, lengthMs: untilMs - sinceMs } : { size, lengthMs }
}
