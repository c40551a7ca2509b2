import { approve } from '../config/trust.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'

/**
 * Brings the configuration with exactly this hash into force, and with it what waits of the file. Rejects with a `RequestProblem`
 * where it has changed by then.
 */
export async function approveConfiguration(runtime: WorkspaceRuntime, hash: string): Promise<void> {
  await approve(runtime.directory, runtime.dataDirectory, hash)
  await runtime.ledger.append({ type: 'configuration-approved', hash })
  // The operator who approves has looked at the folder: what is there now is what they approve.
  if (runtime.contractCustody.isBaseLost) await runtime.contractCustody.rebase()
  await runtime.contractCustody.approved()
  await runtime.loop.refreshTrust()
  // Do this before a heartbeat can begin; after that, a change may be an agent's.
  await runtime.approveChecks()
  await runtime.loop.refresh()
}
