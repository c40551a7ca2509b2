import type { Claim } from '../claims/types.ts'
import type { Fault } from '../vocabulary/fault.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import { feedbackMessage, NEEDS_REPORT } from './feedback-text.ts'

/** The facts that decide the feedback for an attempt without an intervention. */
export interface ReviewedAttempt {
  readonly verdict: Verdict | null
  readonly fault: Fault | null
  readonly outcome: Outcome
  readonly claim: Pick<Claim, 'status' | 'exitSignal' | 'source'>
  /** What was found, in words for the agent. */
  readonly findings: readonly string[]
}

const NEEDS: Readonly<Record<'failed' | 'silent' | 'limit' | 'unconfirmed' | 'other', readonly string[]>> = {
  failed: ['Required now: try another way; if it cannot be done, say what prevents it.'],
  silent: [
    'Required now: end with a report before your time is over, even if it only says `failed` and what is missing.',
  ],
  limit: ['Required now: continue from what is there, and report before your time is over.'],
  unconfirmed: [
    'Required now: give under `claims`, by name, each value that the task asks for, and under `files` what you wrote in this run.',
    'Required evidence: paths with the lines that show the work, or commands with their results.',
  ],
  other: ['Required now: do what is missing before you report.'],
}

/**
 * Returns the feedback to the agent about an attempt that was not verified through its own fault, or that a limit ended, if no
 * intervention covers it; null for every other attempt, and if there is nothing to say. Pure; never throws.
 */
export function feedbackForAttempt(
  attempt: ReviewedAttempt,
  iteration: number,
  taskId: string,
): string | null {
  const { verdict, fault, findings } = attempt
  if (verdict === null || verdict === 'verified' || findings.length === 0) return null
  if (fault !== 'agent' && fault !== 'limit') return null
  const kind = kindOf(attempt)
  const status = attempt.claim.status === null ? undefined : `status ${attempt.claim.status}`
  const words = verdict === 'unclear' ? 'COULD NOT BE CONFIRMED' : 'was NOT VERIFIED'
  const heading = `**${kind === 'limit' ? 'NOTE' : 'WARNING'}**: In iteration ${iteration}, your attempt ${words}.`
  const needs = kind === 'unconfirmed' && attempt.claim.source !== 'report' ? [NEEDS_REPORT] : []
  return feedbackMessage(heading, taskId, { claimed: status, found: findings }, [...needs, ...NEEDS[kind]])
}

function kindOf({ verdict, fault, outcome, claim }: ReviewedAttempt): keyof typeof NEEDS {
  if (fault === 'limit') return 'limit'
  if (claim.status === 'failed' || claim.status === 'skipped') return 'failed'
  if (outcome === 'timeout' || outcome === 'budget' || outcome === 'error') return 'silent'
  return verdict === 'unclear' ? 'unconfirmed' : 'other'
}
