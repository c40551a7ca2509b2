import { afterGreen } from '../../core/reports/after-green.ts'
import { isRedAsInBase, lostNames } from '../../core/reports/lost-names.ts'
import type { TestReport } from '../../core/reports/test-report.ts'
import type { GateResult, Measurement, VerdictInput } from '../../core/verification/types.ts'
import type { BaseReports } from '../ports/custody.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'

type Reports = ReadonlyMap<string, TestReport>

/**
 * Runs the gates that have a report once for each base, before the agent: which tests the base executes, and which of them were red, is
 * known only from a run of the base. Where the tree is not as in the base, they are run in the clean room; where that cannot be made,
 * nothing is learned.
 */
export async function learnGates(context: CycleContext): Promise<void> {
  const { config, ports, signal } = context
  const { commands } = config.gates
  if (commands.length === 0) return
  const known = await ports.custody.reports()
  if (commands.every((command) => known.has(gateName(command)))) return
  const results = await runGatesOfBase(context)
  if (results === null || signal.aborted) return
  const reports = new Map(results.map((result) => [gateName(result.command), result.report ?? null]))
  await ports.custody.keepReports(
    new Map(commands.map((command) => [gateName(command), reports.get(gateName(command)) ?? null])),
  )
}

async function runGatesOfBase({
  ports,
  config,
  verifier,
  signal,
}: CycleContext): Promise<readonly GateResult[] | null> {
  const differing = (await ports.custody.look()).map(({ path }) => path)
  if (differing.length === 0) return verifier.runGates(signal, 'reported')
  const opened = await ports.custody.openRoom(differing, signal)
  if (opened.kind === 'none') return null
  try {
    return await ports.createVerifier(config, opened.room).runGates(signal, 'reported')
  } finally {
    await opened.room.close()
  }
}

/** What hints were measured by before the first attempt of a base: the names that a later one must still execute. */
export async function learnHints(
  { ports }: CycleContext,
  attempts: readonly PlannedAttempt[],
): Promise<void> {
  const measured = attempts.flatMap(({ before, criteria }) => [before, ...criteria.map((one) => one.before)])
  const seen = reportsOf(measured)
  if (seen.size === 0) return
  const known = await ports.custody.reports()
  const fresh = [...seen].filter(([check]) => !known.has(check))
  if (fresh.length > 0) await ports.custody.keepReports(new Map(fresh))
}

/** What was red in the base and is green now is nobody's excuse any more. */
export async function learnGreen({ ports }: CycleContext, input: VerdictInput): Promise<void> {
  const known = await ports.custody.reports()
  const green = [...reportsOfInput(input)].flatMap(([check, { failed }]): [string, TestReport][] => {
    const base = known.get(check)
    return failed === 0 && base != null && base.failed > 0 ? [[check, afterGreen(base)]] : []
  })
  if (green.length > 0) await ports.custody.keepReports(new Map(green))
}

/** The gates, with those marked that are red by exactly what was red in the base. */
export function markRedAsInBase(gates: readonly GateResult[], known: BaseReports): readonly GateResult[] {
  return gates.map((gate) => {
    const base = known.get(gateName(gate.command))
    const isSame = gate.report !== undefined && base != null && isRedAsInBase(base, gate.report)
    return isSame ? { ...gate, redAsInBase: true } : gate
  })
}

/** What is known of the base's tests: of the base, else of the moment before the attempt. */
export async function baseReports(
  { ports }: CycleContext,
  { before, criteria }: PlannedAttempt,
): Promise<Reports> {
  const known = await knownReports({ ports })
  return new Map([...reportsOf([before, ...criteria.map((one) => one.before)]), ...known])
}

/** What is known of the base's tests, by check. */
export async function knownReports({ ports }: Pick<CycleContext, 'ports'>): Promise<Reports> {
  return new Map(
    [...(await ports.custody.reports())].flatMap(([check, report]): [string, TestReport][] =>
      report === null ? [] : [[check, report]],
    ),
  )
}

/** Names that the base executed and this run did not. */
export function lostTests(base: Reports, input: Measured): readonly string[] {
  const lost = [...reportsOfInput(input)].flatMap(([check, now]) => {
    const before = base.get(check)
    return before === undefined ? [] : lostNames(before, now)
  })
  return [...new Set(lost)]
}

/** What was measured of a task, and the gates. */
interface Measured extends Pick<VerdictInput, 'after' | 'gates'> {
  readonly criteria?: readonly { readonly after: Measurement }[]
}

function reportsOfInput({ after, criteria = [], gates }: Measured): Reports {
  const ofGates = gates.flatMap(({ command, report }): [string, TestReport][] =>
    report === undefined ? [] : [[gateName(command), report]],
  )
  return new Map([...reportsOf([after, ...criteria.map((one) => one.after)]), ...ofGates])
}

function reportsOf(measurements: readonly (Measurement | null)[]): Reports {
  const reports = new Map<string, TestReport>()
  for (const measurement of measurements) {
    for (const reading of measurement?.probes ?? [])
      if (reading.kind === 'value' && reading.report !== undefined)
        reports.set(`probe ${reading.name}`, reading.report)
    const expression = measurement?.expression
    if (expression?.kind === 'value')
      for (const [command, report] of Object.entries(expression.reports ?? {}))
        reports.set(`command ${command}`, report)
  }
  return reports
}

function gateName(command: readonly string[]): string {
  return `gate ${JSON.stringify(command)}`
}
