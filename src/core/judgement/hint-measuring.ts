import type { Claim } from '../claims/types.ts'
import type { Hint } from '../contract/hint.ts'
import type { Policy } from './case.ts'
import { IN_PLACE, type QuestionOf, type Setting } from './questions.ts'

type MeasurementQuestion = QuestionOf<'measurement'>

/** Returns the question that measures a check: the probes that it refers to, and those for which the agent claimed a value.
 */
export function measuring(
  hint: Hint,
  {
    claim = null,
    policy,
    sees = 'no-difference',
    setting = IN_PLACE,
    turn = 1,
  }: {
    readonly claim?: Claim | null
    readonly policy: Pick<Policy, 'probes'>
    readonly sees?: MeasurementQuestion['sees']
    readonly setting?: Setting
    readonly turn?: 1 | 2
  },
): MeasurementQuestion {
  const probes = [...new Set([...hintProbes(hint), ...claimedProbes(claim, policy)])]
  return { kind: 'measurement', hint, probes, sees, setting, turn }
}

/** Returns the names of the probes that a check refers to. */
export function hintProbes(hint: Hint): readonly string[] {
  if (hint.kind === 'expression') return hint.probes
  return hint.kind === 'probe' ? [hint.name] : []
}

/** Omits claims about anything other than a configured probe, because they can't be measured. */
function claimedProbes(claim: Claim | null, { probes }: Pick<Policy, 'probes'>): readonly string[] {
  if (claim === null) return []
  const isProbe = (name: string): boolean => Object.hasOwn(probes, name)
  return Object.keys(claim.values)
    .map((name) => (isProbe(name) ? name : (name.split('.')[0] ?? name)))
    .filter(isProbe)
}

/** Returns where the values of a check's probes come from. */
export function probeSources(
  hint: Hint,
  { probes }: Pick<Policy, 'probes'>,
): readonly Policy['probes'][string]['source'][] {
  return hintProbes(hint).flatMap((name) => (Object.hasOwn(probes, name) ? (probes[name]?.source ?? []) : []))
}

/** Returns whether measuring a check runs a command. */
export function runsCommands(hint: Hint, policy: Pick<Policy, 'probes'>): boolean {
  return (
    probeSources(hint, policy).some(({ kind }) => kind === 'command') ||
    (hint.kind === 'expression' && hint.functions.includes('succeeds'))
  )
}
