import pLimit, { type LimitFunction } from 'p-limit'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'

const turns = new WeakMap<WorkspaceRuntime, LimitFunction>()

/**
 * What `judge` comes to, once the operator's earlier words over attempts of the workspace are recorded: an answer reads
 * the state, moves files and writes the contract, and must find what the one before has made of them.
 */
export function inTurn<Answer>(runtime: WorkspaceRuntime, judge: () => Promise<Answer>): Promise<Answer> {
  const turn = turns.get(runtime) ?? pLimit(1)
  turns.set(runtime, turn)
  return turn(judge)
}
