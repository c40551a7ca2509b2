import type { RecordedEvent } from '../record/events.ts'
import type { GateResult, Measurement, VerdictInput } from '../verification/types.ts'
import { unanswerableHints } from '../verification/unanswerable-hints.ts'
import type { History, PastAttempt } from './case.ts'
import { commandCheck, gateCheck, hintCheck, probeCheck } from './check-names.ts'
import { hintProbes } from './hint-measuring.ts'

/** Attempts looked back at. */
const MAX_LOOKED_BACK = 10
/** More events than ten attempts leave: where there are as many, nothing is known. */
export const MAX_EVENTS_LOOKED_BACK = 2000
/** More than a task has checks. */
const MAX_ANSWERED = 100
/** No real command is longer. A longer name is not recorded, and accuses no one. */
const MAX_NAME_LENGTH = 4096

/** The attempts before the one that is judged, as far as they may have silenced its checks. */
export interface EarlierAttempts {
  /** Newest first: those of all tasks since the task was last verified. */
  readonly attemptIds: readonly string[]
  /** Sequence number of the oldest attempt to look at in the record; `null`: there is none. */
  readonly sinceSeq: number | null
}

/**
 * Returns the attempts whose changes may have silenced a check of the task. When in doubt, no one is accused: work of a verified
 * attempt did not silence it, nor did anything before a verdict of the operator.
 */
export function earlierAttempts({ attempts }: Pick<History, 'attempts'>, taskId: string): EarlierAttempts {
  const latest = attempts.slice(0, MAX_LOOKED_BACK)
  const end = latest.findIndex((attempt) => settles(attempt, taskId))
  const since = latest.slice(0, end < 0 ? latest.length : end)
  // The tasks of one run changed the same files.
  const verifiedRuns = new Set(since.filter(isVerified).map(({ startedAt }) => startedAt))
  return {
    attemptIds: since
      .filter(({ startedAt }) => !verifiedRuns.has(startedAt))
      .map(({ attemptId }) => attemptId),
    sinceSeq: latest.at(-1)?.seq ?? null,
  }
}

function isVerified({ verdict }: PastAttempt): boolean {
  return verdict === 'verified'
}

/** The task was verified, or the operator has looked at the state of that time. */
function settles(attempt: PastAttempt, taskId: string): boolean {
  if (attempt.overruled !== null || attempt.review?.answer?.answer === 'accept') return true
  return attempt.taskId === taskId && isVerified(attempt)
}

/**
 * Returns the checks that answered according to these events. What was recorded before the operator last changed the configuration is
 * about other checks; older versions recorded nothing. Where there are `MAX_EVENTS_LOOKED_BACK` of them or more, nothing is known.
 */
export function recordedAnswers(events: readonly RecordedEvent[]): readonly string[] {
  if (events.length >= MAX_EVENTS_LOOKED_BACK) return []
  const approved = events.findLastIndex(({ type }) => type === 'configuration-approved')
  const answered = events
    .slice(approved + 1)
    .flatMap((event) => (event.type === 'attempt-finished' ? event.result.answered : []))
  return [...new Set(answered)]
}

/** Returns the checks of a task that gave an answer after the work, as they are recorded; `silenced` had given one before. */
export function answeredChecks(
  input: VerdictInput,
  gates: readonly GateResult[],
  silenced: readonly string[],
): readonly string[] {
  const { hint, after, criteria = [] } = input
  const probes = [{ hint, after }, ...criteria].flatMap((one) => {
    const own = new Set(hintProbes(one.hint))
    return one.after.probes.flatMap(({ kind, name }) =>
      kind === 'value' && own.has(name) ? [probeCheck(name)] : [],
    )
  })
  const commands = [{ after }, ...criteria].flatMap((one) => answeredCommands(one.after).map(commandCheck))
  const run = gates.flatMap(({ command, status }) => (status === 'unavailable' ? [] : [gateCheck(command)]))
  const hints = unanswerableHints(input).flatMap(({ wasAnswered, hint: { source } }) =>
    wasAnswered ? [hintCheck(source)] : [],
  )
  return [...new Set([...probes, ...commands, ...run, ...hints, ...silenced])]
    .filter((check) => check.length <= MAX_NAME_LENGTH)
    .slice(0, MAX_ANSWERED)
}

/** The commands of `succeeds("…")` that an evaluation asked and had an answer from. */
function answeredCommands({ expression }: Measurement): readonly string[] {
  if (expression?.kind !== 'value') return []
  return [...(expression.byExitCodeAlone ?? []), ...Object.keys(expression.reports ?? {})]
}
