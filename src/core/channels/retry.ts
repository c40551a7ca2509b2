import type { Severity } from '../vocabulary/severity.ts'

/** Seconds from one try to the next. */
const DELAYS_S = [5, 30, 120, 600, 1800, 3600]
const HOUR_MS = 60 * 60_000
/** A message that needs attention is retried for a day; by then the operator has seen it in the app. */
const DAY_MS = 24 * HOUR_MS

interface FailedTry {
  /** From 1. */
  readonly attempt: number
  readonly severity: Severity
  /** Time since the first try. */
  readonly ageMs: number
  /** The delay that the service asked for; `null` if none. */
  readonly askedForMs: number | null
}

/**
 * Returns how long to wait (ms) after a failed try; `null` to give up. Messages of severity `info` are given up after less than two hours,
 * all others are retried every hour until a day has passed.
 */
export function retryDelayMs({ attempt, severity, ageMs, askedForMs }: FailedTry): number | null {
  const seconds = DELAYS_S[attempt - 1]
  if (seconds === undefined && (severity === 'info' || ageMs >= DAY_MS)) return null
  return Math.min(Math.max((seconds ?? 3600) * 1000, askedForMs ?? 0), HOUR_MS)
}
