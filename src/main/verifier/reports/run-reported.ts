import { dirname, join } from 'node:path'
import { isKnownRunner, planReport, type ReportPlan } from '../../../core/reports/report-plan.ts'
import {
  isBeforeAnyTest,
  isStreamed,
  MAX_REPORT_BYTES,
  type ReportFormat,
  reportOfNone,
  streamOf,
  type TestReport,
  withExitCode,
} from '../../../core/reports/test-report.ts'
import type { PassesWithoutReport } from '../../../core/verification/types.ts'
import { realpath } from '../../files/names.ts'
import type { ProcessRun } from '../../process/run-process.ts'
import { type ProgramRequest, runProgram, type VerifierWorld } from '../program.ts'
import { locate, readTextFile } from '../workspace-file.ts'
import {
  createReportFolder,
  type ReportFolder,
  readReportFiles,
  type WrittenReport,
} from './report-folder.ts'
import { listTreeReports, type TreeReports, writtenSince } from './tree-reports.ts'

/** How a command ran, and what its runner reported to us. */
export interface ReportedRun {
  readonly run: ProcessRun
  /** `none`: no report could be requested, or none was written; `reason` says which. */
  readonly reported:
    | { readonly kind: 'report'; readonly report: TestReport }
    | {
        readonly kind: 'none' | 'unreadable'
        readonly reason: string
        readonly passesWithoutReport?: PassesWithoutReport
      }
  /** The runner that was asked for a report; null if none is known. */
  readonly runner: string | null
  /** The report as it was written; omitted if there is none. */
  readonly texts?: readonly string[]
}

/** A package.json with its scripts is never larger. */
const MAX_PACKAGE_BYTES = 1024 * 1024
const PACKAGE_FILE = 'package.json'
const PLACEHOLDER = '{report}'

/**
 * Runs a command with our report if it ends in a known runner, otherwise unchanged. Report and exit code count together: the
 * report fails if the exit code does. Rejects only if a temporary folder can't be created.
 */
export async function runWithReport(
  world: VerifierWorld,
  command: readonly string[],
  request: ProgramRequest,
): Promise<ReportedRun> {
  return inFolder(async (folder) => {
    const plan = planReport(command, { scripts: await scriptsOf(world), reportFile: folder.reportFile })
    if (plan === null) {
      const run = await runProgram(world, command, request)
      return { run, reported: { kind: 'none', reason: 'it is not a known test runner' }, runner: null }
    }
    return runPlan(world, { ...plan, plain: command }, folder, request)
  })
}

/** Returns whether the command ends in a runner that can be asked for a report. */
export async function canReport(world: VerifierWorld, command: readonly string[]): Promise<boolean> {
  return planReport(command, { scripts: await scriptsOf(world), reportFile: 'report' }) !== null
}

/**
 * Runs a command that was written to report: `{report}` in it is a file of ours. Without it, the report is read from the output
 * (of a format that is printed), or requested as in `runWithReport`. Rejects only if a temporary folder can't be created.
 */
export async function runForReport(
  world: VerifierWorld,
  command: readonly string[],
  format: ReportFormat,
  request: ProgramRequest,
): Promise<ReportedRun> {
  return inFolder(async (folder) => {
    const scripts = await scriptsOf(world)
    const isRunner = isKnownRunner(command, scripts)
    const plain = { runner: format, format, env: {}, isRunner } as const
    if (command.some((word) => word.includes(PLACEHOLDER))) {
      const words = command.map((word) => word.replaceAll(PLACEHOLDER, folder.reportFile))
      return runPlan(world, { ...plain, from: 'file', command: words }, folder, request)
    }
    const planned = planReport(command, { scripts, reportFile: folder.reportFile })
    // A known runner is read in its own format; if a stream was named, the command may print its own.
    if (planned !== null && (planned.format === format || !isStreamed(format)))
      return runPlan(world, { ...planned, isGuess: false, plain: command }, folder, request)
    return runPlan(
      world,
      { ...plain, from: isStreamed(format) ? 'stream' : 'file', command },
      folder,
      request,
    )
  })
}

async function inFolder(work: (folder: ReportFolder) => Promise<ReportedRun>): Promise<ReportedRun> {
  const folder = await createReportFolder()
  try {
    return await work(folder)
  } finally {
    await folder.remove()
  }
}

/** `isRunner`: false if the command may be any program. `plain`: the command without its reporting options; omitted if it has none. */
type RunPlan = ReportPlan & { readonly isRunner?: boolean; readonly plain?: readonly string[] }

async function runPlan(
  world: VerifierWorld,
  plan: RunPlan,
  folder: ReportFolder,
  request: ProgramRequest,
): Promise<ReportedRun> {
  const { from } = plan
  const before = typeof from === 'string' ? null : await listTreeReports(world.directory, from)
  const run = await runProgram(world, plan.command, {
    ...request,
    env: { ...withoutCaches(plan), ...plan.env, ...request.env },
    writable: [dirname(folder.reportFile)],
    ...(from === 'stream' && { maxBytes: MAX_REPORT_BYTES }),
  })
  const written = await readWritten(world, plan, folder, before, run)
  const reported = await readReported(world, plan, written, run)
  const plain = isOfNone(reported) ? await runPlain(world, plan, request) : null
  if (plain !== null) return plain
  // A word that can mean several programs (`rake test`) may have meant a different one.
  const isOther = plan.isGuess === true && reported.kind !== 'report' && run.exitCode === 0
  const texts = written !== null && 'texts' in written ? { texts: written.texts } : {}
  return { run, reported, runner: isOther ? null : plan.runner, ...texts }
}

function isOfNone(reported: ReportedRun['reported']): boolean {
  return reported.kind === 'report' && reported.report.names.failed.some(isBeforeAnyTest)
}

/**
 * Runs the command as the operator wrote it. If it passes, our options broke it (for example, its tests read their process's arguments),
 * and that is no failure of the work. Returns `null` otherwise.
 */
async function runPlain(
  world: VerifierWorld,
  plan: RunPlan,
  request: ProgramRequest,
): Promise<ReportedRun | null> {
  const { plain, command, runner } = plan
  if (plain === undefined) return null
  const run = await runProgram(world, plain, { ...request, env: { ...withoutCaches(plan), ...request.env } })
  if (run.exitCode !== 0) return null
  const added = command.filter((word) => !plain.includes(word)).map((word) => word.replace(/=.*$/, '=…'))
  const reason = `${runner} passes without what makes it report (${added.join(' ')}), and fails with it`
  return { run, reported: { kind: 'unreadable', reason, passesWithoutReport: 'stopped' }, runner }
}

/**
 * Prevents byte code, because a check should leave nothing in the workspace. (Also stopping Python from reading existing byte
 * code would cost 4 s per run, because it would have to compile pytest itself each time.)
 */
function withoutCaches({ format }: ReportPlan): Record<string, string> {
  return format === 'pytest' || format === 'unittest' ? { PYTHONDONTWRITEBYTECODE: '1' } : {}
}

async function readWritten(
  world: VerifierWorld,
  plan: RunPlan,
  folder: ReportFolder,
  before: TreeReports | null,
  run: ProcessRun,
): Promise<WrittenReport | null> {
  if (plan.from === 'stream') {
    const printed = run[streamOf(plan.format)]
    return printed.omittedBytes > 0
      ? { reason: `it printed more than ${MAX_REPORT_BYTES} bytes` }
      : { texts: [printed.text] }
  }
  if (typeof plan.from === 'string' || before === null) return folder.read()
  // What was there before is a claim: only what this run wrote counts.
  const files = writtenSince(before, await listTreeReports(world.directory, plan.from))
  if (files.length === 0) return null
  return readReportFiles(files.map((file) => join(world.directory, file))).catch((error: unknown) => ({
    reason: error instanceof Error ? error.message : String(error),
  }))
}

async function readReported(
  world: VerifierWorld,
  plan: RunPlan,
  written: WrittenReport | null,
  run: ProcessRun,
): Promise<ReportedRun['reported']> {
  const none = `${plan.runner} wrote no report ${plan.from === 'file' ? 'to the file it was given' : 'of this run'}`
  if (written === null) return reportedNone(plan, run) ?? { kind: 'none', reason: none }
  if ('reason' in written)
    return { kind: 'unreadable', reason: `its report cannot be read: ${written.reason}` }
  // Runners name files by their real path.
  const root = await realpath(world.directory).catch(() => world.directory)
  // The parsers of its formats are loaded with the first report.
  const { readReports } = await import('./read-report.ts')
  const reading = readReports(plan.format, written.texts, root)
  if (reading.ok) return { kind: 'report', report: withExitCode(reading.report, run.exitCode) }
  const red = reading.isNothing === true ? reportedNone(plan, run) : null
  if (red !== null) return red
  const passes = reading.isUnnamed === true && run.exitCode === 0
  return {
    kind: 'unreadable',
    reason: `its report cannot be read: ${reading.reason}`,
    ...(passes && { passesWithoutReport: 'unnamed' }),
  }
}

/** A shell's exit codes for a program that it could not run. */
const COULD_NOT_RUN = new Set([126, 127])
/** Messages that the runner itself is missing, or could not fetch what it needs. In that case nothing of the work was run. */
const NEVER_STARTED =
  /No module named ['"]?(?:pytest|unittest)\b|could not determine executable|npm (?:ERR!|error) (?:code )?E(?:404|AI_AGAIN|NOTFOUND|CONNREFUSED)|(?:command )?not found\s*$|canceled due to missing packages|Cannot find module '[^'\n]*[\\/](?:mocha|jest|vitest|ava|_mocha)(?:\.[cm]?js)?'|dial tcp|no such host|Could not resolve (?:host|dependencies)|Non-resolvable parent POM/m

/**
 * Whether a known runner started, failed and reported nothing: then it did not build or failed to load, which is a failure, not unreadable.
 */
function reportedNone(plan: RunPlan, run: ProcessRun): ReportedRun['reported'] | null {
  const { exitCode } = run
  const mayBeOther = plan.isGuess === true && typeof plan.from === 'string'
  if (plan.isRunner === false || mayBeOther || !run.started || run.timedOut) return null
  if (exitCode === null || exitCode === 0 || COULD_NOT_RUN.has(exitCode)) return null
  if (NEVER_STARTED.test(run.stderr.text) || NEVER_STARTED.test(run.stdout.text)) return null
  return { kind: 'report', report: reportOfNone(exitCode) }
}

/** Returns the scripts of the folder's package.json as in the room. An agent that changes them changes a check file. */
async function scriptsOf(world: VerifierWorld): Promise<Readonly<Record<string, string>>> {
  const text = await packageText(world)
  if (text === null) return {}
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown }
    if (typeof scripts !== 'object' || scripts === null) return {}
    return Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}

async function packageText({ directory, earlier }: VerifierWorld): Promise<string | null> {
  const written = earlier?.write.findLast(({ path }) => path === PACKAGE_FILE)
  if (written !== undefined)
    return written.bytes.length > MAX_PACKAGE_BYTES ? null : written.bytes.toString('utf8')
  if (earlier?.remove.includes(PACKAGE_FILE)) return null
  const location = await locate(directory, PACKAGE_FILE)
  if (location.kind !== 'inside') return null
  const reading = await readTextFile(directory, location.path, MAX_PACKAGE_BYTES)
  return reading.kind === 'text' ? reading.text : null
}
