/*
 * What a test runner's report says, counted from its cases. A summary is never asked: whoever writes a file can write any
 * summary above any cases.
 */

/** The forms of report that are read, `parse` of a probe; and where a runner prints one, `file` where it only writes one. */
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

/** Whether a report of this form may be taken from what the runner prints. */
export function isStreamed(format: ReportFormat): boolean {
  return FORMATS[format] !== 'file'
}

/** The stream on which a runner prints a report of this form. */
export function streamOf(format: ReportFormat): 'stdout' | 'stderr' {
  return FORMATS[format] === 'stderr' ? 'stderr' : 'stdout'
}

export function isReportFormat(parse: string): parse is ReportFormat {
  return Object.hasOwn(FORMATS, parse)
}

export type TestStatus = 'passed' | 'failed' | 'skipped'

/** One test as the report names it. */
export interface TestCase {
  readonly name: string
  readonly status: TestStatus
}

/** Test names by what became of them, each list sorted and without repetition. */
export type TestNames = Readonly<Record<TestStatus, readonly string[]>>

export interface TestReport {
  readonly passed: number
  /** Includes one for each way in which the run as a whole was red: nothing executed, an exit code other than 0. */
  readonly failed: number
  readonly skipped: number
  /** Tests that ran: passed, and failed by themselves. */
  readonly executed: number
  readonly total: number
  readonly names: TestNames
  /** The names are the first of a longer list, in order: of those after the last one nothing is known. */
  readonly areNamesCut: boolean
}

/** A report read, or why it was refused, in words. */
export type ReportReading =
  | { readonly ok: true; readonly report: TestReport }
  /** `isNothing`: there is no report, where one that is cut off or broken would be one. */
  | { readonly ok: false; readonly reason: string; readonly isNothing?: true }

/** A report of this size is a thousand times that of a large project's. */
export const MAX_REPORT_BYTES = 32 * 1024 * 1024
/** Beyond it a file is no test report. */
const MAX_CASES = 500_000
/** Kept of the names, for what was lost to be told later. */
const MAX_NAMES = 20_000
const MAX_NAME_LENGTH = 300

/** What a file, package or suite is called that was red before any test of its own: the names of its tests are not known then. */
export const OF_A_WHOLE = {
  file: '(the file itself)',
  package: '(the package itself)',
  suite: '(the suite itself)',
  collection: '(collection)',
} as const
const WHOLES: ReadonlySet<string> = new Set(Object.values(OF_A_WHOLE))

/** Whether a name stands for no test: for the run (`(exit code 1)`), or for a file that could not be loaded. */
export function isOfAWhole(name: string): boolean {
  return /^\(.*\)$/.test(name) || WHOLES.has(name.split(' > ').at(-1) ?? '')
}

/** The report of a runner that started, ended with an exit code other than 0, and wrote none: it did not build, or failed to load. */
export function reportOfNone(exitCode: number): TestReport {
  const names = { passed: [], failed: [], skipped: [] }
  const empty = { passed: 0, failed: 0, skipped: 0, executed: 0, total: 0, names, areNamesCut: false }
  return withFailure(empty, `(exit code ${exitCode}, before any test was reported)`)
}

/** What the run as a whole is called where it is red and no test of it is. */
export const NOTHING_EXECUTED = '(no test was executed)'

/**
 * The report that cases make. A run in which nothing was executed is red: it gets one failed name of its own. Of several cases
 * with one name all count, and the name stands for the worst of them.
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
  for (const { name, status } of cases) {
    counts[status] += 1
    const short = shorten(name)
    statuses.set(short, worse(statuses.get(short), status))
  }
  const sorted = [...statuses].sort(([one], [other]) => (one < other ? -1 : 1))
  const kept = sorted.slice(0, MAX_NAMES)
  const named = (status: TestStatus): string[] =>
    kept.filter(([, its]) => its === status).map(([name]) => name)
  return {
    ...counts,
    executed: counts.passed + counts.failed,
    total: cases.length,
    names: { passed: named('passed'), failed: named('failed'), skipped: named('skipped') },
    areNamesCut: kept.length < sorted.length,
  }
}

const BADNESS: Readonly<Record<TestStatus, number>> = { skipped: 0, passed: 1, failed: 2 }

function worse(one: TestStatus | undefined, other: TestStatus): TestStatus {
  return one !== undefined && BADNESS[one] > BADNESS[other] ? one : other
}

/** Long names keep start and end, so that two that differ only at their end stay two. */
function shorten(name: string): string {
  const plain = name.replace(/\s+/g, ' ').trim()
  if (plain.length <= MAX_NAME_LENGTH) return plain
  return `${plain.slice(0, MAX_NAME_LENGTH / 2)}…${plain.slice(-MAX_NAME_LENGTH / 2)}`
}

/** The report with one failure more, of the run as a whole; it was not executed as a test. */
export function withFailure(report: TestReport, name: string): TestReport {
  return {
    ...report,
    failed: report.failed + 1,
    total: report.total + 1,
    names: { ...report.names, failed: [...report.names.failed, name] },
  }
}

/** The report together with the exit code of the run that wrote it: both must be green. */
export function withExitCode(report: TestReport, exitCode: number | null): TestReport {
  if (exitCode === 0 || report.failed > 0) return report
  return withFailure(report, exitCode === null ? '(ended by a signal)' : `(exit code ${exitCode})`)
}

/** What an expression sees of a report: `tests.passed == tests.total`. */
export function valueOfReport({ passed, failed, skipped, executed, total }: TestReport): {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly executed: number
  readonly total: number
} {
  return { passed, failed, skipped, executed, total }
}

function isBeforeAnyTest(name: string): boolean {
  return name.endsWith('before any test was reported)')
}

/** A run in which no test was executed: whether it was built and loaded is said where that is known. */
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

/** One line for people: "2 of 14 tests failed: a, b". At most five names. */
export function describeReport(report: TestReport): string {
  const { failed, passed, skipped, executed, total, names } = report
  if (failed === 0) return `${passed} tests passed${skipped > 0 ? `, ${skipped} were skipped` : ''}`
  if (executed === 0) return describeNothing(names.failed)
  return `${failed} of ${total} tests failed: ${shownOf(names.failed)}`
}
