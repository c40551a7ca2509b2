import { reportsOf } from '../../../core/judgement/baseline-reports.ts'
import { gateCheck } from '../../../core/judgement/check-names.ts'
import type { GateResult } from '../../../core/verification/types.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'

type GateContext = Pick<CycleContext, 'ports' | 'config' | 'verifier' | 'signal'>

/**
 * Runs the gates that have a report once for each baseline, before the agent: which tests the baseline executes, and which of them are
 * red, is known only from a run of it. Where the tree differs from the baseline they run in the clean room; where none can be made,
 * nothing is learned.
 */
export async function learnGates(context: GateContext): Promise<void> {
  const { config, ports, signal } = context
  const { commands } = config.gates
  if (commands.length === 0) return
  const known = await ports.custody.reports()
  if (commands.every((command) => known.has(gateCheck(command)))) return
  const results = await runGatesOfBaseline(context)
  if (results === null || signal.aborted) return
  const reports = new Map(results.map((result) => [gateCheck(result.command), result.report ?? null]))
  await ports.custody.keepReports(
    new Map(commands.map((command) => [gateCheck(command), reports.get(gateCheck(command)) ?? null])),
  )
}

async function runGatesOfBaseline({
  ports,
  config,
  verifier,
  signal,
}: GateContext): Promise<readonly GateResult[] | null> {
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

/** Keeps what hints were measured by before the first attempt of a baseline: the names that a later one must still execute. */
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
