import { stableNames } from './stable-names.ts'

/*
 * The content of a test runner's report, counted from its cases. Summaries are ignored, because anyone who writes a file can
 * write any summary above any cases.
 */

/**
 * The report formats that a probe's `parse` may name. The value says which stream a runner prints it on, or `file` if it only
 * writes a file.
 */
const FORMATS = {
  vitest: 'file',
  jest: 'file',
  junit: 'file',
  tap: 'stdout',
  pytest: 'file',
  unittest: 'stderr',
  'go-test': 'stdout',
  nextest: 'file',
  'cargo-test': 'stdout',
  prove: 'stdout',
  minitest: 'stdout',
  rspec: 'file',
  exunit: 'stdout',
  trx: 'file',
} as const satisfies Record<string, 'stdout' | 'stderr' | 'file'>

export type ReportFormat = keyof typeof FORMATS
export const REPORT_FORMATS = Object.keys(FORMATS) as [ReportFormat, ...ReportFormat[]]

/** Returns whether a report of this format may be read from the runner's output. */
export function isStreamed(format: ReportFormat): boolean {
  return FORMATS[format] !== 'file'
}

/** Returns the stream on which a runner prints a report of this format. */
export function streamOf(format: ReportFormat): 'stdout' | 'stderr' {
  return FORMATS[format] === 'stderr' ? 'stderr' : 'stdout'
}

export function isReportFormat(parse: string): parse is ReportFormat {
  return Object.hasOwn(FORMATS, parse)
}

export type TestStatus = 'passed' | 'failed' | 'skipped'

/** One test as named in the report. */
export interface TestCase {
  readonly name: string
  readonly status: TestStatus
}

/** Test names by result, each list sorted and without duplicates. */
export type TestNames = Readonly<Record<TestStatus, readonly string[]>>

export interface TestReport {
  readonly passed: number
  /** Includes one for each way in which the run as a whole failed: nothing executed, an exit code other than 0. */
  readonly failed: number
  readonly skipped: number
  /** Tests that ran: passed, or failed by themselves. */
  readonly executed: number
  readonly total: number
  readonly names: TestNames
  /** True if the lists contain only the first names, in order; nothing is known about later ones. */
  readonly areNamesCut: boolean
  /** The later names that were executed, for the judgement of this run; never stored. Omitted if none, or not known. */
  readonly executedLater?: readonly string[]
}

/** Leaves out of JSON the fields that are never stored; a `JSON.stringify` replacer. */
export function asStored(key: string, value: unknown): unknown {
  return key === 'executedLater' ? undefined : value
}

/** A parsed report, or why it was rejected, in words. */
export type ReportReading = { readonly ok: true; readonly report: TestReport } | RejectedReport

export interface RejectedReport {
  readonly ok: false
  readonly reason: string
  /** No report exists at all, as opposed to a truncated or broken one. */
  readonly isNothing?: true
  /** The run says that all of its tests passed, and names none of them: its runner was not asked to. */
  readonly isUnnamed?: true
}

/** A thousand times the size of a large project's report. */
export const MAX_REPORT_BYTES = 32 * 1024 * 1024
/** A file with more is not a test report. */
const MAX_CASES = 500_000
/** How many names are stored, so that lost tests can be named later. */
const MAX_NAMES = 20_000
const MAX_NAME_LENGTH = 300

/** Names for a file, package or suite that failed before any of its tests; the names of its tests are then unknown. */
export const OF_A_WHOLE = {
  file: '(the file itself)',
  package: '(the package itself)',
  suite: '(the suite itself)',
  collection: '(collection)',
} as const
const WHOLES: ReadonlySet<string> = new Set(Object.values(OF_A_WHOLE))

/** Returns whether a name is not a test: it stands for the run (`(exit code 1)`), or for a file that could not be loaded. */
export function isOfAWhole(name: string): boolean {
  return /^\(.*\)$/.test(name) || isNotLoaded(name)
}

/** Returns whether tests of this name's file or run could not be built or loaded, so that none of them is known by name. */
export function isNotLoaded(name: string): boolean {
  return isBeforeAnyTest(name) || WHOLES.has(name.split(' > ').at(-1) ?? '')
}

/** Returns a report without the failure that stands for its run's exit code. */
export function withoutExitCode(report: TestReport): TestReport {
  const { names } = report
  const failed = names.failed.filter((name) => !/^\(exit code \d+\)$/.test(name))
  const left = names.failed.length - failed.length
  return { ...report, failed: report.failed - left, total: report.total - left, names: { ...names, failed } }
}

/**
 * Returns the report of a runner that started, exited with a code other than 0, and wrote none: it did not build, or failed to
 * load.
 */
export function reportOfNone(exitCode: number): TestReport {
  const names = { passed: [], failed: [], skipped: [] }
  const empty = { passed: 0, failed: 0, skipped: 0, executed: 0, total: 0, names, areNamesCut: false }
  return withFailure(empty, `(exit code ${exitCode}, before any test was reported)`)
}

/** The name for the run as a whole if it fails and none of its tests do. */
export const NOTHING_EXECUTED = '(no test was executed)'

/**
 * Builds the report of these cases. A run that executed nothing fails and gets one failed name for that. Cases with the same
 * name all count, and the name has the worst of their results.
 */
export function reportOf(cases: readonly TestCase[]): ReportReading {
  if (cases.length > MAX_CASES)
    return { ok: false, reason: `it has more than ${MAX_CASES} cases, which no test run has` }
  const report = count(cases)
  return { ok: true, report: report.executed === 0 ? withFailure(report, NOTHING_EXECUTED) : report }
}

function count(cases: readonly TestCase[]): TestReport {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const statuses = new Map<string, TestStatus>()
  const stable = stableNames(cases.map(({ name }) => name))
  for (const { name, status } of cases) {
    counts[status] += 1
    const short = shorten(stable.get(name) ?? name)
    statuses.set(short, worse(statuses.get(short), status))
  }
  const sorted = [...statuses].sort(([one], [other]) => (one < other ? -1 : 1))
  const kept = sorted.slice(0, MAX_NAMES)
  const later = sorted.slice(MAX_NAMES)
  const named = (status: TestStatus): string[] =>
    kept.filter(([, its]) => its === status).map(([name]) => name)
  return {
    ...counts,
    executed: counts.passed + counts.failed,
    total: cases.length,
    names: { passed: named('passed'), failed: named('failed'), skipped: named('skipped') },
    areNamesCut: later.length > 0,
    ...(later.length > 0 && {
      executedLater: later.flatMap(([name, its]) => (its === 'skipped' || isOfAWhole(name) ? [] : [name])),
    }),
  }
}

const BADNESS: Readonly<Record<TestStatus, number>> = { skipped: 0, passed: 1, failed: 2 }

function worse(one: TestStatus | undefined, other: TestStatus): TestStatus {
  return one !== undefined && BADNESS[one] > BADNESS[other] ? one : other
}

/** Long names keep their start and end, so that two that differ only at the end stay distinct. */
function shorten(name: string): string {
  const plain = name.replace(/\s+/g, ' ').trim()
  if (plain.length <= MAX_NAME_LENGTH) return plain
  return `${plain.slice(0, MAX_NAME_LENGTH / 2)}…${plain.slice(-MAX_NAME_LENGTH / 2)}`
}

/** Returns the report with one more failure, of the run as a whole; it doesn't count as an executed test. */
export function withFailure(report: TestReport, name: string): TestReport {
  return {
    ...report,
    failed: report.failed + 1,
    total: report.total + 1,
    names: { ...report.names, failed: [...report.names.failed, name] },
  }
}

/** Returns the report combined with the exit code of its run: both must be successful. */
export function withExitCode(report: TestReport, exitCode: number | null): TestReport {
  if (exitCode === 0 || report.failed > 0) return report
  return withFailure(report, exitCode === null ? '(ended by a signal)' : `(exit code ${exitCode})`)
}

/** Returns the part of a report that an expression sees: `tests.passed == tests.total`. */
export function valueOfReport({ passed, failed, skipped, executed, total }: TestReport): {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly executed: number
  readonly total: number
} {
  return { passed, failed, skipped, executed, total }
}

export function isBeforeAnyTest(name: string): boolean {
  return name.endsWith('before any test was reported)')
}

/** Describes a run in which no test was executed, including whether it was built and loaded, if that is known. */
function describeNothing(failed: readonly string[]): string {
  const before = failed.find(isBeforeAnyTest)
  if (before !== undefined) {
    const code = /exit code \d+/.exec(before)?.[0] ?? 'a signal'
    return `the run ended before any test was reported: it did not build or could not be loaded (${code})`
  }
  const wholes = failed.filter((name) => WHOLES.has(name.split(' > ').at(-1) ?? ''))
  if (wholes.length === 0) return 'no test was executed'
  return `no test was executed: these could not be built or loaded: ${shownOf(wholes)}`
}

function shownOf(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
  return `${names.slice(0, 5).join(', ')}${more}`
}

/** Returns one line for people: "2 of 14 tests failed: a, b". At most five names. */
export function describeReport(report: TestReport): string {
  const { failed, passed, skipped, executed, total, names } = report
  if (failed === 0)
    return `${passed} ${passed === 1 ? 'test' : 'tests'} passed${skipped > 0 ? `, ${skipped} ${skipped === 1 ? 'was' : 'were'} skipped` : ''}`
  if (executed === 0) return describeNothing(names.failed)
  return `${failed} of ${total} tests failed: ${shownOf(names.failed)}`
}
