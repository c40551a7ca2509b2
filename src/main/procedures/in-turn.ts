import pLimit, { type LimitFunction } from 'p-limit'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'

const turns = new WeakMap<WorkspaceRuntime, LimitFunction>()

/**
 * Runs `judge` after the operator's earlier answers about attempts of the workspace are recorded. An answer reads the state, moves files
 * and writes the contract, so it must see the effects of the previous one.
 */
export function inTurn<Answer>(runtime: WorkspaceRuntime, judge: () => Promise<Answer>): Promise<Answer> {
  const turn = turns.get(runtime) ?? pLimit(1)
  turns.set(runtime, turn)
  return turn(judge)
}
