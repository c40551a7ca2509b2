import { afterGreen } from '../reports/after-green.ts'
import {
  type KnownByCheck,
  NOTHING_KNOWN,
  namesToExecute,
  runOf,
  type TestsRun,
} from '../reports/known-tests.ts'
import { isRedAsInBase } from '../reports/lost-names.ts'
import type { RenamedTests } from '../reports/only-renamed.ts'
import { type RenamedTest, withoutRenamed } from '../reports/renamed-tests.ts'
import type { TestReport } from '../reports/test-report.ts'
import type { GateResult, Measurement, VerdictInput } from '../verification/types.ts'
import { commandCheck, gateCheck, probeCheck } from './check-names.ts'

/** Test reports by check. */
export type Reports = ReadonlyMap<string, TestReport>
/** Test reports of a baseline by check; `null`: the check ran there but reports no tests. */
export type BaselineReports = ReadonlyMap<string, TestReport | null>

/** What was measured for a task, and its gates. */
export interface Reported extends Pick<VerdictInput, 'after' | 'gates'> {
  readonly criteria?: readonly { readonly after: Measurement }[]
}

/** Returns the gates, marking those with exactly the failures that the baseline has. */
export function markRedAsInBaseline(
  gates: readonly GateResult[],
  known: BaselineReports,
): readonly GateResult[] {
  return gates.map((gate) => {
    const base = known.get(gateCheck(gate.command))
    const isSame = gate.report !== undefined && base != null && isRedAsInBase(base, gate.report)
    return isSame ? { ...gate, redAsInBase: true } : gate
  })
}

/** Returns what is known about the baseline's tests, or about the tests right before the work if the baseline is unknown. */
export function knownReports(known: BaselineReports, before: readonly (Measurement | null)[] = []): Reports {
  const reported = [...known].flatMap(([check, report]): [string, TestReport][] =>
    report === null ? [] : [[check, report]],
  )
  return new Map([...reportsOf(before), ...reported])
}

/** Remembered tests: those of the baseline, and of verified work since. */
export interface RememberedTests {
  readonly base: Reports
  readonly known: KnownByCheck
}

/** Returns the test names that every run of a check must execute; empty if its tests are not known. */
export function namesOf({ base, known }: RememberedTests, check: string): readonly string[] {
  return namesToExecute(base.get(check), known.get(check) ?? NOTHING_KNOWN)
}

/** Returns, for each check with a report, what it executed and which known names it did not. */
export function testRuns(remembered: RememberedTests, input: Reported): ReadonlyMap<string, TestsRun> {
  return new Map(
    [...reportsOfInput(input)].map(([check, now]) => [check, runOf(namesOf(remembered, check), now)]),
  )
}

/** Returns the known names that these runs did not execute, without duplicates. */
export function lostIn(runs: ReadonlyMap<string, TestsRun>): readonly string[] {
  return [...new Set([...runs.values()].flatMap(({ lost }) => lost))]
}

/** Returns each check that lost names, and whether all of these pass in the given reports; without reports they are assumed to. */
export function renamedIn(
  remembered: RememberedTests,
  runs: ReadonlyMap<string, TestsRun>,
  reports?: Reports,
): readonly RenamedTests[] {
  return [...runs].flatMap(([check, { executed, lost }]): RenamedTests[] => {
    if (lost.length === 0) return []
    const passed = new Set(reports?.get(check)?.names.passed)
    return [
      {
        executed: executed.length,
        required: namesOf(remembered, check).length,
        isFormerGreen: reports === undefined || lost.every((name) => passed.has(name)),
      },
    ]
  })
}

/** Returns whether every lost test was executed under its new name. */
export function areExecutedRenamed(
  remembered: RememberedTests,
  runs: ReadonlyMap<string, TestsRun>,
  renamed: readonly RenamedTest[],
): boolean {
  return [...runs].every(([check, { executed, lost }]) => {
    const former = new Set(namesOf(remembered, check))
    const added = executed.filter((name) => !former.has(name))
    return withoutRenamed(lost, added, renamed).length === 0
  })
}

/** Returns the baseline reports that must change because a failure there passes now. */
export function turnedGreen(known: BaselineReports, input: Reported): Reports {
  return new Map(
    [...reportsOfInput(input)].flatMap(([check, { failed }]): [string, TestReport][] => {
      const base = known.get(check)
      return failed === 0 && base != null && base.failed > 0 ? [[check, afterGreen(base)]] : []
    }),
  )
}

/** Returns the reports of everything measured, gates included, by check. */
export function reportsOfInput({ after, criteria = [], gates }: Reported): Reports {
  const ofGates = gates.flatMap(({ command, report }): [string, TestReport][] =>
    report === undefined ? [] : [[gateCheck(command), report]],
  )
  return new Map([...reportsOf([after, ...criteria.map((one) => one.after)]), ...ofGates])
}

/** Returns the test reports among these measurements, by check. */
export function reportsOf(measurements: readonly (Measurement | null)[]): Reports {
  const reports = new Map<string, TestReport>()
  for (const measurement of measurements) {
    for (const reading of measurement?.probes ?? [])
      if (reading.kind === 'value' && reading.report !== undefined)
        reports.set(probeCheck(reading.name), reading.report)
    const expression = measurement?.expression
    if (expression?.kind === 'value')
      for (const [command, report] of Object.entries(expression.reports ?? {}))
        reports.set(commandCheck(command), report)
  }
  return reports
}
