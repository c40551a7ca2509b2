import type { Hint } from '../../../core/contract/hint.ts'
import { type Reports, reportsOf } from '../../../core/judgement/baseline-reports.ts'
import { commandCheck, gateCheck, probeCheck } from '../../../core/judgement/check-names.ts'
import { hintProbes } from '../../../core/judgement/hint-measuring.ts'
import { isReportFormat, type TestReport } from '../../../core/reports/test-report.ts'
import { succeedsCommands } from '../../../core/verification/hint-checks.ts'
import type { GateResult } from '../../../core/verification/types.ts'
import type { Verifier } from '../../ports/verifier.ts'
import { inMeter } from '../cost-meter.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'
import { askCommand } from './answer-questions.ts'

type GateContext = Pick<CycleContext, 'ports' | 'config' | 'verifier' | 'signal' | 'meter'>

/**
 * Runs the gates that have a report once per baseline, before the agent, because only a run shows which tests the baseline executes and
 * which of them are red. If the tree differs from the baseline, they run in the clean room; if no room can be made, nothing is learned. If
 * the operator changed guarded files since the last attempt, they also run in the tree: a test that is gone was removed by the operator.
 */
export async function learnGates(context: GateContext): Promise<void> {
  const { config, ports, signal, verifier } = context
  const { commands } = config.gates
  if (commands.length === 0) return
  const { custody } = ports
  const known = await custody.reports()
  const isFresh = commands.some((command) => !known.has(gateCheck(command)))
  const isTouched = await custody.isTouched()
  if (!isFresh && !isTouched) return
  const differing = (await custody.look()).map(({ path }) => path)
  const inPlace = differing.length === 0 || isTouched ? await verifier.runGates(signal, 'reported') : null
  if (signal.aborted) return
  if (inPlace !== null) await custody.sawTests(reportsOfGates(inPlace))
  if (!isFresh) return
  const results =
    differing.length === 0
      ? inPlace
      : await inRoom(context, differing, (there) => there.runGates(signal, 'reported'))
  if (results === null || signal.aborted) return
  const reports = reportsOfGates(results)
  await custody.keepReports(
    new Map(commands.map((command) => [gateCheck(command), reports.get(gateCheck(command)) ?? null])),
  )
}

function reportsOfGates(results: readonly GateResult[]): Reports {
  return new Map(
    results.flatMap(({ command, report }) => (report === undefined ? [] : [[gateCheck(command), report]])),
  )
}

/** Runs checks in the clean room as in the baseline; `null` if no room can be made. */
async function inRoom<Answer>(
  { ports, config, signal, meter }: GateContext,
  differing: readonly string[],
  work: (verifier: Verifier) => Promise<Answer>,
): Promise<Answer | null> {
  const opened = await inMeter(meter, () => ports.custody.openRoom(differing, signal))
  if (opened.kind === 'none') return null
  const { room } = opened
  try {
    return await work(ports.createVerifier(config, { room, watch: meter?.watch('clean-room') }))
  } finally {
    await inMeter(meter, () => room.close())
  }
}

/**
 * Learns the names of the tests that tasks' checks execute in a baseline, before the first attempt. Runs every command for it,
 * including one that `&&` had not reached. If the tree differs from the baseline, they run in the clean room.
 */
export async function learnHints(context: CycleContext, attempts: readonly PlannedAttempt[]): Promise<void> {
  const { custody } = context.ports
  const measured = attempts.flatMap(({ before, criteria }) => [before, ...criteria.map((one) => one.before)])
  const checks = checksOf(attempts)
  const seen = await seeInPlace(context, checks, reportsOf(measured))
  const known = await custody.reports()
  const fresh = checks.filter(({ name }) => !known.has(name))
  if (fresh.length === 0) return
  const differing = (await custody.look()).map(({ path }) => path)
  const reports =
    differing.length === 0
      ? await reportsBy(context, context.verifier, fresh, seen)
      : await inRoom(context, differing, (there) => reportsBy(context, there, fresh, new Map()))
  if (reports === null || context.signal.aborted) return
  await custody.keepReports(new Map(fresh.map(({ name }) => [name, reports.get(name) ?? null])))
}

/**
 * Returns what checks report in the tree before the attempt. Also runs the checks that would not run otherwise, to see what the operator
 * may have removed.
 */
async function seeInPlace(
  context: CycleContext,
  checks: readonly HintCheck[],
  measured: Reports,
): Promise<Reports> {
  const { custody } = context.ports
  const known = await custody.knownTests()
  const mayMiss = (await custody.isTouched()) ? checks.filter(({ name }) => known.has(name)) : []
  const seen = mayMiss.length === 0 ? measured : await reportsBy(context, context.verifier, mayMiss, measured)
  if (seen.size > 0) await custody.sawTests(seen)
  return seen
}

/** A probe or command of a task's check that may have a report. */
type HintCheck =
  | { readonly name: string; readonly probe: string }
  | { readonly name: string; readonly command: string }

function checksOf(attempts: readonly PlannedAttempt[]): readonly HintCheck[] {
  const hints = attempts.flatMap(({ hint, criteria }) => [hint, ...criteria.map((one) => one.hint)])
  const checks = hints.flatMap((hint: Hint): HintCheck[] => [
    ...hintProbes(hint).map((probe) => ({ name: probeCheck(probe), probe })),
    ...(hint.kind === 'expression' ? succeedsCommands(hint.source) : []).map((command) => ({
      name: commandCheck(command),
      command,
    })),
  ])
  return [...new Map(checks.map((check) => [check.name, check])).values()]
}

/** Runs the checks that have no report in `seen`. */
async function reportsBy(
  { signal, config }: CycleContext,
  verifier: Verifier,
  checks: readonly HintCheck[],
  seen: ReadonlyMap<string, TestReport>,
): Promise<Reports> {
  const open = checks.filter(({ name }) => !seen.has(name))
  const reports = new Map(seen)
  const add = (found: Reports): void => {
    for (const [check, report] of found) reports.set(check, report)
  }
  const probes = open.flatMap((check) => {
    const probe =
      'probe' in check && Object.hasOwn(config.probes, check.probe) ? config.probes[check.probe] : undefined
    return 'probe' in check && probe !== undefined && isReportFormat(probe.parse) ? [check.probe] : []
  })
  if (probes.length > 0)
    add(reportsOf([{ probes: await verifier.readProbes(probes, signal), expression: null }]))
  for (const check of open) {
    if (!('command' in check) || !(await verifier.canReport(check.command))) continue
    add(reportsOf([{ probes: [], expression: await askCommand(verifier, check.command, signal) }]))
  }
  return reports
}
