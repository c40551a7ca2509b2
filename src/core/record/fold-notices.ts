import type { EventOf, RaisedIntervention } from './events.ts'
import type { WorkspaceState } from './state.ts'

type Notice = WorkspaceState['notices'][number]

const KEPT_NOTICES = 50

/** Returns the state with this notice as the newest; replaces one with the same code and task. */
export function raiseNotice(state: WorkspaceState, notice: Notice): WorkspaceState {
  const others = state.notices.filter(({ code, taskId }) => code !== notice.code || taskId !== notice.taskId)
  return { ...state, notices: [notice, ...others].slice(0, KEPT_NOTICES) }
}

/** Returns the state without the notices that are over according to `isOver`. */
export function dropNotices(state: WorkspaceState, isOver: (notice: Notice) => boolean): WorkspaceState {
  return state.notices.some(isOver)
    ? { ...state, notices: state.notices.filter((notice) => !isOver(notice)) }
    : state
}

export function noticeDiagnostic(
  state: WorkspaceState,
  { code, taskId, message, at }: EventOf<'diagnostic-raised'>,
): WorkspaceState {
  return raiseNotice(state, { code, taskId, message, at })
}

/** Raises a notice for a weakened contract; other interventions are shown at their attempts. */
export function noticeIntervention(
  state: WorkspaceState,
  intervention: RaisedIntervention,
  taskId: string | null,
  at: string,
): WorkspaceState {
  if (intervention.event_type !== 'contract_weakened') return state
  return raiseNotice(state, {
    code: 'contract_weakened',
    taskId,
    message: weakeningMessage(intervention.details.changes),
    at,
    contractHash: state.contract?.hash ?? '',
  })
}

function weakeningMessage(changes: unknown): string {
  const known = Array.isArray(changes) ? changes.filter((change) => typeof change === 'string') : []
  const what = 'The contract asks for less than before the agent ran'
  // Each change may already be a sentence.
  const said = known.map((change) => change.replace(/\.$/, '')).join('; ')
  return known.length === 0 ? `${what}.` : `${what}: ${said}.`
}

/**
 * Drops findings about the old text after another contract was read. A weakening stays for the first reading after it, which is of the
 * weakened text itself; the next edit is the operator's answer to it.
 */
export function dropContractNotices(state: WorkspaceState, newHash: string): WorkspaceState {
  const oldHash = state.contract?.hash
  if (newHash === oldHash) return state
  return dropNotices(state, ({ code, contractHash }) => {
    // If it waits for an answer, the answer removes it.
    if (code === 'contract_weakened') return !isWeakeningWaiting(state) && contractHash !== oldHash
    return ['tick-contradicted', 'hollow-hint', 'contract-unreadable', 'edit-not-granted'].includes(code)
  })
}

/** Drops the notices of weakenings once the last one is answered. */
export function dropAnsweredNotices(state: WorkspaceState): WorkspaceState {
  const waits = state.proposals.some((each) => each.state === 'pending')
  return dropNotices(
    state,
    ({ code }) =>
      (code === 'contract_weakened' && !isWeakeningWaiting(state)) ||
      (code === 'proposal-conflict' && !waits) ||
      // The next heartbeat counts them again.
      code === 'tasks-left-out',
  )
}

function isWeakeningWaiting(state: WorkspaceState): boolean {
  return state.proposals.some((each) => each.state === 'pending' && each.asksLess)
}

/** Drops notices when a cycle begins: the contract was readable, and its checked tasks have been measured again. */
export function dropNoticesAtCycleStart(
  state: WorkspaceState,
  contradictedTasks: readonly string[],
): WorkspaceState {
  return dropNotices(state, ({ code, taskId }) => {
    if (code === 'tick-contradicted') return taskId === null || !contradictedTasks.includes(taskId)
    return code === 'contract-unreadable'
  })
}

/** Drops notices about the earlier configuration, because the operator approved the current one. */
export function dropConfigurationNotices(state: WorkspaceState): WorkspaceState {
  return dropNotices(state, ({ code }) =>
    [
      'configuration-changed',
      'gate-unavailable',
      'edit-not-granted',
      'parallel-without-trees',
      'budget-not-kept',
      'approval-lost',
      'check-not-repeatable',
    ].includes(code),
  )
}
