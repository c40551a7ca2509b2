import type { EnvironmentFault, GateResult } from '../verification/types.ts'
import { lackingGates, sayLacking } from './lacking-checks.ts'

/**
 * Returns the problem of a gate that can't pass here, whatever an agent does in the workspace, because it can't be started or lacks
 * withheld variables; `null` if there is none. A gate that started but gave no answer doesn't count: it may run what the agent is about to
 * install.
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
 * Returns why a gate that made a workspace back off still can't pass; `null` if it may. Whether it lacked the variables before any work was
 * determined then.
 */
export function gateFaultStill(gates: readonly GateResult[]): EnvironmentFault | null {
  return gateFault(
    gates.map((gate) =>
      gate.lacking === undefined ? gate : { ...gate, lacksInBase: gate.lacking.variables },
    ),
  )
}
