import { type WorkspaceFigures, workspaceFigures } from '../../core/read-model/figures.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'

/** Returns a workspace's counts and measurements, for monitoring. */
export function figuresOf({ id, ledger, loop }: WorkspaceRuntime): WorkspaceFigures {
  return workspaceFigures({ workspace: id }, ledger.state, loop.config?.agent.dayLimits.usd ?? null)
}
