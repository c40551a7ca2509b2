import { type Company, companyOf, gateGroups } from '../../core/judgement/side-by-side.ts'
import { describeReport } from '../../core/reports/test-report.ts'
import { shellCommand } from '../../core/text/command-words.ts'
import type { GateResult } from '../../core/verification/types.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { lacksProgram, NO_SUCH_PROGRAM } from './lacks-program.ts'
import { lastWords, type ProgramRequest, reusing, type VerifierWorld, whyNoResult } from './program.ts'
import { canReport, type ReportedRun, runWithReport } from './reports/run-reported.ts'
import { lackingRun, withheldHint } from './withheld.ts'

/** The exit codes of shells if the program named in a script is missing or not executable. */
const SHELL_COULD_NOT_RUN = new Set([126, NO_SUCH_PROGRAM])

/**
 * Runs the workspace's gates one after the other, because a build and a test run in the same folder write the same files; test runs
 * that are listed one after the other run at the same time if the operator allows it. All are run, even after one fails, so that the
 * operator sees all results, unless the caller only needs to know whether all pass (`until = 'red'`).
 *
 * A gate that ends in a known test runner is run with our report, and passes if both the report and the exit code show success. A
 * gate is `unavailable` if it could not be run or did not end in time, which says nothing about the agent's work.
 */
export async function runGates(
  gates: WorkspaceConfig['gates'],
  world: VerifierWorld,
  signal: AbortSignal,
  which: 'all' | 'reported' | number = 'all',
  until: 'end' | 'red' = 'end',
): Promise<readonly GateResult[]> {
  const chosen: ChosenGate[] = []
  for (const [index, command] of gates.commands.entries()) {
    if (typeof which === 'number' && which !== index) continue
    const isReport = await canReport(world, command)
    if (which === 'reported' && !isReport) continue
    chosen.push({ index, command, isReport, company: companyOf({ kind: 'gate', isReport }) })
  }
  const results: GateResult[] = []
  for (const group of gateGroups(chosen, world.turns?.limit ?? 1)) {
    results.push(...(await Promise.all(group.map((gate) => askGate(gates, gate, world, signal)))))
    if (until === 'red' && results.some(({ status }) => status !== 'passed')) break
  }
  return results
}

interface ChosenGate {
  readonly index: number
  readonly command: readonly string[]
  readonly isReport: boolean
  readonly company: Company
}

function askGate(
  gates: WorkspaceConfig['gates'],
  { index, command, isReport }: ChosenGate,
  world: VerifierWorld,
  signal: AbortSignal,
): Promise<GateResult> {
  const env = gates.environments?.[index]
  const envFrom = gates.secrets?.[index]
  const timeoutMs = gates.timeoutsMs?.[index] ?? gates.timeoutMs
  const check = {
    kind: 'gate',
    name: shellCommand(command),
    command,
    configured: timeoutMs,
    variables: { ...(env && { env }), ...(envFrom && { envFrom }) },
    isReport: () => isReport,
    said: saidOf,
  } as const
  return reusing(world, check, () => runGate(command, world, { timeoutMs, signal, env, envFrom }))
}

function saidOf({ status, report, lacking }: GateResult): string | null {
  return report === undefined || lacking !== undefined ? null : JSON.stringify([status, report])
}

async function runGate(
  command: readonly string[],
  world: VerifierWorld,
  request: ProgramRequest,
): Promise<GateResult> {
  const outcome = await runWithReport(world, command, request)
  const result = resultOf(command, outcome, request)
  if (result.status === 'passed') return result
  const hint = withheldHint(request, command, outcome.run, 'gate')
  const lacking =
    result.status === 'failed'
      ? await lackingRun(world, request, command, outcome.run, outcome.texts)
      : undefined
  const lacks = await lacksProgram(world, command, outcome.run, request)
  return {
    ...result,
    ...(lacks && { lacksProgram: true as const }),
    ...(hint !== '' && { detail: `${result.detail}\n${hint}` }),
    ...(lacking !== undefined && { lacking }),
  }
}

function resultOf(command: readonly string[], outcome: ReportedRun, request: ProgramRequest): GateResult {
  const { run, runner, reported } = outcome
  const base = {
    command,
    exitCode: run.exitCode,
    durationMs: Math.round(run.durationMs),
    ...(runner !== null && { runner }),
  }
  const trouble = whyNoResult(run, request.timeoutMs)
  if (trouble !== null) {
    const isOfMachine = run.failure?.kind === 'not-contained' || !(command[0] ?? '').includes('/')
    const neverStarted = run.failure !== null && isOfMachine
    return { ...base, status: 'unavailable', detail: trouble, ...(neverStarted && { neverStarted }) }
  }
  if (reported.kind !== 'report') return { ...base, ...byExitCode(outcome) }
  const { report } = reported
  const words = report.failed > 0 ? `${describeReport(report)}\n${lastWords(run)}` : describeReport(report)
  return { ...base, status: report.failed === 0 ? 'passed' : 'failed', detail: words, report }
}

/** Returns the gate's result without a report: a runner that should have written one and claims success has not proved it. */
function byExitCode({
  run,
  runner,
  reported,
}: ReportedRun): Pick<GateResult, 'status' | 'detail' | 'passesWithoutReport'> {
  const { exitCode } = run
  if (exitCode !== null && SHELL_COULD_NOT_RUN.has(exitCode))
    return { status: 'unavailable', detail: `a program it runs is missing: ${lastWords(run)}` }
  if (exitCode === 0 && runner !== null && reported.kind !== 'report')
    return {
      status: 'unavailable',
      detail: `it exited with 0, but ${reported.reason}: ${lastWords(run)}`,
      ...(reported.passesWithoutReport && { passesWithoutReport: reported.passesWithoutReport }),
    }
  const ending = exitCode === null ? `it was killed by ${run.signal ?? 'a signal'}; ` : ''
  return { status: exitCode === 0 ? 'passed' : 'failed', detail: ending + lastWords(run) }
}
