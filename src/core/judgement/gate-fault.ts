import type { EnvironmentFault, GateResult } from '../verification/types.ts'
import { lackingGates, sayLacking } from './lacking-checks.ts'

/**
 * Returns the problem of a gate that cannot pass here, whatever an agent does in the workspace: it cannot be started, or variables were
 * withheld from it; `null` if each can. Of one that was started and gave no answer that is not known: it may run what the agent
 * is about to install.
 */
export function gateFault(gates: readonly GateResult[]): EnvironmentFault | null {
  const missing = gates.find(({ neverStarted }) => neverStarted === true)
  if (missing !== undefined)
    return {
      reason: `the gate \`${missing.command.join(' ')}\` could not run: ${missing.detail}`,
      remedy: 'Make the gate runnable, or correct [gates] in pulseward.toml.',
      byGate: true,
    }
  const [lacking] = lackingGates(gates)
  return lacking === undefined
    ? null
    : { reason: `${sayLacking(lacking)}.`, remedy: lacking.remedy, byGate: true }
}

/**
 * Returns why a gate for which a workspace backed off still cannot pass; `null` if it may. That it lacked the variables before any work
 * was found out then.
 */
export function gateFaultStill(gates: readonly GateResult[]): EnvironmentFault | null {
  return gateFault(
    gates.map((gate) =>
      gate.lacking === undefined ? gate : { ...gate, lacksInBase: gate.lacking.variables },
    ),
  )
}
