import type { TestReport } from '../reports/test-report.ts'
import { changedPaths } from '../verification/difference.ts'
import type {
  ExpressionResult,
  GateResult,
  Measurement,
  PassesWithoutReport,
  ProbeReading,
  VerdictInput,
} from '../verification/types.ts'
import { type Asking, ask, together } from './asking.ts'
import { reportsOfInput } from './baseline-reports.ts'
import type { Policy, WorkCase } from './case.ts'
import { commandCheck, gateCheck, probeCheck } from './check-names.ts'
import { earlierAttempts } from './earlier-answers.ts'
import { hintProbes } from './hint-measuring.ts'
import { IN_PLACE, type Moment, type Setting } from './questions.ts'
import { decideVerdict } from './verdict.ts'

/** A check that was silenced. */
export interface SilencedCheck {
  /** Its name in the record. */
  readonly name: string
  readonly sentence: string
}

/** A check that gave no answer at a second try either. */
interface SilentCheck {
  readonly name: string
  readonly words: string
  readonly reason: string
  /** The probe's name; `null` if it is not a probe. */
  readonly probe: string | null
  /** The command of `succeeds("…")`; omitted if it is not one. */
  readonly command?: string
  /**
   * It passes as the operator wrote it, but a report that it must have had is missing. `null` if it doesn't pass, or needs none.
   */
  readonly lostReport: PassesWithoutReport | null
}

/** The checks that gave no answer at the first try. */
interface Silence {
  readonly probes: readonly string[]
  readonly commands: readonly string[]
  readonly gates: readonly GateResult[]
}

/**
 * Finds checks that were silenced: they fail to answer twice now, but do answer with the files as they were before the work, or
 * before earlier attempts since the task was last verified, if their changes are still there. So the environment is not blamed
 * for what was deleted or broken, and the agent is not blamed for an outage or for what the operator did in between. Custody
 * handles files that a check executes. If the earlier files are unknown, or nothing shows that the check ever answered, no one
 * is accused.
 *
 * `gates`: their results, once they were run; the checks' commands were already asked about by then.
 */
export function* findSilenced(
  subject: WorkCase,
  input: VerdictInput,
  gates?: readonly GateResult[],
): Asking<readonly SilencedCheck[]> {
  const silence: Silence = {
    probes: silentProbes(input),
    commands: gates === undefined ? silentCommands(input) : [],
    gates: (gates ?? []).filter(({ status }) => status === 'unavailable'),
  }
  const { probes, commands, gates: unavailable } = silence
  if (probes.length + commands.length + unavailable.length === 0) return []
  if (decideVerdict({ ...input, gates: gates ?? [] }).verdict !== 'unclear') return []
  if (subject.differences.some(({ executedBy }) => executedBy.length > 0)) return []
  const earlier = earlierAttempts(subject.history, subject.task?.id ?? '')
  const hasChanged = changedPaths(subject.difference).length > 0
  if (!hasChanged && earlier.attemptIds.length === 0) return []
  const before = hasChanged ? yield* ask({ kind: 'files-before', moment: BEFORE_WORK }) : []
  if (before === null) return []
  const answered = answeredBefore(input)
  const recorded = new Set(
    earlier.attemptIds.length === 0 || earlier.sinceSeq === null
      ? []
      : yield* ask({ kind: 'recorded-answers', sinceSeq: earlier.sinceSeq }),
  )
  const isFresh = (probe: string | null): boolean => hasChanged && (probe === null || answered.has(probe))
  const isKnown = (name: string, probe: string | null): boolean =>
    (probe !== null && answered.has(probe)) || recorded.has(name)
  const isAnyKnown =
    probes.some((probe) => isKnown(probeCheck(probe), probe)) ||
    commands.some((command) => isKnown(commandCheck(command), null)) ||
    unavailable.some(({ command }) => isKnown(gateCheck(command), null))
  const { attemptIds } = earlier
  const longAgo: Moment = { kind: 'before-attempts', attemptIds, withWork: hasChanged }
  const longBefore =
    attemptIds.length === 0 || !isAnyKnown ? null : yield* ask({ kind: 'files-before', moment: longAgo })
  // A check with no known earlier answer is not read a second time, because that may take long.
  const mayBeFresh = hasChanged && commands.length + unavailable.length > 0
  if (longBefore === null && !probes.some(isFresh) && !mayBeFresh) return []
  const still = yield* withoutMadeByTests(subject, yield* stillSilent(silence))
  const fresh = still.filter(({ probe }) => isFresh(probe))
  const byNow = yield* answeringBefore(subject, fresh, BEFORE_WORK, before)
  const left = yield* withoutChangedFiles(
    subject,
    still.filter(({ name, probe }) => !byNow.has(name) && isKnown(name, probe)),
  )
  const byEarlier =
    longBefore === null ? new Set() : yield* answeringBefore(subject, left, longAgo, longBefore)
  return still.flatMap(({ name, words, reason }) => {
    const [when, how] = byNow.has(name)
      ? ['the attempt', 'the files']
      : byEarlier.has(name)
        ? ['earlier attempts', 'the files that they changed']
        : []
    if (when === undefined) return []
    const sentence = `${words} answered before ${when} and gives no answer any more (${reason}); with ${how} as they were it does`
    return [{ name, sentence }]
  })
}

export const BEFORE_WORK: Moment = { kind: 'before-work' }

/**
 * Omits checks that pass as the operator wrote them, and that report again with the baseline's tests. In that case a test
 * that reads its process arguments made the runner reject ours, and no source silenced anything.
 */
function* withoutMadeByTests(
  { differences }: WorkCase,
  checks: readonly SilentCheck[],
): Asking<readonly SilentCheck[]> {
  const lost = checks.filter(({ lostReport }) => lostReport !== null)
  if (lost.length === 0 || differences.length === 0) return checks
  const setting: Setting = { room: differences.map(({ path }) => path), earlier: null }
  if ((yield* ask({ kind: 'room', setting })).kind === 'none') return checks
  const answering = new Set(yield* answeringIn(setting, lost))
  return checks.filter(({ name }) => !answering.has(name))
}

/** Omits probes of a file that still exists: a clean room can't tell whether it was readable long ago. */
function* withoutChangedFiles(
  { policy }: WorkCase,
  checks: readonly SilentCheck[],
): Asking<readonly SilentCheck[]> {
  const files = checks.map(({ probe }) => fileOf(policy, probe))
  const paths = files.filter((file) => file !== null)
  if (paths.length === 0) return checks
  const states = yield* ask({ kind: 'file-states', paths })
  const isThere = new Set(paths.filter((_path, at) => states[at]?.kind !== 'absent'))
  return checks.filter((_check, at) => !isThere.has(files[at] ?? ''))
}

function fileOf({ probes }: Pick<Policy, 'probes'>, probe: string | null): string | null {
  const source = probe !== null && Object.hasOwn(probes, probe) ? probes[probe]?.source : undefined
  return source?.kind === 'file' ? source.file : null
}

/**
 * Returns the probes that the task's own checks refer to, that can be read as configured, and that have no value now; excludes probes that
 * were only claimed.
 */
function silentProbes({ hint, after, criteria = [] }: VerdictInput): readonly string[] {
  const names = [{ hint, after }, ...criteria].flatMap((one) => {
    const own = new Set(hintProbes(one.hint))
    return namesOf(one.after, 'unreadable').filter((name) => own.has(name))
  })
  return [...new Set(names)]
}

/** Returns the `succeeds("…")` commands that make the task's own checks impossible to evaluate now. */
function silentCommands({ after, criteria = [] }: VerdictInput): readonly string[] {
  const commands = [{ after }, ...criteria].flatMap(({ after: { expression } }) =>
    expression?.kind === 'error' ? (expression.command ?? []) : [],
  )
  return [...new Set(commands)]
}

/** Returns the task's probes that had a value before the work. */
function answeredBefore({ before, criteria = [] }: VerdictInput): ReadonlySet<string> {
  return new Set([before, ...criteria.map((one) => one.before)].flatMap((one) => namesOf(one, 'value')))
}

function namesOf(measurement: Measurement | null, kind: ProbeReading['kind']): readonly string[] {
  return (measurement?.probes ?? [])
    .filter((reading) => reading.kind === kind && (reading.kind === 'value' || reading.configured))
    .map(({ name }) => name)
}

/**
 * Returns the checks that give no answer at a second try either. Omits those that name a program which is not on this machine: a
 * test that failed before kept them from ever getting to it.
 */
function* stillSilent({ probes, commands, gates }: Silence): Asking<readonly SilentCheck[]> {
  const again = { setting: IN_PLACE, turn: 2 } as const
  const [readings, run, asked] = yield* together([
    whereAny(probes, ask({ kind: 'probes', names: probes, pauseMs: 0, ...again })),
    whereAny(gates, ask({ kind: 'gates', ...again })),
    whereAny(commands, ask({ kind: 'commands', commands, ...again })),
  ])
  const wasSilent = new Set(gates.map(({ command }) => gateCheck(command)))
  return [
    ...readings.flatMap((reading): SilentCheck[] => {
      if (reading.kind === 'value') return []
      const { name, reason, passesWithoutReport: lostReport = null } = reading
      return [{ name: probeCheck(name), words: `the probe ${name}`, reason, probe: name, lostReport }]
    }),
    ...run.flatMap((gate): SilentCheck[] => {
      const { command, status, detail, passesWithoutReport: lostReport = null, lacksProgram } = gate
      const name = gateCheck(command)
      if (status !== 'unavailable' || lacksProgram || !wasSilent.has(name)) return []
      return [{ name, words: `the gate \`${command.join(' ')}\``, reason: detail, probe: null, lostReport }]
    }),
    ...commands.flatMap((command, at): SilentCheck[] => {
      const answer = asked[at]
      if (answer === undefined || answer.kind === 'value' || answer.lacksProgram) return []
      const { reason, passesWithoutReport: lostReport = null } = answer
      const words = `the command \`${command}\``
      return [{ name: commandCheck(command), words, reason, probe: null, command, lostReport }]
    }),
  ]
}

/** Asks only if there is something to ask about. */
function* whereAny<Item>(
  about: readonly unknown[],
  asking: Asking<readonly Item[]>,
): Asking<readonly Item[]> {
  return about.length === 0 ? [] : yield* asking
}

/** Returns the checks that answer with the files from that moment; `written`: the paths known as of then. */
function* answeringBefore(
  { policy, differences }: WorkCase,
  checks: readonly SilentCheck[],
  moment: Moment,
  written: readonly string[],
): Asking<ReadonlySet<string>> {
  if (checks.length === 0) return new Set()
  const kept = new Set(written)
  const isKept = ({ probe }: SilentCheck): boolean => {
    const file = fileOf(policy, probe)
    return file !== null && kept.has(plainPath(file))
  }
  const files = checks.filter(isKept)
  const run = checks.filter((check) => !files.includes(check))
  const found = new Set(files.map(({ name }) => name))
  if (run.length === 0) return found
  const setting: Setting = { room: differences.map(({ path }) => path), earlier: moment }
  const room = yield* ask({ kind: 'room', setting })
  if (room.kind === 'none') return found
  for (const name of yield* answeringIn(setting, run)) found.add(name)
  return found
}

/** Returns a path without `./` in front of it. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}

function* answeringIn(setting: Setting, checks: readonly SilentCheck[]): Asking<readonly string[]> {
  const names = checks.flatMap(({ probe }) => probe ?? [])
  const commands = checks.flatMap(({ command }) => command ?? [])
  const gated = checks.filter(({ probe, command }) => probe === null && command === undefined)
  const there = { setting, turn: 1 } as const
  const readings = yield* whereAny(names, ask({ kind: 'probes', names, pauseMs: 0, ...there }))
  const gates = yield* whereAny(gated, ask({ kind: 'gates', ...there }))
  const asked = yield* whereAny(commands, ask({ kind: 'commands', commands, ...there }))
  const lost = new Map(checks.map(({ name, lostReport }) => [name, lostReport]))
  const reports = reportsOfInput({
    after: { probes: readings, expression: null },
    criteria: asked.map((expression) => ({ after: { probes: [], expression } })),
    gates,
  })
  return [
    ...commands.filter((_command, at) => hasValue(asked[at])).map(commandCheck),
    ...readings.filter(hasValue).map(({ name }) => probeCheck(name)),
    ...gates.filter(({ status }) => status !== 'unavailable').map(({ command }) => gateCheck(command)),
  ].filter((name) => hasReported(reports.get(name), lost.get(name) ?? null))
}

/**
 * Returns whether a run reported what is lost now. A runner that was not asked to name its tests still names those that fail.
 */
function hasReported(report: TestReport | undefined, lost: PassesWithoutReport | null): boolean {
  return lost === null || ((lost === 'unnamed' ? report?.passed : report?.executed) ?? 0) > 0
}

function hasValue(result: ExpressionResult | ProbeReading | undefined): boolean {
  return result?.kind === 'value'
}
