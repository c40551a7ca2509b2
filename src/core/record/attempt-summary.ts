import type { Comparison } from '../verification/evidence-row.ts'
import { VERDICT_WORDS } from '../vocabulary/verdict.ts'
import type { AttemptResult, EventOf } from './events.ts'
import type { AttemptSummary } from './state.ts'

/*
 * The state is snapshotted whole and contains 500 of these, so their texts are truncated; the ledger has the whole attempt.
 */
const KEPT_REASONS = 8
const KEPT_COMPARISONS = 12
const MAX_TEXT_LENGTH = 300
const MAX_RESULT_LENGTH = 500

/** Returns what the state keeps about a finished attempt; `day` is the one it is scored on. */
export function summarizeAttempt(event: EventOf<'attempt-finished'>, day: string): AttemptSummary {
  const { result } = event
  return {
    attemptId: result.attemptId,
    seq: event.seq,
    cycle: result.cycle,
    taskId: result.taskId,
    day,
    startedAt: result.startedAt,
    durationMs: result.durationMs,
    timeoutSeconds: result.timeoutSeconds,
    outcome: result.outcome,
    required: result.required,
    verdict: result.verdict,
    groundTruthContradiction: result.groundTruthContradiction,
    fault: result.fault,
    points: result.verdict === null ? 0 : result.points,
    reasons: result.reasons.slice(0, KEPT_REASONS).map((reason) => shorten(reason)),
    comparisons: result.comparisons.slice(0, KEPT_COMPARISONS).map(shortenComparison),
    remedy: result.remedy === null ? null : shorten(result.remedy),
    feedback: null,
    feedbackNote: null,
    review:
      result.held === null
        ? null
        : { because: result.held.because, files: result.held.files, with: result.held.with, answer: null },
    overruled: null,
    filesChangedCount: result.filesChangedCount,
    ...(result.interrupted !== undefined && { interrupted: result.interrupted }),
  }
}

/** Returns the verdict and its reasons in one line: "Not verified: claimed email_count = 3, measured 0". */
export function resultInWords(result: AttemptResult): string {
  const reasons = result.reasons.join('; ')
  const verdict = inWords(result)
  return shorten(reasons === '' ? verdict : `${verdict}: ${reasons}`, MAX_RESULT_LENGTH)
}

/** Returns the operator's verdict and reason in one line. */
export function overruledInWords({ to, reason }: EventOf<'verdict-overruled'>): string {
  return shorten(`${VERDICT_WORDS[to].title} by the operator: ${reason}`, MAX_RESULT_LENGTH)
}

/** Returns the operator's answer to held work in one line. */
export function reviewInWords({ answer, rigged, reason }: EventOf<'review-answered'>): string {
  const words = answer === 'accept' ? 'Accepted' : rigged ? 'Refused as rigged' : 'Refused'
  return shorten(`${words} by the operator${reason === null ? '' : `: ${reason}`}`, MAX_RESULT_LENGTH)
}

function inWords(result: AttemptResult): string {
  if (result.held !== null) return 'Held'
  return result.verdict === null ? unjudgedInWords(result) : VERDICT_WORDS[result.verdict].title
}

function unjudgedInWords(result: AttemptResult): string {
  return result.skipped ? 'Skipped' : 'Not judged'
}

function shortenComparison(comparison: Comparison): Comparison {
  const { subject, claimed, measured, agrees, isHint } = comparison
  return {
    subject: shorten(subject),
    claimed: claimed === null ? null : shorten(claimed),
    measured: measured === null ? null : shorten(measured),
    agrees,
    ...(isHint === true && { isHint }),
  }
}

/** Returns at most `maxLength` characters of a text, ending with an ellipsis if it was longer. */
export function shorten(text: string, maxLength = MAX_TEXT_LENGTH): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`
}
