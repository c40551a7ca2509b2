import { z } from 'zod'
import type { Fault } from './fault.ts'
import type { Severity } from './severity.ts'

/** The verifier's possible verdicts on an attempt, in display order. */
export const VERDICTS = ['verified', 'not_verified', 'unclear'] as const

export type Verdict = (typeof VERDICTS)[number]

export const verdictSchema = z.enum(VERDICTS)

/** What an attempt is shown as: its verdict, or what is shown instead. Worst first. */
export const SHOWN_VERDICTS = [
  'contradiction',
  'not_verified',
  'held',
  'unclear',
  'verified',
  'environment',
  'skipped',
] as const

export type ShownVerdict = (typeof SHOWN_VERDICTS)[number]

export const shownVerdictSchema = z.enum(SHOWN_VERDICTS)

/** The words for people, as the beginning of a line, and the severity of each on the timeline. */
export const VERDICT_WORDS = {
  contradiction: { title: 'Contradiction', severity: 'critical' },
  not_verified: { title: 'Not verified', severity: 'warning' },
  held: { title: 'Held', severity: 'warning' },
  unclear: { title: 'Unclear', severity: 'info' },
  verified: { title: 'Verified', severity: 'info' },
  environment: { title: 'Not run: environment', severity: 'warning' },
  skipped: { title: 'Skipped', severity: 'info' },
} as const satisfies Record<ShownVerdict, { readonly title: string; readonly severity: Severity }>

/** Returns the verdict for use within a sentence: `not verified`. */
export function verdictInWords(verdict: Verdict): string {
  return VERDICT_WORDS[verdict].title.toLowerCase()
}

/** Returns how an attempt is shown. A contradiction outranks its verdict; without a verdict it is the environment, or a skip. */
export function shownVerdict(attempt: {
  readonly verdict: Verdict | null
  readonly groundTruthContradiction: boolean
  readonly fault: Fault | null
  /** For work that was held for review. */
  readonly held?: object | null
  /** How the operator answered since; omitted if unknown. */
  readonly review?: { readonly answer: object | null } | null
}): ShownVerdict {
  const { held, review } = attempt
  const waits = review == null ? held != null : review.answer === null
  // If overruled, it has a verdict and no longer waits.
  if (waits && attempt.verdict === 'unclear') return 'held'
  if (attempt.groundTruthContradiction) return 'contradiction'
  if (attempt.verdict !== null) return attempt.verdict
  return attempt.fault === 'environment' ? 'environment' : 'skipped'
}

/** Returns the worst of what these attempts are shown as; `null` if there are none. */
export function worstVerdict(attempts: readonly Parameters<typeof shownVerdict>[0][]): ShownVerdict | null {
  const shown = new Set(attempts.map(shownVerdict))
  return SHOWN_VERDICTS.find((each) => shown.has(each)) ?? null
}
