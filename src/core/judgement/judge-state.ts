import { quoteCriterion } from '../contract/quote-criterion.ts'
import type { BaseDifference } from '../custody/baseline-difference.ts'
import { mayChangeBy } from '../custody/may-change.ts'
import { claimsCompletion } from '../verification/completion.ts'
import type { GateResult, Measurement } from '../verification/types.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import { type Asking, ask, together } from './asking.ts'
import { knownReports, lostIn, testRuns } from './baseline-reports.ts'
import type { StateCase, StateCheck } from './case.ts'
import { earlierAttempts } from './earlier-answers.ts'
import { hintProbes, measuring, runsCommands } from './hint-measuring.ts'
import type { Judgement } from './judgement.ts'
import { IN_PLACE, type Moment, type Setting } from './questions.ts'
import { sortDifferences } from './work-custody.ts'

/*
 * Judges the current state without any work: a check that passes only because an agent changed it does not pass. Used wherever a
 * measurement decides that no agent is run. No one worked, so no one is at fault and nothing is scored.
 */

/** The procedure for a question about the state. */
export function* judgeState(subject: StateCase): Asking<Judgement> {
  switch (subject.asks) {
    case 'done':
      return yield* isDone(subject)
    case 'still-verified':
      return yield* isStillVerified(subject)
    case 'ticked':
      return yield* isTickContradicted(subject)
    case 'condition':
      return yield* doesConditionHold(subject)
  }
}

function stateOf(verdict: Verdict, reason: string): Judgement {
  return {
    verdict,
    groundTruthContradiction: false,
    fault: null,
    reasons: [reason],
    findings: [],
    remedy: null,
    held: null,
    points: 0,
    interventions: [],
  }
}

/**
 * Returns whether the task is done: its own check and those of its criteria pass. The first that fails or can't be run decides.
 */
function* isDone(subject: StateCase): Asking<Judgement> {
  let own: Judgement | null = null
  for (const check of subject.checks) {
    const found = yield* judgeCheck(subject, check)
    own ??= found
    if (found.verdict === 'verified') continue
    const [reason = ''] = found.reasons
    return check.criterion === null
      ? found
      : stateOf(found.verdict ?? 'unclear', `criterion ${quoteCriterion(check.criterion)}: ${reason}`)
  }
  if (own === null) return stateOf('unclear', 'there is nothing to check')
  return (yield* findRigging(subject, { withGates: false })) ?? own
}

function* judgeCheck({ policy }: StateCase, { hint }: StateCheck): Asking<Judgement> {
  const unclear = (why: string): Judgement => stateOf('unclear', `\`${hint.source}\` ${why}`)
  switch (hint.kind) {
    case 'broken':
      return unclear(`cannot be measured: ${hint.reason}`)
    case 'words':
      return unclear('measures nothing: it is judged by what the agent did')
    case 'probe':
      return unclear('cannot be measured without a claim to compare it with')
    case 'expression': {
      // Without an attempt there is no difference, so `!changed(…)` would always be true.
      if (hint.functions.includes('changed')) return unclear('can only be checked during an attempt')
      const { expression } = yield* ask(measuring(hint, { policy }))
      if (expression?.kind !== 'value')
        return unclear(`could not be measured: ${expression?.reason ?? 'no result'}`)
      return expression.holds
        ? stateOf('verified', `\`${hint.source}\` passes now`)
        : stateOf('not_verified', `\`${hint.source}\` fails`)
    }
  }
}

/**
 * Looks for agents' changes to the checks of a task that passes in place, and if there are any, runs the checks as in the
 * baseline. `null` if they pass there too.
 */
function* findRigging(
  subject: StateCase,
  { withGates }: { readonly withGates: boolean },
): Asking<Judgement | null> {
  const { task, checks, isAgentRunning } = subject
  const [differences, reaching] = yield* together([ask({ kind: 'check-files' }), ask({ kind: 'reaching' })])
  // While no agent runs, changes made since the last attempt are the operator's.
  const agents = differences.filter(({ attemptId }) => attemptId !== null || isAgentRunning)
  const hints = checks.map(({ hint }) => hint)
  const { instruments, protectedFiles } = sortDifferences(agents, task, {
    hints,
    probes: hints.flatMap(hintProbes),
  })
  const mayChange = mayChangeBy(task?.asked.mayChange ?? [])
  const sources = reaching.map(({ path }) => path).filter((path) => !mayChange(path))
  const paths = [...instruments, ...protectedFiles].map(({ path }) => path)
  if (sources.length === 0 && paths.length === 0) return null
  const passes = paths.length === 0 || (yield* passesAsInBaseline(subject, paths, withGates))
  if (passes && sources.length === 0) return null
  const named = hints.map(({ source }) => `\`${source}\``)
  const files = [...paths, ...sources].slice(0, 5).join(', ')
  return stateOf(
    'not_verified',
    `${named.join(' and ')} ${named.length === 1 ? 'passes' : 'pass'} only because an attempt changed the check: ${files}`,
  )
}

/** Returns whether all checks pass with these paths as in the baseline; false if no clean room can be made. */
function* passesAsInBaseline(
  { checks, policy }: StateCase,
  paths: readonly string[],
  withGates: boolean,
): Asking<boolean> {
  const setting: Setting = { room: paths, earlier: null }
  if ((yield* ask({ kind: 'room', setting })).kind === 'none') return false
  const measured = yield* together(checks.map(({ hint }) => ask(measuring(hint, { policy, setting }))))
  if (!measured.every(holds)) return false
  return !withGates || (yield* gatesOf(policy, setting)).every(isGreen)
}

/**
 * Runs the gates up to the first that is not green. A state only needs to know whether all are; a verdict on work needs every result, for
 * its reasons, lost tests and lacking variables.
 */
function* gatesOf({ gates }: StateCase['policy'], setting: Setting): Asking<readonly GateResult[]> {
  return gates.commands.length === 0 ? [] : yield* ask({ kind: 'gates', until: 'red', setting, turn: 1 })
}

/**
 * Returns whether every check of a verified task still passes, gates and tests included. What only an attempt can answer (words, a claimed
 * value, `changed()`) can't pass by itself.
 */
function* isStillVerified(subject: StateCase): Asking<Judgement> {
  const { checks, policy } = subject
  const hints = checks.map(({ hint }) => hint)
  if (hints.some((hint) => hint.kind !== 'expression' || hint.functions.includes('changed')))
    return stateOf('unclear', 'only an attempt can answer its check')
  const measured = yield* together(hints.map((hint) => ask(measuring(hint, { policy }))))
  if (!measured.every(holds)) return stateOf('not_verified', 'its check fails now')
  const gates = yield* gatesOf(policy, IN_PLACE)
  if (!gates.every(isGreen)) return stateOf('not_verified', 'a gate is not green')
  const [dependencies, outside, reports, known] = yield* together([
    ask({ kind: 'dependencies' }),
    ask({ kind: 'outside-settings' }),
    ask({ kind: 'baseline-reports' }),
    ask({ kind: 'known-tests' }),
  ])
  if (dependencies.length + outside.length > 0)
    return stateOf('unclear', 'dependencies or settings of the check were changed by hand')
  const [after, ...criteria] = measured
  if (after === undefined) return stateOf('unclear', 'there is nothing to check')
  const reported = { after, criteria: criteria.map((one) => ({ after: one })), gates }
  if (lostIn(testRuns({ base: knownReports(reports), known }, reported)).length > 0)
    return stateOf('unclear', 'tests are executed no longer')
  const rigged = yield* findRigging({ ...subject, isAgentRunning: true }, { withGates: true })
  return rigged ?? stateOf('verified', 'all of its checks still pass')
}

function holds({ expression }: Measurement): boolean {
  return expression?.kind === 'value' && expression.holds
}

function isGreen({ status }: GateResult): boolean {
  return status === 'passed'
}

/** Returns whether a check of a ticked task can be measured and fails; the first one in written order is the reason. */
function* isTickContradicted({ checks, policy }: StateCase): Asking<Judgement> {
  for (const { hint } of checks) {
    if (hint.kind !== 'expression' || hint.functions.includes('changed')) continue
    const { expression } = yield* ask(measuring(hint, { policy }))
    if (expression?.kind === 'value' && !expression.holds) return stateOf('not_verified', hint.source)
  }
  return stateOf('unclear', 'no check contradicts it')
}

/**
 * Returns whether a condition is true. Only `not_verified` means that it is false: what cannot be measured is `unclear`, because
 * a broken probe must not silence the supervisor, and so is a condition that an agent made false, by changing its check or in
 * contradicted attempts at the task.
 */
function* doesConditionHold(subject: StateCase): Asking<Judgement> {
  const { policy } = subject
  const [check] = subject.checks
  if (check === undefined) return stateOf('unclear', 'there is no condition')
  const { hint } = check
  // Without an attempt, there is no answer to what it changed.
  if (hint.kind !== 'expression' || hint.functions.includes('changed'))
    return stateOf('unclear', `\`${hint.source}\` cannot be measured without an attempt`)
  const { expression } = yield* ask(measuring(hint, { policy }))
  if (expression?.kind !== 'value') return stateOf('unclear', `\`${hint.source}\` cannot be measured`)
  if (expression.holds) return stateOf('verified', `\`${hint.source}\` passes`)
  if (yield* mayHoldWithoutAgents(subject, check))
    return stateOf('unclear', `\`${hint.source}\` may pass with the baseline's check`)
  if (yield* heldBeforeRefutedWork(subject, check))
    return stateOf('unclear', `\`${hint.source}\` passes without the changes of contradicted attempts`)
  return stateOf('not_verified', `\`${hint.source}\` fails`)
}

/**
 * Returns whether the condition may be true without the agents' changes to its check: an agent that silences a condition must not silence
 * the supervisor. Without a clean room the answer is unknown.
 */
function* mayHoldWithoutAgents({ policy }: StateCase, { hint }: StateCheck): Asking<boolean> {
  const differing: readonly BaseDifference[] = yield* ask({ kind: 'check-files' })
  const paths = differing.filter(({ attemptId }) => attemptId !== null).map(({ path }) => path)
  if (paths.length === 0) return false
  const setting: Setting = { room: paths, earlier: null }
  if ((yield* ask({ kind: 'room', setting })).kind === 'none') return true
  const { expression } = yield* ask(measuring(hint, { policy, setting }))
  return expression?.kind !== 'value' || expression.holds
}

/**
 * Returns whether the condition is true with the files as they were before attempts at this task that claimed to be done and
 * were contradicted, if their changes are still there. Finished work may make it false, and an agent that admits failure gains
 * nothing by it.
 */
function* heldBeforeRefutedWork({ task, history, policy }: StateCase, { hint }: StateCheck): Asking<boolean> {
  if (task === null) return false
  const since = new Set(earlierAttempts(history, task.id).attemptIds)
  const refuted = history.attempts.filter(
    ({ taskId, verdict, fault, attemptId }) =>
      taskId === task.id && verdict === 'not_verified' && fault === 'agent' && since.has(attemptId),
  )
  if (refuted.length === 0) return false
  const claims = yield* ask({ kind: 'earlier-claims', seqs: refuted.map(({ seq }) => seq) })
  const attemptIds = refuted
    .filter((_attempt, at) => isCompletion(claims[at]))
    .map(({ attemptId }) => attemptId)
  if (attemptIds.length === 0) return false
  const moment: Moment = { kind: 'before-attempts', attemptIds, withWork: false }
  if ((yield* ask({ kind: 'files-before', moment })) === null) return false
  const setting: Setting = { room: runsCommands(hint, policy) ? [] : null, earlier: moment }
  if (setting.room !== null && (yield* ask({ kind: 'room', setting })).kind === 'none') return false
  return holds(yield* ask(measuring(hint, { policy, setting })))
}

function isCompletion(claim: Parameters<typeof claimsCompletion>[0] | null | undefined): boolean {
  return claim != null && claimsCompletion(claim)
}
