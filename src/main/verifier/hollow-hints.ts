import { parseHint } from '../../core/contract/hint.ts'
import { runnableTasks } from '../../core/contract/parse.ts'
import type { Contract } from '../../core/contract/types.ts'
import type { ContractReport } from '../../core/read-model/contract-document.ts'
import type { Clock } from '../ports/clock.ts'
import { evaluateExpression } from './expression.ts'

/** A check that only asks for changes is about an attempt, and one that runs a command needs approval. */
const UNMEASURED = ['changed', 'succeeds']
/** For all checks together. */
const MEASURING_MS = 5_000

/**
 * Returns a `hollow-hint` warning for each open task whose check already passes, before any work. Measures only checks of
 * files: it runs no command and reads no probe. Never rejects.
 */
export async function hollowHints(
  contract: Contract,
  directory: string,
  probeNames: readonly string[],
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>,
): Promise<ContractReport['diagnostics']> {
  const signal = AbortSignal.timeout(MEASURING_MS)
  const found: ContractReport['diagnostics'] = []
  for (const { id, verify, checked, line, range } of runnableTasks(contract)) {
    const hint = parseHint(verify, probeNames)
    if (checked || hint.kind !== 'expression' || hint.probes.length > 0) continue
    if (hint.functions.some((name) => UNMEASURED.includes(name))) continue
    const now = await evaluateExpression({
      source: hint.source,
      readings: [],
      changedPaths: [],
      world: { directory, clock },
      approvedCommands: [],
      commandTimeoutMs: MEASURING_MS,
      signal,
    }).catch(() => null)
    if (now?.kind !== 'value' || !now.holds) continue
    const message = `The check \`${hint.source}\` of ${id} passes already, before any work. Ask for something that the work has to produce.`
    found.push({ severity: 'warning', code: 'hollow-hint', message, line, column: range.start.column })
  }
  return found
}
