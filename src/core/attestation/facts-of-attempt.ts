import type { AttemptResult } from '../record/events.ts'
import type { AttemptSummary } from '../record/state.ts'
import type { FactualCheck, VerdictFacts } from './facts.ts'

/** What the caller knows about an attempt in addition to its result. */
export interface AttemptSurroundings {
  readonly verifier: VerdictFacts['verifier']
  readonly subject: VerdictFacts['subject']
  /** Whether the operator accepted this tree when it was held, although the attempt itself was verified. */
  readonly isAccepted: boolean
  readonly policies: VerdictFacts['policies']
  readonly record: NonNullable<VerdictFacts['record']>
  readonly taskSha256: string
  readonly nowIso: string
}

/** Returns what is attested about an attempt; `null` if it has no verdict, so there is nothing to attest. */
export function factsOfAttempt(
  result: AttemptResult,
  summary: Pick<AttemptSummary, 'verdict' | 'groundTruthContradiction' | 'overruled' | 'review'> | undefined,
  { verifier, subject, isAccepted, policies, record, taskSha256, nowIso }: AttemptSurroundings,
): VerdictFacts | null {
  const measuredVerdict = result.verdict
  if (measuredVerdict === null) return null
  const answer = summary?.review?.answer ?? null
  const isOperators = isAccepted || (summary?.overruled ?? null) !== null || answer !== null
  return {
    source: 'heartbeat',
    verifier,
    timeCreated: nowIso,
    subject,
    base: null,
    verdict: summary?.verdict ?? measuredVerdict,
    measuredVerdict,
    decidedBy: isOperators ? 'operator' : 'measurement',
    contradiction: summary?.groundTruthContradiction ?? result.groundTruthContradiction,
    fault: result.fault,
    held:
      result.held === null || isOperators ? null : { because: result.held.because, files: result.held.files },
    reasons: result.reasons,
    claims: result.comparisons
      .filter(({ claimed }) => claimed !== null)
      .map(({ subject: about, claimed, measured, agrees }) => ({
        text: null,
        subject: about,
        claimed,
        measured,
        equal: agrees,
      })),
    checks: checksOf(result),
    // The number of lost tests is unknown: an attempt records only whether it lost any.
    testsLost: null,
    task: { id: result.taskId, sha256: taskSha256 },
    policies,
    record,
  }
}

/** Returns the task's check, if it measured something, and the gates that returned a result. */
function checksOf({ verify, verdict, comparisons, answered }: AttemptResult): readonly FactualCheck[] {
  const isVerified = verdict === 'verified'
  const check = comparisons.find(
    ({ subject, isHint, measured }) => measured !== null && (isHint === true || subject === verify),
  )
  const gates = answered.filter((name) => name.startsWith('gate '))
  return [
    ...(check === undefined
      ? []
      : [{ name: `check ${verify}`, passed: isVerified ? true : check.agrees === false ? false : null }]),
    // Every gate passed if the verdict is verified. Otherwise the attempt doesn't say which one failed.
    ...gates.map((name) => ({ name, passed: isVerified ? true : null })),
  ]
}
