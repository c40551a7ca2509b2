import { newlyFailing } from '../reports/lost-names.ts'
import { type TestReport, valueOfReport } from '../reports/test-report.ts'
import { changedPaths } from '../verification/difference.ts'
import { assumingSuccess } from '../verification/hint-checks.ts'
import type {
  CriterionInput,
  GateResult,
  LackingChecks,
  LackingRun,
  Measurement,
  ProbeReading,
  VerdictInput,
} from '../verification/types.ts'
import { type Asking, ask } from './asking.ts'
import type { WorkCase } from './case.ts'
import { commandCheck, gateCheck, probeCheck } from './check-names.ts'
import { earlierAttempts } from './earlier-answers.ts'
import { hintProbes } from './hint-measuring.ts'
import { lackingCheck } from './lacking-checks.ts'
import { IN_PLACE, type Moment, type Setting } from './questions.ts'
import { decideVerdict } from './verdict.ts'

/** A failed run of a check, with what it reported. */
interface FailedRun extends LackingRun {
  readonly report: TestReport | null
}

/** Failed runs by check name. */
type FailedRuns = ReadonlyMap<string, FailedRun>

/**
 * Finds the task's checks that fail because variables were withheld, and what would be measured if those passed. The run's own output
 * proves nothing, because it runs the agent's code: a check counts only if it failed in the same way with the files from before any agent's
 * work. `undefined`: there are none, or nothing proves it.
 */
export function* findLacking(subject: WorkCase, input: VerdictInput): Asking<LackingChecks | undefined> {
  const { after, criteria = [] } = input
  const failed = failedRuns([ownOf(input), ...criteria.map(ownOf)], [])
  if (failed.size === 0 || decideVerdict(input).verdict !== 'not_verified') return undefined
  const proven = sameInBase(failed, yield* runsInBase(subject, failed))
  if (proven.size === 0) return undefined
  const assumed: CriterionInput[] = []
  for (const one of criteria) assumed.push({ ...one, after: yield* asIfPassed(one, one.after, proven) })
  return {
    checks: [...proven].map(([check, variables]) => lackingCheck(check, variables)),
    after: yield* asIfPassed(input, after, proven),
    criteria: assumed,
  }
}

/** Returns the gates, marking those that failed in the same way, for lack of the same variables, before any work. */
export function* markLacking(subject: WorkCase, gates: readonly GateResult[]): Asking<readonly GateResult[]> {
  const open = gates.filter(({ lacksInBase }) => lacksInBase === undefined)
  const failed = failedRuns([], open)
  if (failed.size === 0) return gates
  const proven = sameInBase(failed, yield* runsInBase(subject, failed))
  return gates.map((gate) => {
    const variables = proven.get(gateCheck(gate.command))
    return variables === undefined ? gate : withLacking(gate, variables)
  })
}

/** Returns a gate as it ran on the work, marked if it failed in the same way in the baseline. */
export function markLackingAsIn(base: GateResult | undefined, gate: GateResult): GateResult {
  const proven = sameInBase(failedRuns([], [gate]), failedRuns([], base === undefined ? [] : [base]))
  const variables = proven.get(gateCheck(gate.command))
  return variables === undefined ? gate : withLacking(gate, variables)
}

/** Removes the mark for failing like the baseline, because missing variables are the reason. */
function withLacking({ redAsInBase: _red, ...gate }: GateResult, variables: readonly string[]): GateResult {
  return { ...gate, lacksInBase: variables }
}

/** The measurement, without probes that were only claimed. */
function ownOf({ hint, after }: Pick<VerdictInput, 'hint' | 'after'>): Measurement {
  const own = new Set(hintProbes(hint))
  return { ...after, probes: after.probes.filter(({ name }) => own.has(name)) }
}

function failedRuns(measured: readonly (Measurement | null)[], gates: readonly GateResult[]): FailedRuns {
  const runs = new Map<string, FailedRun>()
  for (const one of measured) {
    for (const reading of one?.probes ?? [])
      if (reading.kind === 'value' && reading.lacking !== undefined)
        runs.set(probeCheck(reading.name), { ...reading.lacking, report: reading.report ?? null })
    const expression = one?.expression
    if (expression?.kind !== 'value') continue
    for (const [command, run] of Object.entries(expression.lacking ?? {}))
      runs.set(commandCheck(command), { ...run, report: expression.reports?.[command] ?? null })
  }
  for (const { command, status, lacking, report } of gates)
    if (status === 'failed' && lacking !== undefined)
      runs.set(gateCheck(command), { ...lacking, report: report ?? null })
  return runs
}

/** Returns the variables that each check lacked in both runs, if it failed in the same way: with the same exit code and no
 * additional failed test. */
function sameInBase(now: FailedRuns, base: FailedRuns): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...now].flatMap(([check, run]): [string, readonly string[]][] => {
      const before = base.get(check)
      if (before === undefined || before.exitCode !== run.exitCode) return []
      const isSame =
        run.report === null || before.report === null
          ? run.report === before.report
          : newlyFailing(before.report, run.report)?.length === 0
      const variables = run.variables.filter((name) => before.variables.includes(name))
      return isSame && variables.length > 0 ? [[check, variables]] : []
    }),
  )
}

/**
 * Returns how these checks fail with the files from before any agent's unverified work; empty if that is not known. Custody handles check
 * files that differ.
 */
function* runsInBase(subject: WorkCase, failed: FailedRuns): Asking<FailedRuns> {
  const { task, source, differences, history, difference } = subject
  // What the task's checks measured before is the baseline's result. Gates are already marked.
  if (source === 'change' || source === 'session')
    return failedRuns(task === null ? [] : [task.before, ...task.criteria.map((one) => one.before)], [])
  if (differences.some(({ executedBy }) => executedBy.length > 0)) return new Map()
  if ((yield* ask({ kind: 'dependencies' })).length > 0) return new Map()
  const { attemptIds } = earlierAttempts(history, task?.id ?? '')
  const hasChanged = changedPaths(difference).length > 0
  if (!hasChanged && attemptIds.length === 0 && differences.length === 0) return failed
  const moment = yield* beforeAnyWork(subject, attemptIds, hasChanged)
  if (moment === undefined) return new Map()
  const setting: Setting = { room: differences.map(({ path }) => path), earlier: moment }
  if ((yield* ask({ kind: 'room', setting })).kind === 'none') return new Map()
  return yield* runIn(setting, failed)
}

/** Returns `null` if the files are already in that state, `undefined` if their earlier state is unknown. */
function* beforeAnyWork(
  { history: { attempts } }: WorkCase,
  attemptIds: readonly string[],
  withWork: boolean,
): Asking<Moment | null | undefined> {
  const beforeWork: Moment | null = withWork ? { kind: 'before-work' } : null
  if (attemptIds.length > 0) {
    const moment: Moment = { kind: 'before-attempts', attemptIds, withWork }
    if ((yield* ask({ kind: 'files-before', moment })) !== null) return moment
    // None of their changes are left, or that is unknown. An attempt that broke a check was refuted.
    const earlier = attempts.filter(({ attemptId }) => attemptIds.includes(attemptId))
    if (!earlier.every(({ verdict, fault }) => verdict === 'unclear' && fault === 'environment'))
      return undefined
  }
  if (beforeWork === null) return null
  return (yield* ask({ kind: 'files-before', moment: beforeWork })) === null ? undefined : beforeWork
}

function* runIn(setting: Setting, failed: FailedRuns): Asking<FailedRuns> {
  const there = { setting, turn: 1 } as const
  const named = (start: string): readonly string[] =>
    [...failed.keys()].flatMap((check) => (check.startsWith(start) ? [check.slice(start.length)] : []))
  const [names, commands] = [named(probeCheck('')), named(commandCheck(''))]
  const probes = names.length === 0 ? [] : yield* ask({ kind: 'probes', names, pauseMs: 0, ...there })
  const answers = commands.length === 0 ? [] : yield* ask({ kind: 'commands', commands, ...there })
  const isOfGates = names.length + commands.length < failed.size
  const gates = isOfGates ? yield* ask({ kind: 'gates', ...there }) : []
  return failedRuns(
    [{ probes, expression: null }, ...answers.map((expression) => ({ probes: [], expression }))],
    gates,
  )
}

/** Evaluates what would be measured if these checks passed. */
function* asIfPassed(
  { hint }: Pick<VerdictInput, 'hint'>,
  measured: Measurement,
  proven: ReadonlyMap<string, readonly string[]>,
): Asking<Measurement> {
  const { probes, expression } = measured
  if (hint.kind !== 'expression' || expression?.kind !== 'value' || expression.holds) return measured
  const readings = probes.map((reading) => (proven.has(probeCheck(reading.name)) ? passed(reading) : reading))
  const commands = Object.keys(expression.lacking ?? {}).filter((command) =>
    proven.has(commandCheck(command)),
  )
  const source = assumingSuccess(hint.source, new Set(commands))
  const isSame = readings.every((reading, at) => reading === probes[at]) && source === hint.source
  if (isSame) return measured
  const assumed = yield* ask({
    kind: 'evaluation',
    hint: { ...hint, source },
    readings,
    setting: IN_PLACE,
  })
  return { probes: readings, expression: assumed }
}

/** Returns the reading changed to passed if it is an exit code or a test report. Other output of a failed command is not
 * read. */
function passed(reading: ProbeReading): ProbeReading {
  if (reading.kind !== 'value') return reading
  const { report } = reading
  if (report === undefined) return { ...reading, value: 0 }
  const green = { ...report, passed: report.passed + report.failed, failed: 0 }
  return { ...reading, value: valueOfReport(green) }
}
