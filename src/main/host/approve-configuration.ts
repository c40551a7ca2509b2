import { approve } from '../config/trust.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'

/**
 * Brings the configuration with exactly this hash into force, and with it what waits of the file. Rejects with a `RequestProblem`
 * where it is another one by now.
 */
export async function approveConfiguration(runtime: WorkspaceRuntime, hash: string): Promise<void> {
  await approve(runtime.directory, runtime.dataDirectory, hash)
  await runtime.ledger.append({ type: 'configuration-approved', hash })
  // Who approves has looked at the folder: what stands there is what he means.
  if (runtime.contractCustody.isBaseLost) await runtime.contractCustody.rebase()
  await runtime.contractCustody.approved()
  await runtime.loop.refreshTrust()
  // Before a heartbeat can begin: what stands there by then may be an agent's.
  await runtime.approveChecks()
  await runtime.loop.refresh()
}
