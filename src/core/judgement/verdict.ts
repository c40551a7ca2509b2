import { compareClaims } from '../verification/comparisons.ts'
import type { VerdictDecision, VerdictInput } from '../verification/types.ts'
import { asIfNoneLacked, lackingChecks, sayLacking } from './lacking-checks.ts'
import { findFacts, type RowDecision, type VerdictFacts } from './verdict-facts.ts'
import { VERDICT_ROWS } from './verdict-rows.ts'

const MAX_REASONS = 20

/**
 * Returns the verdict on one attempt. Work that passes, but that git can't store, is unclear: nothing of it lands, so the task would be
 * done and paid again at each heartbeat. Pure; never throws.
 */
export function decideVerdict(input: VerdictInput): VerdictDecision {
  const decision = decideUnlessLacking(input)
  const { unstorable } = input.difference
  if (unstorable === undefined || decision.verdict !== 'verified') return decision
  const reason = `git can't store the files that it left, so nothing of it can land: ${unstorable}`
  return {
    ...decision,
    verdict: 'unclear',
    fault: 'environment',
    reasons: boundReasons([reason, ...decision.reasons]),
    findings: [reason],
    remedy:
      'The next attempt is told what git says. If it is not about its files, make room on the disk or repair the repository.',
  }
}

/**
 * Returns the verdict. A check that fails only because variables were withheld, as it did before any work, proves nothing:
 * the attempt is judged as if it had passed, but can't be verified by it.
 */
function decideUnlessLacking(input: VerdictInput): VerdictDecision {
  const decision = decideByTable(input)
  const lacking = lackingChecks(input)
  const isBlamed = decision.verdict === 'not_verified' && !decision.groundTruthContradiction
  if (lacking.length === 0 || !isBlamed) return decision
  const otherwise = decideByTable(asIfNoneLacked(input))
  const reasons = lacking.map(sayLacking)
  switch (otherwise.verdict) {
    case 'verified':
      return {
        ...decision,
        verdict: 'unclear',
        fault: 'environment',
        reasons: boundReasons(reasons),
        findings: [],
        falseCompletion: false,
        remedy: [...new Set(lacking.map(({ remedy }) => remedy))].join(' '),
      }
    case 'unclear':
      return { ...otherwise, reasons: boundReasons([...otherwise.reasons, ...reasons]) }
    default:
      return otherwise
  }
}

/**
 * Returns the verdict of the first row that applies in the verdict table (`verdict-rows.ts`, in order).
 *
 * The verdict is null if there is none (the environment stopped the agent; an optional task skipped). Only `not_verified` comes
 * with a contradiction. `falseCompletion` is set whichever row decided, unless the attempt was verified (the check proves the
 * claim, so nothing about it is false) or not judged.
 */
function decideByTable(input: VerdictInput): VerdictDecision {
  const facts = findFacts(input)
  const decision = firstDecision(facts)
  const isRefuted = decision.verdict === 'not_verified' || decision.verdict === 'unclear'
  const falseCompletion = facts.falseCompletion && isRefuted
  return {
    verdict: decision.verdict,
    groundTruthContradiction: decision.contradiction ?? false,
    skipped: decision.skipped ?? false,
    fault: decision.fault,
    reasons: boundReasons(decision.reasons),
    findings: boundReasons(decision.findings ?? []),
    scoresNothing: decision.scoresNothing ?? false,
    comparisons: compareClaims(input, facts.values, falseCompletion),
    heldBefore: facts.heldBefore || decision.heldBefore === true,
    falseCompletion,
    remedy: decision.remedy ?? null,
  }
}

function firstDecision(facts: VerdictFacts): RowDecision {
  for (const row of VERDICT_ROWS) {
    const decision = row(facts)
    if (decision !== null) return decision
  }
  throw new Error('The last row of the verdict table applies always')
}

function boundReasons(reasons: readonly string[]): readonly string[] {
  if (reasons.length <= MAX_REASONS) return reasons
  const kept = MAX_REASONS - 1
  return [...reasons.slice(0, kept), `and ${reasons.length - kept} more findings of the kind`]
}
