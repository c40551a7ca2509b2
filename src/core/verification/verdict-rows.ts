import type { ValueFinding } from './comparisons.ts'
import { claimsCompletion } from './completion.ts'
import { confirmedEvidence } from './evidence.ts'
import type { FileClaimFinding } from './types.ts'
import { showValue } from './values.ts'
import type { RowDecision, VerdictFacts, VerdictRow } from './verdict-facts.ts'

/**
 * The verdict table, in its order: the first row that applies decides.
 *
 * The judge stands after everything measured, false completion included (an empty difference is a measurement), and
 * before the evidence of the agent's own: so it can confirm or refute where only words are left, and overrule nothing.
 */
export const VERDICT_ROWS: readonly VerdictRow[] = [
  environmentStoppedTheAgent,
  saysSkipped,
  claimsWrongValues,
  claimsMissingFiles,
  saysFailed,
  endedWithoutClaiming,
  expressionIsFalse,
  gateFailed,
  cannotBeChecked,
  hintHolds,
  completionIsFalse,
  judgeAnswered,
  evidenceIsConfirmed,
  nothingCanBeConfirmed,
]

function environmentStoppedTheAgent({
  input,
  contradictedValues,
  missingFiles,
}: VerdictFacts): RowDecision | null {
  const { environmentFault, outcome } = input
  const wasStopped = environmentFault !== null || outcome === 'unavailable' || outcome === 'denied'
  if (!wasStopped || contradictedValues.length > 0 || missingFiles.length > 0) return null
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
  }
}

function claimsWrongValues({ contradictedValues, missingFiles }: VerdictFacts): RowDecision | null {
  if (contradictedValues.length === 0) return null
  return contradiction([...contradictedValues.map(sayValue), ...missingFiles.map(sayMissingFile)])
}

function claimsMissingFiles({ missingFiles }: VerdictFacts): RowDecision | null {
  return missingFiles.length === 0 ? null : contradiction(missingFiles.map(sayMissingFile))
}

function saysFailed({ input }: VerdictFacts): RowDecision | null {
  if (input.claim.status !== 'failed') return null
  return { verdict: 'not_verified', fault: 'agent', reasons: ['the agent says that it did not succeed'] }
}

function endedWithoutClaiming(facts: VerdictFacts): RowDecision | null {
  const { outcome, claim, hint } = facts.input
  const saidNothing = claim.status === null && claim.exitSignal === null
  if ((outcome !== 'timeout' && outcome !== 'error') || !saidNothing) return null
  const ending = outcome === 'timeout' ? 'the agent ran into its timeout' : 'the agent ended with an error'
  const check = facts.hintCheck
  const becameTrue =
    hint.kind === 'expression' && check.kind === 'holds' && !facts.heldBefore && wasMeasuredBefore(facts)
  if (becameTrue)
    return {
      verdict: 'verified',
      fault: null,
      reasons: [`${ending} without a report, but what it had to bring about is there`, ...check.reasons],
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
  }
}

function expressionIsFalse(facts: VerdictFacts): RowDecision | null {
  const check = facts.hintCheck
  return check.kind === 'refuted' ? { verdict: 'not_verified', fault: 'agent', reasons: check.reasons } : null
}

function gateFailed({ input }: VerdictFacts): RowDecision | null {
  const failed = input.gates.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return null
  return {
    verdict: 'not_verified',
    fault: 'agent',
    reasons: failed.map(
      ({ command, exitCode, detail }) =>
        `the gate \`${command.join(' ')}\` failed${exitCode === null ? '' : ` with exit code ${exitCode}`}: ${detail}`,
    ),
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

function hintHolds(facts: VerdictFacts): RowDecision | null {
  const check = facts.hintCheck
  if (check.kind !== 'holds') return null
  const reasons = facts.heldBefore
    ? [...check.reasons, 'this already held before the attempt']
    : check.reasons
  return { verdict: 'verified', fault: null, reasons }
}

function completionIsFalse({ falseCompletion }: VerdictFacts): RowDecision | null {
  if (!falseCompletion) return null
  return {
    verdict: 'not_verified',
    fault: 'agent',
    reasons: ['claimed completion, but no file was written, no state changed and nothing measured moved'],
  }
}

function judgeAnswered({ input }: VerdictFacts): RowDecision | null {
  if (input.hint.kind !== 'words' || input.judge?.kind !== 'answer') return null
  const { verdict, reason } = input.judge
  return {
    verdict,
    fault: verdict === 'verified' ? null : 'agent',
    reasons: [`the judge says ${verdict.replace('_', ' ')}: ${reason}`],
  }
}

function evidenceIsConfirmed({ input }: VerdictFacts): RowDecision | null {
  if (input.hint.kind !== 'words' || !claimsCompletion(input.claim)) return null
  const evidence = confirmedEvidence(input)
  if (evidence.length === 0) return null
  return {
    verdict: 'verified',
    fault: null,
    reasons: [`the snapshot confirms what the agent named: ${evidence.slice(0, 10).join(', ')}`],
  }
}

function nothingCanBeConfirmed(facts: VerdictFacts): RowDecision {
  const { input } = facts
  const check = facts.hintCheck
  const judge = input.hint.kind === 'words' && input.judge?.kind === 'unavailable' ? input.judge : null
  const unmeasurable = input.fileClaims.filter(({ finding }) => finding === 'unmeasurable')
  return {
    verdict: 'unclear',
    fault: judge === null ? 'agent' : 'environment',
    reasons: [
      check.kind === 'unclaimed'
        ? check.reason
        : `nothing can be confirmed or refuted: \`${input.hint.source}\` measures nothing, and no evidence that the snapshot confirms was given`,
      ...(judge === null ? [] : [`the judge could not answer: ${judge.reason}`]),
      ...unmeasurable.map(({ path, reason }) => `${path} cannot be measured: ${reason ?? 'no reason given'}`),
    ],
    remedy: judge === null ? null : 'Check [judge] in pulseward.toml.',
  }
}

function contradiction(reasons: readonly string[]): RowDecision {
  return { verdict: 'not_verified', contradiction: true, fault: 'agent', reasons }
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
    ? 'this already held before the attempt'
    : 'whether this held before the attempt is not known'
}
