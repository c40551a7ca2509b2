import type { Marks } from '../../core/read-model/workspace.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'

/** What folds never change in place has one number while it stands; none is given twice, not over a restart either. */
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

/** What the marks are made of. */
interface Marked {
  readonly ledger: Pick<Ledger, 'state'>
  readonly loop: {
    readonly config: Pick<WorkspaceConfig, 'adaptiveTimeout' | 'unblock' | 'workspace'> | null
  }
}

/** When what a part of the screen fetches for itself may be another; `contractHash` is the file's as it stands. */
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
