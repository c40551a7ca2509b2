import type { AttemptSummary } from '../../core/record/state.ts'
import type { GateResult, Measurement, VerdictInput } from '../../core/verification/types.ts'
import { unanswerableHints } from '../../core/verification/unanswerable-hints.ts'
import type { Ledger } from '../ports/ledger.ts'
import { hintProbes } from './measure.ts'

/** Attempts looked back at. */
const MAX_LOOKED_BACK = 10
/** More events than ten attempts leave: where there are as many, nothing is known. */
const MAX_EVENTS = 2000
/** More than a task has checks. */
const MAX_ANSWERED = 100
/** As long as any command is written. Of a longer name nothing is recorded, and nobody accused. */
const MAX_NAME_LENGTH = 4096

/** What the record tells of a task's checks before the attempt that has ended now. */
export interface EarlierAttempts {
  /** Newest first: those of all tasks whose changes may have silenced a check, since the task was last verified. */
  readonly attemptIds: readonly string[]
  /** Checks that are recorded to have answered, as they are configured now; see `probeCheck`, `gateCheck`, `commandCheck` and `hintCheck`. */
  readonly answered: ReadonlySet<string>
}

/**
 * In doubt nobody is accused: what was done in an attempt that was verified is no silencing, nor what came before a
 * verdict of the operator, and what was recorded before the operator last changed the configuration tells of other
 * checks.
 */
export async function earlierAttempts(ledger: Ledger, taskId: string): Promise<EarlierAttempts> {
  const latest = ledger.state.attempts.slice(0, MAX_LOOKED_BACK)
  const end = latest.findIndex((attempt) => settles(attempt, taskId))
  const since = latest.slice(0, end < 0 ? latest.length : end)
  // The tasks of one run changed the same files.
  const verifiedRuns = new Set(since.filter(isVerified).map(({ startedAt }) => startedAt))
  return {
    attemptIds: since
      .filter(({ startedAt }) => !verifiedRuns.has(startedAt))
      .map(({ attemptId }) => attemptId),
    answered: await answeredSinceApproval(ledger, latest),
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

/** What their record names; older versions named nothing. */
async function answeredSinceApproval(
  ledger: Ledger,
  attempts: readonly AttemptSummary[],
): Promise<ReadonlySet<string>> {
  const oldest = attempts.at(-1)
  if (oldest === undefined) return new Set()
  const events = await ledger.read(oldest.seq, MAX_EVENTS)
  if (events.length >= MAX_EVENTS) return new Set()
  const approved = events.findLastIndex(({ type }) => type === 'configuration-approved')
  return new Set(
    events
      .slice(approved + 1)
      .flatMap((event) => (event.type === 'attempt-finished' ? event.result.answered : [])),
  )
}

/** What the record calls a probe. */
export function probeCheck(name: string): string {
  return `probe ${name}`
}

/** What the record calls a gate. */
export function gateCheck(command: readonly string[]): string {
  return `gate ${JSON.stringify(command)}`
}

/** What the record calls a command of `succeeds("…")`. */
export function commandCheck(command: string): string {
  return `command ${command}`
}

/** What the record calls a hint that had an answer before an attempt and none after it. */
export function hintCheck(source: string): string {
  return `hint ${source}`
}

/** The commands of `succeeds("…")` that an evaluation asked and had an answer from. */
function answeredCommands({ expression }: Measurement): readonly string[] {
  if (expression?.kind !== 'value') return []
  return [...(expression.byExitCodeAlone ?? []), ...Object.keys(expression.reports ?? {})]
}

/**
 * The checks of a task that gave an answer after the attempt, as they are recorded; `silenced` had given one before.
 */
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
