import { quoteCriterion } from '../contract/quote-criterion.ts'
import { findClaimedValues, type ValueFinding } from './comparisons.ts'
import { confirmedEvidence } from './evidence.ts'
import { checkHint, type HintCheck } from './hint-checks.ts'
import type { CriterionInput, VerdictInput } from './types.ts'

/**
 * Returns the combined result of the task's own check and those of its criteria: refuted if one of them is, uncheckable if one can't be
 * checked, and otherwise the result of the task's own. A criterion in words adds nothing to what was measured; one that names no probe may
 * be a typo, and passes only by evidence. Reasons and findings name the criteria that fail. Pure; never throws.
 */
export function checkWithCriteria(input: VerdictInput, values: readonly ValueFinding[]): HintCheck {
  const { hint, after, difference, criteria = [] } = input
  const own = checkHint(hint, after, values, difference)
  const others = criteria.map((criterion) =>
    named(criterion.text, checkHint(criterion.hint, criterion.after, values, difference)),
  )
  const all = [own, ...others]
  const refuted = all.filter((check) => check.kind === 'refuted')
  if (refuted.length > 0)
    return {
      kind: 'refuted',
      reasons: refuted.flatMap(({ reasons }) => reasons),
      findings: refuted.flatMap(({ findings }) => findings),
    }
  const open = all.find(({ kind }) => kind === 'uncheckable') ?? all.find(({ kind }) => kind === 'unclaimed')
  if (open !== undefined) return open
  if (own.kind !== 'holds') return own
  const undefinedOne = criteria.find((_, index) => {
    const check = others[index]
    return check?.kind === 'none' && check.undefinedProbe !== null
  })
  if (undefinedOne !== undefined && confirmedEvidence(input).length === 0) return unconfirmed(undefinedOne)
  const held = others.flatMap((check) => (check.kind === 'holds' ? check.reasons : []))
  return { ...own, reasons: [...own.reasons, ...held] }
}

function unconfirmed({ text, hint }: CriterionInput): HintCheck {
  return {
    kind: 'uncheckable',
    reason: `criterion ${quoteCriterion(text)}: there is no probe ${hint.source}, and no evidence that the snapshot confirms was given`,
    fault: 'contract',
    remedy: `Define the probe ${hint.source} in pulseward.toml, or correct the check in HEARTBEAT.md.`,
  }
}

/** Returns how many of the criteria with a separate check pass. Pure; never throws. */
export function criteriaHeld(input: VerdictInput): number {
  const values = findClaimedValues(input)
  const { criteria = [], difference } = input
  return criteria.filter(({ hint, after }) => checkHint(hint, after, values, difference).kind === 'holds')
    .length
}

function named(text: string, check: HintCheck): HintCheck {
  const criterion = `criterion ${quoteCriterion(text)}`
  switch (check.kind) {
    case 'holds':
      return { ...check, reasons: [`${criterion}: ${check.reasons.join('; ')}`] }
    case 'refuted':
      return {
        ...check,
        reasons: [`${criterion}: ${check.reasons.join('; ')}`],
        findings: [`the ${criterion}: ${check.findings.join('; ')}`],
      }
    case 'uncheckable':
    case 'unclaimed':
      return { ...check, reason: `${criterion}: ${check.reason}` }
    case 'none':
      return check
  }
}
