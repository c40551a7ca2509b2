import { changedPaths, isOperatorFile } from '../verification/difference.ts'
import type { Uncommitted } from '../verification/types.ts'
import { type Asking, ask } from './asking.ts'
import type { WorkCase } from './case.ts'

/**
 * Returns the uncommitted paths that count: not contract and configuration, because they are the operator's and Pulseward checks boxes in
 * the contract.
 */
export function agentsToCommit(uncommitted: readonly string[]): readonly string[] {
  return uncommitted.filter((path) => !isOperatorFile(path))
}

/** Returns the uncommitted paths. Those that this attempt or an earlier one at its task changed come first, and are the agent's fault. */
export function findUncommitted({ uncommitted, difference, history }: WorkCase): Uncommitted {
  const changed = new Set([...changedPaths(difference), ...history.finished, ...history.refuted])
  const all = agentsToCommit(uncommitted)
  const own = all.filter((path) => changed.has(path))
  return { paths: [...own, ...all.filter((path) => !changed.has(path))], isOwn: own.length > 0 }
}

/** Returns the same, plus what attempts at other tasks left, which is neither this agent's fault nor the operator's. */
export function* askUncommitted(subject: WorkCase): Asking<Uncommitted> {
  const found = findUncommitted(subject)
  if (found.isOwn) return found
  const elsewhere = new Set(yield* ask({ kind: 'finished-elsewhere' }))
  const leftEarlier = found.paths.filter((path) => elsewhere.has(path))
  return leftEarlier.length === 0 ? found : { ...found, leftEarlier }
}
