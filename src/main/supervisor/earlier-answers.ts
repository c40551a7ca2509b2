import type { AttemptSummary } from '../../core/record/state.ts'
import type { Ledger } from '../ports/ledger.ts'

/** Attempts looked back at. */
const MAX_LOOKED_BACK = 10
/** More events than ten attempts leave: where there are as many, nothing is known. */
const MAX_EVENTS = 2000

/** What the record tells of a task's checks before the attempt that has ended now. */
export interface EarlierAttempts {
  /** Newest first: those of all tasks whose changes may have silenced a check, since the task was last verified. */
  readonly attemptIds: readonly string[]
  /** Whether it is recorded that the check answered, as it is configured now: in its words, and a probe by its name. */
  hasAnswered(words: string, probe: string | null): boolean
}

/**
 * In doubt nobody is accused: what was done in an attempt that was verified is no silencing, nor what came before a verdict of the
 * operator, and what was recorded before the operator last changed the configuration tells of other checks.
 */
export async function earlierAttempts(ledger: Ledger, taskId: string): Promise<EarlierAttempts> {
  const latest = ledger.state.attempts.slice(0, MAX_LOOKED_BACK)
  const end = latest.findIndex((attempt) => settles(attempt, taskId))
  const since = latest.slice(0, end < 0 ? latest.length : end)
  // The tasks of one run changed the same files.
  const verifiedRuns = new Set(since.filter(isVerified).map(({ startedAt }) => startedAt))
  const recorded = await sinceApproval(ledger, latest)
  return {
    attemptIds: since
      .filter(({ startedAt }) => !verifiedRuns.has(startedAt))
      .map(({ attemptId }) => attemptId),
    hasAnswered: (words, probe) => recorded.some((attempt) => tellsAnAnswer(attempt, words, probe)),
  }
}

function isVerified({ verdict }: AttemptSummary): boolean {
  return verdict === 'verified'
}

/** The task was verified, or the operator has looked at what stood then. */
function settles(attempt: AttemptSummary, taskId: string): boolean {
  if (attempt.overruled !== null || attempt.review?.answer?.answer === 'accept') return true
  return attempt.taskId === taskId && isVerified(attempt)
}

/** Those of them that ended with the configuration as it is now. */
async function sinceApproval(
  ledger: Ledger,
  attempts: readonly AttemptSummary[],
): Promise<readonly AttemptSummary[]> {
  const oldest = attempts.at(-1)
  if (oldest === undefined) return []
  const events = await ledger.read(oldest.seq, MAX_EVENTS)
  if (events.length >= MAX_EVENTS) return []
  const approved = events.findLast(({ type }) => type === 'configuration-approved')?.seq ?? 0
  return attempts.filter(({ seq }) => seq > approved)
}

/** By what its hint measured, or by the sentence about a check that was silenced. */
function tellsAnAnswer(
  { reasons, comparisons }: AttemptSummary,
  words: string,
  probe: string | null,
): boolean {
  if (reasons.some((reason) => reason.startsWith(`${words} answered before `))) return true
  if (probe === null) return false
  return comparisons.some(
    ({ isHint, measured }) =>
      isHint === true &&
      measured !== null &&
      measured.split(', ').some((one) => one.startsWith(`${probe} `) || one.startsWith(`${probe}.`)),
  )
}
