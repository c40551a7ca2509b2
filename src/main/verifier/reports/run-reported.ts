import { dirname } from 'node:path'
import { planReport, type ReportPlan } from '../../../core/reports/report-plan.ts'
import {
  isStreamed,
  MAX_REPORT_BYTES,
  type ReportFormat,
  streamOf,
  type TestReport,
  withExitCode,
} from '../../../core/reports/test-report.ts'
import { realpath } from '../../files/names.ts'
import type { ProcessRun } from '../../process/run-process.ts'
import { type ProgramRequest, runProgram, type VerifierWorld } from '../program.ts'
import { locate, readTextFile } from '../workspace-file.ts'
import { createReportFolder, type ReportFolder } from './report-folder.ts'

/** How a command ran, and what its runner reported to us. */
export interface ReportedRun {
  readonly run: ProcessRun
  /** `none`: no report could be asked for, or none was written; `reason` says which. */
  readonly reported:
    | { readonly kind: 'report'; readonly report: TestReport }
    | { readonly kind: 'none' | 'unreadable'; readonly reason: string }
  /** The runner that was asked for a report; null where none is known. */
  readonly runner: string | null
}

/** Package.json with its scripts is never larger. */
const MAX_PACKAGE_BYTES = 1024 * 1024
const PACKAGE_FILE = 'package.json'
const PLACEHOLDER = '{report}'

/**
 * Runs a command with a report of ours where it ends in a known runner, else as it is. Report and exit code stand together:
 * the report is red where the exit code is. Never rejects but for a temporary folder that cannot be made.
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
      return { run, reported: { kind: 'none', reason: 'it is no test runner that is known' }, runner: null }
    }
    return runPlan(world, plan, folder, request)
  })
}

/** Whether the command ends in a runner that can be asked for a report. */
export async function canReport(world: VerifierWorld, command: readonly string[]): Promise<boolean> {
  return planReport(command, { scripts: await scriptsOf(world), reportFile: 'report' }) !== null
}

/**
 * Runs a command that was written to report: `{report}` in it is a file of ours; where it is missing, the report is taken from the
 * output (of a form that is printed), or asked for as `runWithReport` does. Never rejects but for a temporary folder that cannot be made.
 */
export async function runForReport(
  world: VerifierWorld,
  command: readonly string[],
  format: ReportFormat,
  request: ProgramRequest,
): Promise<ReportedRun> {
  return inFolder(async (folder) => {
    const plain = { runner: format, format, env: {} } as const
    if (command.some((word) => word.includes(PLACEHOLDER))) {
      const words = command.map((word) => word.replaceAll(PLACEHOLDER, folder.reportFile))
      return runPlan(world, { ...plain, from: 'file', command: words }, folder, request)
    }
    const around = { scripts: await scriptsOf(world), reportFile: folder.reportFile }
    const planned = planReport(command, around)
    // Of a known runner its own form is read; where a stream was named, the command may print one of its own.
    if (planned !== null && (planned.format === format || !isStreamed(format)))
      return runPlan(world, planned, folder, request)
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

async function runPlan(
  world: VerifierWorld,
  plan: ReportPlan,
  folder: ReportFolder,
  request: ProgramRequest,
): Promise<ReportedRun> {
  const run = await runProgram(world, plan.command, {
    ...request,
    env: { ...withoutCaches(plan), ...plan.env, ...request.env },
    writable: [dirname(folder.reportFile)],
    ...(plan.from === 'stream' && { maxBytes: MAX_REPORT_BYTES }),
  })
  return { run, reported: await readReported(world, plan, folder, run), runner: plan.runner }
}

/**
 * A check leaves nothing in the workspace that it can help: no byte code. (To keep Python from reading what lies there too would
 * cost it 4 s a run: it would have to compile pytest itself each time.)
 */
function withoutCaches({ format }: ReportPlan): Record<string, string> {
  return format === 'pytest' || format === 'unittest' ? { PYTHONDONTWRITEBYTECODE: '1' } : {}
}

async function readReported(
  world: VerifierWorld,
  plan: ReportPlan,
  folder: ReportFolder,
  run: ProcessRun,
): Promise<ReportedRun['reported']> {
  const printed = run[streamOf(plan.format)]
  const written = plan.from === 'stream' ? { text: printed.text } : await folder.read()
  if (written === null)
    return { kind: 'none', reason: `${plan.runner} wrote no report to the file it was given` }
  if ('reason' in written)
    return { kind: 'unreadable', reason: `its report cannot be read: ${written.reason}` }
  if (plan.from === 'stream' && printed.omittedBytes > 0)
    return { kind: 'unreadable', reason: `it printed more than ${MAX_REPORT_BYTES} bytes` }
  // Runners name files by their real path.
  const root = await realpath(world.directory).catch(() => world.directory)
  // The parsers of its forms are loaded with the first one.
  const { readReport } = await import('./read-report.ts')
  const reading = readReport(plan.format, written.text, root)
  return reading.ok
    ? { kind: 'report', report: withExitCode(reading.report, run.exitCode) }
    : { kind: 'unreadable', reason: `its report cannot be read: ${reading.reason}` }
}

/** The scripts of the folder's package.json as the room has it; an agent that changes them changes an instrument. */
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
