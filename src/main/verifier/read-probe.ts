import { isAbsolute } from 'node:path'
import {
  isReportFormat,
  isStreamed,
  type ReportFormat,
  type TestReport,
  valueOfReport,
} from '../../core/reports/test-report.ts'
import type { LackingRun, ProbeReading } from '../../core/verification/types.ts'
import type { CheckFault } from '../../core/vocabulary/fault.ts'
import type { CheckVariables } from '../ports/check-variables.ts'
import type { ProbeConfig } from '../ports/workspace-config.ts'
import type { ProcessRun } from '../process/run-process.ts'
import { foundNothing } from './found-nothing.ts'
import { parseReading } from './parse-reading.ts'
import { lastWords, MAX_READ_BYTES, runProgram, type VerifierWorld, whyNoResult } from './program.ts'
import { readUrl } from './read-url.ts'
import { runForReport } from './reports/run-reported.ts'
import { lackingRun, withheldHint } from './withheld.ts'
import { readFileIn, readTextFile } from './workspace-file.ts'

/** The result of a source: the text to parse, the exit code that is itself the value, or why there is neither. */
type Raw =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'exit'; readonly code: number; readonly lacking?: LackingRun | undefined }
  | { readonly kind: 'report'; readonly report: TestReport; readonly lacking?: LackingRun | undefined }
  | ({ readonly kind: 'none'; readonly fault: CheckFault } & Pick<
      Extract<ProbeReading, { readonly kind: 'unreadable' }>,
      'reason' | 'passesWithoutReport'
    >)

/**
 * Reads a probe once. `parse = "exit"` returns any exit code; for all other kinds a command that exits with anything except 0
 * is unreadable, unless it found nothing and said so. Timeouts and network errors are the environment's fault, everything else
 * the contract's (the probe can't work as configured). Never rejects.
 */
export async function readProbe(
  name: string,
  config: ProbeConfig,
  world: VerifierWorld,
  signal: AbortSignal,
): Promise<ProbeReading> {
  const raw = await readSource(config, world, signal)
  if (raw.kind === 'none') {
    const { kind: _, ...why } = raw
    return { kind: 'unreadable', name, configured: true, ...why }
  }
  if (raw.kind === 'exit' || raw.kind === 'report') {
    const { lacking } = raw
    return {
      kind: 'value',
      name,
      ...(raw.kind === 'exit'
        ? { value: raw.code }
        : { value: valueOfReport(raw.report), report: raw.report }),
      ...(lacking !== undefined && { lacking }),
    }
  }
  const parsed = parseReading(raw.text, config)
  const { tolerance } = config
  return parsed.ok
    ? { kind: 'value', name, value: parsed.value, ...(tolerance !== undefined && { tolerance }) }
    : { kind: 'unreadable', name, reason: parsed.reason, configured: true, fault: 'contract' }
}

async function readSource(config: ProbeConfig, world: VerifierWorld, signal: AbortSignal): Promise<Raw> {
  const { source, timeoutMs, parse } = config
  if (isReportFormat(parse)) return readTestReport(config, parse, world, signal)
  switch (source.kind) {
    case 'command':
      return readCommand(source.command, config, world, signal)
    case 'file':
      return readFile(source.file, world)
    case 'url': {
      const reading = await readUrl(source.url, timeoutMs, signal, world.clock)
      return reading.ok
        ? { kind: 'text', text: reading.text }
        : { kind: 'none', reason: reading.reason, fault: reading.fault }
    }
  }
}

/** A report is a fact only if one of the operator's commands wrote it for us. Any other file could come from anyone. */
async function readTestReport(
  { source, timeoutMs, env, envFrom }: ProbeConfig,
  format: ReportFormat,
  world: VerifierWorld,
  signal: AbortSignal,
): Promise<Raw> {
  const none = (reason: string, fault: CheckFault = 'contract'): Raw => ({
    kind: 'none',
    reason,
    fault,
  })
  const where = isStreamed(format) ? '' : ', with "{report}" where it writes its report'
  if (source.kind !== 'command')
    return none(
      `a report found in a ${source.kind} is only a claim. Give the command that runs the tests${where}`,
    )
  const { run, reported, texts } = await runForReport(world, source.command, format, {
    timeoutMs,
    signal,
    env,
    envFrom,
  })
  const trouble = whyNoResult(run, timeoutMs)
  if (trouble !== null) return none(trouble, run.failure === null ? 'environment' : 'contract')
  if (reported.kind === 'report')
    return { ...reported, lacking: await lackingRun(world, { env, envFrom }, source.command, run, texts) }
  const hint = hintOf({ env, envFrom }, source.command, run)
  const isAsked = source.command.some((word) => word.includes('{report}'))
  const remedy = isAsked || isStreamed(format) ? '' : ' (use "{report}" for the file that it should write)'
  return {
    ...none(
      `it exited with ${run.exitCode ?? run.signal}, and ${reported.reason}${remedy}: ${lastWords(run)}${hint}`,
    ),
    ...(reported.passesWithoutReport && { passesWithoutReport: reported.passesWithoutReport }),
  }
}

async function readCommand(
  command: readonly string[],
  { parse, timeoutMs, env, envFrom }: ProbeConfig,
  world: VerifierWorld,
  signal: AbortSignal,
): Promise<Raw> {
  const run = await runProgram(world, command, { timeoutMs, signal, env, envFrom })
  const trouble = whyNoResult(run, timeoutMs)
  if (trouble !== null)
    return { kind: 'none', reason: trouble, fault: run.failure === null ? 'environment' : 'contract' }
  if (run.exitCode === null)
    return { kind: 'none', reason: `it was killed by ${run.signal ?? 'a signal'}`, fault: 'contract' }
  if (parse === 'exit') {
    const lacking = await lackingRun(world, { env, envFrom }, command, run)
    return { kind: 'exit', code: run.exitCode, lacking }
  }
  const nothing = foundNothing(command, run)
  if (nothing !== null) return { kind: 'text', text: nothing }
  if (run.exitCode !== 0)
    return {
      kind: 'none',
      reason: `it exited with ${run.exitCode}: ${lastWords(run)}${hintOf({ env, envFrom }, command, run)}`,
      fault: 'contract',
    }
  if (run.stdout.omittedBytes > 0)
    return { kind: 'none', reason: `it printed more than ${MAX_READ_BYTES} bytes`, fault: 'contract' }
  return { kind: 'text', text: run.stdout.text }
}

function hintOf(variables: CheckVariables, command: readonly string[], run: ProcessRun): string {
  const hint = withheldHint(variables, command, run, 'probe')
  return hint === '' ? '' : `\n${hint}`
}

/** An absolute path was approved with the configuration; a relative one must stay in the workspace. */
async function readFile(file: string, world: VerifierWorld): Promise<Raw> {
  const reading = isAbsolute(file)
    ? await readTextFile(world.directory, file, MAX_READ_BYTES)
    : await readFileIn(world, file, MAX_READ_BYTES)
  const none = (reason: string): Raw => ({ kind: 'none', reason, fault: 'contract' })
  if (reading.kind === 'text') return { kind: 'text', text: reading.text }
  if (reading.kind === 'outside') return none(`${file} leads out of the workspace`)
  return none(
    reading.kind === 'unreadable' ? `${file} cannot be read: ${reading.reason}` : `${file} does not exist`,
  )
}
