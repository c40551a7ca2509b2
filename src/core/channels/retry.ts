import type { Severity } from '../vocabulary/severity.ts'

/** Seconds from one try to the next. */
const DELAYS_S = [5, 30, 120, 600, 1800, 3600]
const HOUR_MS = 60 * 60_000
/** What asks for the operator is worth a day: by then he has seen it in the app. */
const DAY_MS = 24 * HOUR_MS

interface FailedTry {
  /** From 1. */
  readonly attempt: number
  readonly severity: Severity
  /** Since the first try. */
  readonly ageMs: number
  /** The service's word; `null`: it asks for nothing. */
  readonly askedForMs: number | null
}

/**
 * How long to wait (ms) after a try that failed; `null`: it is given up. What is only to be known (`info`) is given up after less than
 * two hours, all else is tried every hour until a day has passed.
 */
export function retryDelayMs({ attempt, severity, ageMs, askedForMs }: FailedTry): number | null {
  const seconds = DELAYS_S[attempt - 1]
  if (seconds === undefined && (severity === 'info' || ageMs >= DAY_MS)) return null
  return Math.min(Math.max((seconds ?? 3600) * 1000, askedForMs ?? 0), HOUR_MS)
}
