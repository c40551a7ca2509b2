import type { Marks } from '../../core/read-model/workspace.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'

/**
 * Folds never change an object in place, so each object gets one number for its lifetime. No number is used twice, not even after a
 * restart.
 */
const numbers = new WeakMap<object, number>()
const start = performance.timeOrigin
let last = 0

function numberOf(part: object): number {
  const known = numbers.get(part)
  if (known !== undefined) return known
  last += 1
  numbers.set(part, last)
  return last
}

/** The parts that marks are made from. */
interface Marked {
  readonly ledger: Pick<Ledger, 'state'>
  readonly loop: {
    readonly config: Pick<WorkspaceConfig, 'adaptiveTimeout' | 'unblock' | 'workspace'> | null
  }
}

/** Returns marks that change whenever the data that a part of the screen fetches may have changed; `contractHash` is the current file's. */
export function marksOf({ ledger: { state }, loop: { config } }: Marked, contractHash: string): Marks {
  const mark = (...parts: readonly object[]) => [start, ...parts.map(numberOf)].join(' ')
  const { 'pulseward.toml': configuration } = state.custody
  const rules = JSON.stringify([config?.unblock, config?.adaptiveTimeout])
  return {
    agents: mark(state.profiles, state.days, state.interventions),
    attempts: mark(state.attempts, state.held),
    blocked: `${mark(state.progress.tasks, state.tasks)} ${rules}`,
    configuration: `${configuration?.base} ${configuration?.seen}`,
    contract: `${contractHash} ${configuration?.base}`,
    landing:
      config?.workspace.isolation === 'worktree' || state.landings.length > 0 ? mark(state.landings) : '',
    proposals: mark(state.proposals),
    sessions: state.sessions.length > 0 ? mark(state.sessions) : '',
    timeline: String(state.seq),
  }
}
