import type { Hint } from '../contract/hint.ts'
import { passesAllOf } from '../reports/lost-names.ts'
import type { CriterionInput, Measurement, ProbeReading, VerdictInput } from '../verification/types.ts'
import { type Asking, ask } from './asking.ts'
import { markRedAsInBaseline, type Reports, reportsOfInput } from './baseline-reports.ts'
import type { WorkCase } from './case.ts'
import { probeCheck } from './check-names.ts'
import { measuring } from './hint-measuring.ts'
import type { Setting } from './questions.ts'
import { decideVerdict } from './verdict.ts'

/**
 * Returns the same measurements with commands run in the clean room, and everything else unchanged. A test report's counts are also
 * unchanged if the room's run passed all of the baseline's tests, because the room leaves out new tests, which may be what the task asks
 * for.
 */
export function* measureIn(
  subject: WorkCase,
  setting: Setting,
  input: VerdictInput,
  base: Reports,
): Asking<{ readonly input: VerdictInput; readonly reports: Reports }> {
  const own = yield* lookIn(subject, setting, input, input, base)
  const { counted: after } = own
  const criteria: CriterionInput[] = []
  const raw: { readonly after: Measurement }[] = []
  for (const criterion of input.criteria ?? []) {
    const look = yield* lookIn(subject, setting, input, criterion, base)
    criteria.push({ ...criterion, after: look.counted })
    raw.push({ after: look.measured })
  }
  const measured = { ...input, after, criteria, again: [], gates: [] }
  // Gates may not have run in place, because the agent's version of the check had refused the work.
  const isOpen =
    subject.policy.gates.commands.length > 0 && decideVerdict(measured).verdict !== 'not_verified'
  const gates = isOpen ? yield* ask({ kind: 'gates', setting, turn: 1 }) : []
  return {
    input: { ...measured, gates: markRedAsInBaseline(gates, base) },
    reports: reportsOfInput({ after: own.measured, criteria: raw, gates }),
  }
}

function* lookIn(
  { policy }: WorkCase,
  setting: Setting,
  { claim }: VerdictInput,
  { hint, after }: { readonly hint: Hint; readonly after: Measurement },
  base: Reports,
): Asking<{ readonly measured: Measurement; readonly counted: Measurement }> {
  const measured = yield* ask(measuring(hint, { claim, policy, sees: 'the-difference', setting }))
  const probes = measured.probes.map((reading) => countedInPlace(reading, after.probes, base))
  const isSame = probes.every((reading, at) => reading === measured.probes[at])
  if (isSame || hint.kind !== 'expression') return { measured, counted: { ...measured, probes } }
  const expression = yield* ask({ kind: 'evaluation', hint, readings: probes, setting })
  return { measured, counted: { probes, expression } }
}

function countedInPlace(inRoom: ProbeReading, inPlace: readonly ProbeReading[], base: Reports): ProbeReading {
  const known = base.get(probeCheck(inRoom.name))
  if (inRoom.kind !== 'value' || inRoom.report === undefined || known === undefined) return inRoom
  const there = inPlace.find(({ name }) => name === inRoom.name)
  const isCounted = there?.kind === 'value' && there.report !== undefined
  return isCounted && passesAllOf(known, inRoom.report) ? there : inRoom
}
