import { checkOf } from '../contract/check-of.ts'
import { initCycleProgress } from '../cycle/progress.ts'
import { ENDING_WORDS, SKIP_WORDS } from '../vocabulary/heartbeat.ts'
import { VERDICTS, verdictInWords } from '../vocabulary/verdict.ts'
import type { EventOf } from './events.ts'
import { dropContractNotices, dropNoticesAtCycleStart } from './fold-notices.ts'
import { forgetContractFaults, forgetLeftTasks, taskHistory } from './fold-task-history.ts'
import type { AttemptSummary, HeartbeatRecord, WorkspaceState } from './state.ts'

const KEPT_HEARTBEATS = 300

/** Stores the contract as it was read. Tasks whose check was edited start without the contract faults of the old one. */
export function readContract(state: WorkspaceState, event: EventOf<'contract-read'>): WorkspaceState {
  const { hash, tasks } = event
  const checks = new Map((state.contract?.tasks ?? []).map((task) => [task.id, checkOf(task)]))
  const edited = new Set(tasks.filter((task) => checks.get(task.id) !== checkOf(task)).map(({ id }) => id))
  const forgiven = forgetContractFaults(state, (taskId) => edited.has(taskId))
  return { ...dropContractNotices(forgiven, hash), contract: { hash, tasks } }
}

/** Number of contract faults in a row after which a task waits for its check to be fixed. */
const CONTRACT_FAULTS_TO_WAIT = 3

/** Opens the cycle's tasks from the contract as last read, and marks the cycle as running. */
export function startCycle(state: WorkspaceState, event: EventOf<'cycle-started'>): WorkspaceState {
  const tasks = state.contract?.tasks ?? []
  const progress = initCycleProgress(tasks, state.progress, {
    reopened: new Set(event.contradictedTasks),
    stillVerified: new Set(event.stillVerified ?? []),
    waiting: (taskId) => {
      // A box that was checked in between had closed the task; what is held is still unanswered.
      if (state.held.some((held) => held.taskId === taskId)) return 'review'
      return (taskHistory(state, taskId).contractFaults ?? 0) >= CONTRACT_FAULTS_TO_WAIT ? 'fix_gate' : null
    },
  })
  const heldBeforeRuns = Object.fromEntries(
    Object.entries(state.heldBeforeRuns).filter(([taskId]) => Object.hasOwn(progress.tasks, taskId)),
  )
  const { cycle, at, forceAllRequired } = event
  return addHeartbeat(
    {
      ...forgetLeftTasks({ ...dropNoticesAtCycleStart(state, event.contradictedTasks), progress }),
      heldBeforeRuns,
      held: state.held.filter(({ taskId }) => Object.hasOwn(progress.tasks, taskId)),
      running: { cycle, startedAt: at, forceAllRequired, attempt: null },
    },
    { state: 'running', at, finishedAt: null, cycle, count: 1, detail: TRIGGERS[event.trigger] },
  )
}

/** Ends the cycle, whatever the ending: the next heartbeat counts from here, and its number is used up. */
export function finishCycle(state: WorkspaceState, event: EventOf<'cycle-finished'>): WorkspaceState {
  const { cycle, at } = event
  const detail = endingInWords(
    event.ending,
    state.attempts.filter((attempt) => attempt.cycle === cycle),
  )
  return {
    ...state,
    running: null,
    lastCycleAt: at,
    progress: {
      ...state.progress,
      lastCycleAt: at,
      cycleCount: Math.max(state.progress.cycleCount, cycle),
    },
    heartbeats: state.heartbeats.map((heartbeat) =>
      heartbeat.state === 'running' && heartbeat.cycle === cycle
        ? { ...heartbeat, state: 'done', finishedAt: at, detail }
        : heartbeat,
    ),
  }
}

export function missHeartbeats(state: WorkspaceState, event: EventOf<'heartbeats-missed'>): WorkspaceState {
  const { from, to, count } = event
  return addHeartbeat(state, {
    state: 'missed',
    at: from,
    finishedAt: to,
    cycle: null,
    count,
    detail: 'The supervisor or the machine was not running',
  })
}

export function skipHeartbeat(state: WorkspaceState, event: EventOf<'heartbeat-skipped'>): WorkspaceState {
  const { title } = SKIP_WORDS[event.reason]
  const skipped = addHeartbeat(state, {
    state: 'skipped',
    at: event.dueAt,
    finishedAt: null,
    cycle: null,
    count: 1,
    detail: event.why === undefined ? title : `${title}: ${event.why}`,
  })
  return event.reason === 'idle' ? { ...skipped, idleAt: event.at } : skipped
}

function addHeartbeat(state: WorkspaceState, heartbeat: HeartbeatRecord): WorkspaceState {
  const [latest, ...before] = state.heartbeats
  const heartbeats =
    latest !== undefined && isRepeated(latest, heartbeat)
      ? [{ ...heartbeat, earlier: [latest.at, ...(latest.earlier ?? [])] }, ...before]
      : [heartbeat, ...state.heartbeats]
  return { ...state, heartbeats: newestHeartbeats(heartbeats) }
}

/** Returns whether the next heartbeat differs only in its time. One that began never does: its end is still to come. */
function isRepeated(latest: HeartbeatRecord, next: HeartbeatRecord): boolean {
  return (
    next.cycle === null &&
    latest.cycle === null &&
    next.state === latest.state &&
    next.finishedAt === latest.finishedAt &&
    next.count === latest.count &&
    next.detail === latest.detail
  )
}

/** Drops the oldest heartbeat if a new one exceeds the limit. */
function newestHeartbeats(heartbeats: readonly HeartbeatRecord[]): readonly HeartbeatRecord[] {
  const count = heartbeats.reduce((sum, { earlier = [] }) => sum + 1 + earlier.length, 0)
  const last = heartbeats.at(-1)
  if (count <= KEPT_HEARTBEATS || last === undefined) return heartbeats
  const { earlier = [], ...oldest } = last
  const left = earlier.length === 0 ? [] : [{ ...oldest, earlier: earlier.slice(0, -1) }]
  return [...heartbeats.slice(0, -1), ...left]
}

const TRIGGERS: Readonly<Record<EventOf<'cycle-started'>['trigger'], string>> = {
  schedule: 'On schedule',
  manual: 'Run by hand',
  'catch-up': 'Making up for missed heartbeats',
}

function endingInWords(
  ending: EventOf<'cycle-finished'>['ending'],
  attempts: readonly AttemptSummary[],
): string {
  const verdicts = verdictsInWords(attempts)
  const words = ENDING_WORDS[ending]
  if (ending === 'idle') return words ?? ''
  if (words !== null) return `${words}; ${verdicts}`
  return attempts.length === 0 ? 'No open tasks' : verdicts
}

function isWaiting({ review }: AttemptSummary): boolean {
  return review !== null && review.answer === null
}

/** Returns how many attempts got which verdict: "2 verified, 1 unclear". */
function verdictsInWords(attempts: readonly AttemptSummary[]): string {
  const count = (verdict: AttemptSummary['verdict']) =>
    attempts.filter((attempt) => attempt.verdict === verdict && !isWaiting(attempt)).length
  const parts = [
    ...VERDICTS.map((verdict) => ({ words: verdictInWords(verdict), count: count(verdict) })),
    { words: 'held', count: attempts.filter(isWaiting).length },
    { words: 'without a verdict', count: count(null) },
  ].filter((part) => part.count > 0)
  if (parts.length === 0) return 'nothing was judged'
  return parts.map((part) => `${part.count} ${part.words}`).join(', ')
}
