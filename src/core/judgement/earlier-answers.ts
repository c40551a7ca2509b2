import type { RecordedEvent } from '../record/events.ts'
import type { GateResult, Measurement, VerdictInput } from '../verification/types.ts'
import { unanswerableHints } from '../verification/unanswerable-hints.ts'
import type { History, PastAttempt } from './case.ts'
import { commandCheck, gateCheck, hintCheck, probeCheck } from './check-names.ts'
import { hintProbes } from './hint-measuring.ts'

/** Number of earlier attempts to look at. */
const MAX_LOOKED_BACK = 10
/** More events than ten attempts record; from this many on, nothing is known. */
export const MAX_EVENTS_LOOKED_BACK = 2000
/** More checks than a task has. */
const MAX_ANSWERED = 100
/** Longer than any real command. A longer name is not recorded, and accuses no one. */
const MAX_NAME_LENGTH = 4096

/** The attempts before the judged one that may have silenced its checks. */
export interface EarlierAttempts {
  /** Attempts at any task since this task was last verified, newest first. */
  readonly attemptIds: readonly string[]
  /** Sequence number of the oldest attempt to look up in the record; `null` if there is none. */
  readonly sinceSeq: number | null
}

/**
 * Returns the attempts whose changes may have silenced a check of the task. When in doubt, no one is accused: verified work did not silence
 * it, nor did anything before an operator's verdict.
 */
export function earlierAttempts({ attempts }: Pick<History, 'attempts'>, taskId: string): EarlierAttempts {
  const latest = attempts.slice(0, MAX_LOOKED_BACK)
  const end = latest.findIndex((attempt) => settles(attempt, taskId))
  const since = latest.slice(0, end < 0 ? latest.length : end)
  // Tasks of the same run changed the same files.
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

/** Returns whether this attempt verified the task, or the operator reviewed the state at that time. */
function settles(attempt: PastAttempt, taskId: string): boolean {
  if (attempt.overruled !== null || attempt.review?.answer?.answer === 'accept') return true
  return attempt.taskId === taskId && isVerified(attempt)
}

/**
 * Returns the checks that answered according to these events. Events before the operator's last change of the configuration concern other
 * checks; older versions recorded nothing. Returns none at `MAX_EVENTS_LOOKED_BACK` events or more.
 */
export function recordedAnswers(events: readonly RecordedEvent[]): readonly string[] {
  if (events.length >= MAX_EVENTS_LOOKED_BACK) return []
  const approved = events.findLastIndex(({ type }) => type === 'configuration-approved')
  const answered = events
    .slice(approved + 1)
    .flatMap((event) => (event.type === 'attempt-finished' ? event.result.answered : []))
  return [...new Set(answered)]
}

/** Returns the recorded names of a task's checks that answered after the work, plus `silenced` ones, which had answered before. */
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

/** Returns the `succeeds("…")` commands that an evaluation ran and that answered. */
function answeredCommands({ expression }: Measurement): readonly string[] {
  if (expression?.kind !== 'value') return []
  return [...(expression.byExitCodeAlone ?? []), ...Object.keys(expression.reports ?? {})]
}
