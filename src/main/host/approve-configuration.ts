import { approve } from '../config/trust.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'

/**
 * Puts the configuration with exactly this hash into effect, including its proposed changes. Rejects with a `RequestProblem` if it has
 * changed since.
 */
export async function approveConfiguration(runtime: WorkspaceRuntime, hash: string): Promise<void> {
  await approve(runtime.directory, runtime.dataDirectory, hash)
  await runtime.ledger.append({ type: 'configuration-approved', hash })
  // By approving, the operator accepts the folder as it is now.
  if (runtime.contractCustody.isBaseLost) await runtime.contractCustody.rebase()
  await runtime.contractCustody.approved()
  await runtime.loop.refreshTrust()
  // Do this before a heartbeat can begin; after that, a change may be an agent's.
  await runtime.approveChecks()
  await runtime.loop.refresh()
}
