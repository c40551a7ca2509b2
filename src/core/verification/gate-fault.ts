import type { EnvironmentFault, GateResult } from './types.ts'

/**
 * The trouble of a gate that cannot even be started here, whatever an agent does in the workspace; `null` where each can. Of one that
 * was started and gave no answer that is not known: it may run what the agent is about to install.
 */
export function gateFault(gates: readonly GateResult[]): EnvironmentFault | null {
  const missing = gates.find(({ neverStarted }) => neverStarted === true)
  if (missing === undefined) return null
  return {
    reason: `the gate \`${missing.command.join(' ')}\` could not run: ${missing.detail}`,
    remedy: 'Make the gate runnable, or correct [gates] in pulseward.toml.',
    byGate: true,
  }
}
