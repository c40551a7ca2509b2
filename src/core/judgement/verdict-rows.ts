import { describeReport, isOfAWhole } from '../reports/test-report.ts'
import type { ValueFinding } from '../verification/comparisons.ts'
import { claimsCompletion, isUnchanged } from '../verification/completion.ts'
import { changedPaths } from '../verification/difference.ts'
import { confirmedEvidence } from '../verification/evidence.ts'
import type { HintCheck } from '../verification/hint-checks.ts'
import type { FileClaimFinding, GateResult, VerdictInput } from '../verification/types.ts'
import { showValue } from '../verification/values.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { RowDecision, VerdictFacts, VerdictRow } from './verdict-facts.ts'

/**
 * The verdict table, in order: the first row that applies decides.
 *
 * The judge comes after everything that is measured, including a completion claimed without any change (an empty difference
 * is a measurement), and before the agent's evidence. So it decides only if there are just words, and overrules nothing.
 */
export const VERDICT_ROWS: readonly VerdictRow[] = [
  theOperatorStoppedIt,
  environmentStoppedTheAgent,
  saysSkipped,
  claimsWrongValues,
  workLiesElsewhere,
  claimsMissingFiles,
  claimsMovingValues,
  saysFailed,
  endedAtItsLimit,
  endedWithoutClaiming,
  expressionIsFalse,
  gateIsRedAsInBase,
  gateFailed,
  checkWasSilenced,
  cannotBeChecked,
  claimsLeftUnread,
  leftUncommitted,
  holdsInPlaceOnly,
  hintHolds,
  gatesPass,
  stillStands,
  completionIsFalse,
  judgeAnswered,
  evidenceIsConfirmed,
  nothingCanBeConfirmed,
]

/** Half-finished work proves nothing, either way, so contradictions are not even looked for. */
function theOperatorStoppedIt({ input }: VerdictFacts): RowDecision | null {
  if (input.stoppedByOperator !== true) return null
  return {
    verdict: null,
    fault: 'environment',
    reasons: ['stopped by the operator', 'not scored: it could not come to its end'],
    remedy: 'Nothing to remedy: the task is run again at the next heartbeat.',
  }
}

function environmentStoppedTheAgent({
  input,
  contradictedValues,
  missingFiles,
}: VerdictFacts): RowDecision | null {
  const { environmentFault, outcome } = input
  const wasStopped = environmentFault !== null || outcome === 'unavailable' || outcome === 'denied'
  // A value that changes by itself contradicts nothing.
  const isContradicted = contradictedValues.some(({ moved }) => moved === undefined)
  if (!wasStopped || isContradicted || missingFiles.length > 0) return null
  const reason =
    environmentFault?.reason ??
    (outcome === 'denied' ? 'the agent was denied a tool it needed' : 'the agent could not run')
  return {
    verdict: null,
    fault: 'environment',
    reasons: [reason, 'not scored: the environment stopped the agent'],
    remedy: environmentFault?.remedy ?? null,
  }
}

function saysSkipped({ input }: VerdictFacts): RowDecision | null {
  if (input.claim.status !== 'skipped') return null
  if (!input.required)
    return { verdict: null, fault: null, skipped: true, reasons: ['skipped: the task is optional'] }
  return {
    verdict: 'not_verified',
    fault: 'agent',
    reasons: ['the agent skipped the task, and it is required'],
    findings: ['you skipped the task, and it is required'],
  }
}

function claimsWrongValues({ contradictedValues, missingFiles }: VerdictFacts): RowDecision | null {
  const wrong = contradictedValues.filter(({ moved }) => moved === undefined)
  if (wrong.length === 0) return null
  return contradiction(
    [...wrong.map(sayValue), ...missingFiles.map(sayMissingFile)],
    [...wrong.map(findValue), ...missingFiles.map(findMissingFile)],
  )
}

function claimsMissingFiles({ missingFiles }: VerdictFacts): RowDecision | null {
  if (missingFiles.length === 0) return null
  return contradiction(missingFiles.map(sayMissingFile), missingFiles.map(findMissingFile))
}

/** Two of our readings differ, so what the agent read may have been true at that time. */
function claimsMovingValues({ contradictedValues }: VerdictFacts): RowDecision | null {
  if (contradictedValues.length === 0) return null
  return {
    verdict: 'unclear',
    fault: 'contract',
    reasons: contradictedValues.map(
      ({ name, claimed, measured, moved }) =>
        `claimed ${name} = ${showValue(claimed)}, measured ${showValue(measured ?? null)} and then ${showValue(moved ?? null)}: it changes by itself`,
    ),
    remedy: `Give ${contradictedValues.map(({ probe }) => `[probes.${probe}]`).join(' and ')} a tolerance, or measure a value that doesn't change by itself.`,
  }
}

function saysFailed({ input }: VerdictFacts): RowDecision | null {
  if (input.claim.status !== 'failed') return null
  return {
    verdict: 'not_verified',
    fault: 'agent',
    reasons: ['the agent says that it did not succeed'],
    findings: ['you said that you did not succeed'],
  }
}

/** Reaching the limit this many times in a row may be bad luck; once more is the agent's own fault. */
const MAX_LIMITS_IN_A_ROW = 2

/** A report that says "done" is not a sign of unfinished work: its agent is judged by the result. */
function endedAtItsLimit({ input, hintCheck }: VerdictFacts): RowDecision | null {
  const { outcome, limit, claim } = input
  if (!isLimit(outcome) || !limit?.atWork) return null
  // Others may have used up the day's limit, so it says nothing about this agent.
  if (limit.inARow >= MAX_LIMITS_IN_A_ROW && limit.ofTheDay === undefined) return null
  if (hintCheck.kind === 'holds' || (claim.source === 'report' && claimsCompletion(claim))) return null
  if (limit.ofTheDay !== undefined) return endedByTheDay(input, limit.ofTheDay)
  return {
    verdict: 'unclear',
    fault: 'limit',
    reasons: [
      outcome === 'budget'
        ? 'the agent was ended at what one attempt may use; this does not count against it'
        : 'the agent was still at work when its time ran out; this does not count against it, and the next attempt gets more time',
      ...(hintCheck.kind === 'refuted' ? hintCheck.reasons : []),
    ],
    findings: [
      outcome === 'budget'
        ? 'you were ended because you had used what one attempt may; go straight to the work'
        : 'your time ran out while you were at work; there is more of it now',
      ...whatIsThere(input),
    ],
  }
}

/** Doesn't use up an attempt: what was left of the day's limit had little to do with the task. */
function endedByTheDay(input: VerdictInput, limit: string): RowDecision {
  return {
    verdict: 'unclear',
    fault: 'environment',
    reasons: [`the agent was ended at the day's limit; this does not count against it. ${limit}`],
    findings: [
      "you were ended because the day's budget was spent; go on where you stopped",
      ...whatIsThere(input),
    ],
  }
}

function isLimit(outcome: Outcome): boolean {
  return outcome === 'timeout' || outcome === 'budget'
}

/** How the agent's run ended before it could report: worded for the operator and for the agent. */
const CUT_SHORT: Readonly<Partial<Record<Outcome, readonly [string, string]>>> = {
  timeout: ['the agent ran into its timeout', 'you ran into your time limit'],
  budget: ['the agent used all that one attempt may', 'you used all that one attempt may'],
  error: ['the agent ended with an error', 'your program ended with an error'],
}

function endedWithoutClaiming(facts: VerdictFacts): RowDecision | null {
  const { outcome, claim, hint } = facts.input
  const saidNothing = claim.status === null && claim.exitSignal === null
  const cutShort = CUT_SHORT[outcome]
  if (cutShort === undefined || !saidNothing) return null
  const [ending, told] = cutShort
  const check = facts.hintCheck
  const becameTrue =
    hint.kind === 'expression' && check.kind === 'holds' && !facts.heldBefore && wasMeasuredBefore(facts)
  if (becameTrue)
    return {
      verdict: 'verified',
      fault: null,
      reasons: [`${ending} without a report, but the required result is there`, ...check.reasons],
    }
  const details = check.kind === 'refuted' || check.kind === 'holds' ? check.reasons : []
  return {
    verdict: 'not_verified',
    fault: 'agent',
    reasons: [
      `${ending} without a report`,
      ...details,
      ...(check.kind === 'holds' ? [sayHeldBefore(facts)] : []),
    ],
    findings: [
      `${told} without a report`,
      ...whatIsThere(facts.input),
      ...(check.kind === 'refuted' ? check.findings : []),
    ],
  }
}

const MAX_NAMED = 5

/** Lists what the agent left behind, so that after a cutoff it continues instead of starting over. */
function whatIsThere({ difference, work = difference }: VerdictInput): readonly string[] {
  const paths = changedPaths(work)
  if (paths.length === 0) return []
  return [`your changes are still there: ${listed(paths)}`]
}

function expressionIsFalse(facts: VerdictFacts): RowDecision | null {
  const check = facts.hintCheck
  if (check.kind !== 'refuted') return null
  return { verdict: 'not_verified', fault: 'agent', reasons: check.reasons, findings: check.findings }
}

/** The gate fails exactly as it did before the agent's work, so the baseline's maintainer has to fix it. */
function gateIsRedAsInBase({ input, hintCheck }: VerdictFacts): RowDecision | null {
  const failed = input.gates.filter(({ status }) => status === 'failed')
  if (failed.length === 0 || (hintCheck.kind !== 'holds' && input.hasNoTask !== true)) return null
  if (failed.some(({ redAsInBase }) => redAsInBase !== true)) return null
  return {
    verdict: 'unclear',
    fault: 'contract',
    reasons: failed.map(
      (gate) => `the gate \`${gate.command.join(' ')}\` fails as it did in the baseline: ${whyRed(gate)}`,
    ),
    remedy: 'Make the gate green, or correct [gates] in pulseward.toml.',
  }
}

/** Returns the failed tests if they explain everything, since a program's last output is then a stack trace; otherwise its output. */
function whyRed({ report, detail }: GateResult): string {
  const isSaid = report !== undefined && report.executed > 0 && !report.names.failed.some(isOfAWhole)
  return isSaid ? describeReport(report) : detail
}

function gateFailed({ input }: VerdictFacts): RowDecision | null {
  const failed = input.gates.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return null
  return {
    verdict: 'not_verified',
    fault: 'agent',
    reasons: failed.map(
      (gate) =>
        `the gate \`${gate.command.join(' ')}\` failed${gate.exitCode === null ? '' : ` with exit code ${gate.exitCode}`}: ${whyRed(gate)}`,
    ),
    findings: failed.map(({ detail }) => `a quality check of the workspace fails: ${detail}`),
  }
}

function checkWasSilenced({ input }: VerdictFacts): RowDecision | null {
  const { silenced = [] } = input
  if (silenced.length === 0) return null
  return {
    verdict: 'not_verified',
    fault: 'agent',
    reasons: silenced,
    findings: ['a check that answered before you worked gives no answer any more'],
  }
}

function cannotBeChecked(facts: VerdictFacts): RowDecision | null {
  const check = facts.hintCheck
  if (check.kind === 'uncheckable')
    return { verdict: 'unclear', fault: check.fault, reasons: [check.reason], remedy: check.remedy }
  const unavailable = facts.input.gates.filter(({ status }) => status === 'unavailable')
  if (unavailable.length === 0) return null
  return {
    verdict: 'unclear',
    fault: 'environment',
    reasons: unavailable.map(
      ({ command, detail }) => `the gate \`${command.join(' ')}\` could not run: ${detail}`,
    ),
    remedy: 'Make the gate runnable, or correct [gates] in pulseward.toml.',
  }
}

/** The unread part may contain the very value that is wrong. */
function claimsLeftUnread({ input }: VerdictFacts): RowDecision | null {
  if (input.claim.isPartlyUnread !== true) return null
  return {
    verdict: 'unclear',
    fault: 'agent',
    reasons: ['the report claims more values or files than are read, so not all of it could be checked'],
    findings: ['your report was too long to be checked: claim only what the task asks for'],
  }
}

/** The operator wants work committed, and until it is, the completion is not applied. */
function leftUncommitted({ input }: VerdictFacts): RowDecision | null {
  const { uncommitted } = input
  if (uncommitted === undefined) return null
  const files = listed(uncommitted.paths)
  const reasons = [
    `the completion was not applied: the repository has uncommitted changes, and a clean one is required: ${files}`,
  ]
  const { leftEarlier = [] } = uncommitted
  if (!uncommitted.isOwn) {
    const left = `earlier attempts at other tasks left changes that are not committed: ${listed(leftEarlier)}`
    const operators = uncommitted.paths.filter((path) => !leftEarlier.includes(path))
    return {
      verdict: 'unclear',
      fault: 'environment',
      reasons: leftEarlier.length === 0 ? reasons : [...reasons, left],
      ...(leftEarlier.length > 0 && { findings: [`${left}; commit them`] }),
      ...(operators.length > 0 && { remedy: `Commit or stash ${listed(operators)}.` }),
    }
  }
  return {
    verdict: 'unclear',
    fault: 'agent',
    reasons,
    findings: [`you left changes that are not committed; commit them: ${files}`],
  }
}

/** The agent says it wrote these files, but they changed only in an unmerged work tree inside this one. */
function workLiesElsewhere({
  input,
  missingFiles,
  contradictedValues,
  hintCheck,
}: VerdictFacts): RowDecision | null {
  const { changedElsewhere = [] } = input.difference
  if (changedElsewhere.length === 0 || contradictedValues.length > 0) return null
  if (missingFiles.length === 0 && hintCheck.kind !== 'refuted') return null
  const isThere = ({ path, finding }: FileClaimFinding): boolean =>
    finding !== 'shown' && changedElsewhere.some((other) => isOrEndsWith(other, path))
  const elsewhere = input.fileClaims.filter(isThere).map(({ path }) => path)
  if (elsewhere.length === 0 || !missingFiles.every(isThere)) return null
  const files = listed(
    changedElsewhere.filter((other) => elsewhere.some((path) => isOrEndsWith(other, path))),
  )
  return {
    verdict: 'unclear',
    fault: 'agent',
    reasons: [
      `what was named as written changed in another work tree only, and is not part of this one: ${files}`,
    ],
    findings: [
      `your changes are in another work tree (${files}); merge them into the branch that is checked out here`,
    ],
  }
}

function isOrEndsWith(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`)
}

function listed(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
  return `${paths.slice(0, MAX_NAMED).join(', ')}${more}`
}

function holdsInPlaceOnly({ input }: VerdictFacts): RowDecision | null {
  const held = input.held ?? null
  return held === null
    ? null
    : { verdict: 'unclear', fault: null, reasons: held.reasons, scoresNothing: true }
}

function hintHolds(facts: VerdictFacts): RowDecision | null {
  const check = facts.hintCheck
  if (check.kind !== 'holds') return null
  const isBlank = facts.heldBefore && changedNothing(facts)
  const reasons = facts.heldBefore
    ? [
        ...check.reasons,
        'this already passed before the attempt',
        ...(isBlank ? [sayAlreadyTrue(facts.input)] : []),
      ]
    : check.reasons
  return {
    verdict: 'verified',
    fault: null,
    reasons: [...reasons, ...believedByExitCode(facts.input)],
    ...(isBlank && { scoresNothing: true }),
  }
}

function sayAlreadyTrue({ isBlank }: VerdictInput): string {
  return `already true, and the attempt changed nothing${isBlank === true ? ' but white space, empty files or file modes' : ''}: no points`
}

/** Returns whether the attempt changed only white space, and confirmed no value that it claimed. */
function changedNothing({ input, values }: VerdictFacts): boolean {
  const { difference, work = difference } = input
  return (
    (isUnchanged(work) || input.isBlank === true) && !values.some(({ relation }) => relation === 'agrees')
  )
}

/** If no task is judged, only the gates must pass. Gates that failed or could not run decided above. */
function gatesPass({ input }: VerdictFacts): RowDecision | null {
  if (input.hasNoTask !== true || input.gates.length === 0) return null
  const passed = input.gates.map(({ command }) => `\`${command.join(' ')}\``)
  return {
    verdict: 'verified',
    fault: null,
    reasons: [
      `${passed.length === 1 ? 'the gate passes' : 'all gates pass'}: ${passed.join(', ')}`,
      ...believedByExitCode(input),
    ],
  }
}

/** Returns the checks that passed without a test report, by an exit code of 0 alone. */
function believedByExitCode({ gates, after }: VerdictFacts['input']): readonly string[] {
  const hint = after.expression?.kind === 'value' ? (after.expression.byExitCodeAlone ?? []) : []
  const passed = gates.filter(({ status, report }) => status === 'passed' && report === undefined)
  const commands = new Set([...hint, ...passed.map(({ command }) => command.join(' '))])
  return commands.size === 0
    ? []
    : [`by exit code alone: ${[...commands].map((command) => `\`${command}\``).join(', ')}`]
}

/** If the task was already done and can't be measured, an honest agent asked again has nothing new to show, and earns nothing. */
function stillStands({ input, hintCheck }: VerdictFacts): RowDecision | null {
  if (input.stillStands !== true || input.claim.status !== 'done' || hintCheck.kind !== 'none') return null
  return {
    verdict: 'verified',
    fault: null,
    scoresNothing: true,
    heldBefore: true,
    reasons: ['the last verdict was verified, and nothing that it rests on has changed since'],
  }
}

function completionIsFalse({ falseCompletion }: VerdictFacts): RowDecision | null {
  if (!falseCompletion) return null
  return {
    verdict: 'not_verified',
    fault: 'agent',
    reasons: ['claimed completion, but no file was written, no state changed and nothing measured moved'],
    findings: ['no file was written, no state changed and nothing measured moved'],
  }
}

function judgeAnswered({ input, hintCheck }: VerdictFacts): RowDecision | null {
  if (hintCheck.kind !== 'none' || input.judge?.kind !== 'answer') return null
  const { verdict, reason } = input.judge
  return {
    verdict,
    fault: verdict === 'verified' ? null : 'agent',
    reasons: [`the judge says ${verdict.replace('_', ' ')}: ${reason}`],
    findings: [`an independent look at your work says ${verdict.replace('_', ' ')}: ${reason}`],
  }
}

function evidenceIsConfirmed({ input, hintCheck }: VerdictFacts): RowDecision | null {
  if (hintCheck.kind !== 'none' || !claimsCompletion(input.claim)) return null
  const evidence = confirmedEvidence(input)
  if (evidence.length === 0) return null
  return {
    verdict: 'verified',
    fault: null,
    reasons: [`the snapshot confirms what the agent named: ${evidence.slice(0, 10).join(', ')}`],
  }
}

function nothingCanBeConfirmed(facts: VerdictFacts): RowDecision {
  const { input, hintCheck: check } = facts
  const judge = check.kind === 'none' && input.judge?.kind === 'unavailable' ? input.judge : null
  const unmeasurable = input.fileClaims.filter(({ finding }) => finding === 'unmeasurable')
  const incomparable = facts.values.filter(
    ({ relation, measured }) => relation === 'incomparable' && measured !== undefined,
  )
  return {
    ...(input.hasNoTask === true ? NO_FAULT : blameOf(check, judge !== null)),
    verdict: 'unclear',
    reasons: [
      sayUnconfirmed(check, input),
      ...(input.claim.incomplete === undefined
        ? []
        : [`no completion is claimed: ${input.claim.incomplete}`]),
      ...(judge === null ? [] : [`the judge could not answer: ${judge.reason}`]),
      ...incomparable.map(
        ({ name, claimed }) =>
          `claimed ${name} = ${showValue(claimed)}, which cannot be compared with a value`,
      ),
      ...unmeasurable.map(({ path, reason }) => `${path} cannot be measured: ${reason ?? 'no reason given'}`),
    ],
    findings: [
      check.kind === 'unclaimed'
        ? `you gave no value for \`${check.name}\`, or not all of it as a number or text`
        : 'nothing that you named as evidence could be confirmed',
      ...(input.claim.incomplete === undefined
        ? []
        : [`you claimed no completion: ${input.claim.incomplete}`]),
      ...incomparable.map(
        ({ name, claimed }) =>
          `you gave ${name} = ${showValue(claimed)}, which cannot be compared with a value`,
      ),
      ...unmeasurable.map(({ path }) => `${path} cannot be measured`),
    ],
  }
}

const NO_FAULT: Pick<RowDecision, 'fault' | 'remedy'> = {
  fault: 'contract',
  remedy: 'Add [gates] to pulseward.toml.',
}

function sayUnconfirmed(check: HintCheck, { hint: { source }, hasNoTask }: VerdictInput): string {
  if (check.kind === 'unclaimed') return check.reason
  const unconfirmed = 'nothing can be confirmed or refuted'
  if (hasNoTask === true) return `${unconfirmed}: there is no gate, and no claim that can be measured`
  if (check.kind === 'none' && check.undefinedProbe !== null)
    return `${unconfirmed}: there is no probe ${check.undefinedProbe}, and no evidence that the snapshot confirms was given`
  return `${unconfirmed}: \`${source}\` measures nothing, and no evidence that the snapshot confirms was given`
}

/** Returns who is at fault if nothing could be confirmed. An undefined name is the contract's fault, whatever the agent did. */
function blameOf(check: HintCheck, hasNoJudge: boolean): Pick<RowDecision, 'fault' | 'remedy'> {
  if (check.kind === 'none' && check.undefinedProbe !== null)
    return {
      fault: 'contract',
      remedy: `Define it: \`pulseward probe add ${check.undefinedProbe} --command … --parse number\`, or correct the check in HEARTBEAT.md.`,
    }
  return hasNoJudge
    ? { fault: 'environment', remedy: 'Check [judge] in pulseward.toml.' }
    : { fault: 'agent', remedy: null }
}

function contradiction(reasons: readonly string[], findings: readonly string[]): RowDecision {
  return { verdict: 'not_verified', contradiction: true, fault: 'agent', reasons, findings }
}

/** Describes a wrong value to the agent, as a finding in its feedback. */
function findValue({ name, claimed, measured }: ValueFinding): string {
  return `you gave ${name} = ${showValue(claimed)}; ${showValue(measured ?? null)} was measured`
}

function findMissingFile({ path }: FileClaimFinding): string {
  return `you named ${path} as written, and it did not change`
}

function sayValue({ name, claimed, measured }: ValueFinding): string {
  return `claimed ${name} = ${showValue(claimed)}, measured ${showValue(measured ?? null)}`
}

function sayMissingFile({ path, reason }: FileClaimFinding): string {
  return `claimed to have written ${path}, but ${reason ?? 'the snapshot does not show it'}`
}

function wasMeasuredBefore({ input }: VerdictFacts): boolean {
  return input.before?.expression?.kind === 'value'
}

function sayHeldBefore(facts: VerdictFacts): string {
  return wasMeasuredBefore(facts)
    ? 'this already passed before the attempt'
    : 'it is unknown whether this passed before the attempt'
}
