import { withBreaker, withClosedBreaker } from '../intervention/breaker.ts'
import { addFeedback } from '../intervention/feedback.ts'
import { newProfile, profileAfter } from '../intervention/profile.ts'
import type { InterventionRecord, InterventionTotals, RaisedIntervention } from '../intervention/types.ts'
import { INTERVENTION_ROWS } from '../vocabulary/intervention.ts'
import { boundedDetails } from './bounded-details.ts'
import type { AttemptResult, EventOf } from './events.ts'
import { countAttemptOfDay, countInterventionOfDay } from './fold-days.ts'
import { dropNotices, raiseNotice } from './fold-notices.ts'
import type { WorkspaceState } from './state.ts'

const KEPT_INTERVENTIONS = 1000
const KEPT_PROFILES = 50

export const NO_TOTALS: InterventionTotals = {
  total: 0,
  byType: {},
  bySeverity: {},
  remediations: { tried: 0, succeeded: 0 },
}

/** Takes from a finished attempt what it means for interventions: remediations, the list, feedback and the agent's profile. */
export function recordAttemptInterventions(
  state: WorkspaceState,
  event: EventOf<'attempt-finished'>,
): WorkspaceState {
  const { result, seq, at } = event
  const { cycle: iteration, taskId, attemptId } = result
  const raised = withoutRepeats(state, result.interventions, iteration, taskId)
  const answered = answerRemediations(state, result)
  const listed = listInterventions(answered, raised, { seq, at, iteration, taskId, attemptId })
  const said = sayFeedback(listed, raised, { at, iteration, taskId })
  const pending = result.verdict === 'verified' ? dropFeedback(said, taskId) : said
  return countAttemptOfDay(updateProfile(pending, result, raised, at), result, raised)
}

/** An intervention that belongs to no single attempt. */
export function recordIntervention(
  state: WorkspaceState,
  { seq, at, cycle: iteration, taskId, intervention }: EventOf<'intervention-raised'>,
): WorkspaceState {
  const origin = { seq, at, iteration, taskId, attemptId: null }
  const counted = countInterventionOfDay(state, intervention.event_type)
  return sayFeedback(listInterventions(counted, [intervention], origin), [intervention], origin)
}

/** The operator called a task verified: nothing has to be said about it any more. */
export function dropFeedbackAfterOverrule(
  state: WorkspaceState,
  event: EventOf<'verdict-overruled'>,
): WorkspaceState {
  return event.to === 'verified' ? dropFeedback(state, event.taskId) : state
}

/** What concerned no single task has been in the prompts of a whole cycle. */
export function dropGeneralFeedback(state: WorkspaceState, cycle: number): WorkspaceState {
  const isOver = ({ taskId, iteration }: WorkspaceState['feedback'][number]) =>
    taskId === null && iteration < cycle
  return state.feedback.some(isOver)
    ? { ...state, feedback: state.feedback.filter((message) => !isOver(message)) }
    : state
}

export function changeBreaker(state: WorkspaceState, event: EventOf<'breaker-changed'>): WorkspaceState {
  const { agentId, at, reason } = event
  const profile = Object.hasOwn(state.profiles, agentId) ? state.profiles[agentId] : undefined
  if (profile === undefined) return state
  const changed =
    event.state === 'closed'
      ? withClosedBreaker(profile)
      : withBreaker(profile, { state: event.state, reason }, at)
  return { ...state, profiles: { ...state.profiles, [agentId]: changed } }
}

export function suspend(state: WorkspaceState, { at, reason }: EventOf<'suspended'>): WorkspaceState {
  return raiseNotice(
    { ...state, suspended: { since: at, reason } },
    { code: 'suspended', taskId: null, message: `Suspended for manual review: ${reason}.`, at },
  )
}

/** The operator has reviewed: heartbeats go on, and the circuit breakers count anew. */
export function liftSuspension(state: WorkspaceState): WorkspaceState {
  const profiles = Object.fromEntries(
    Object.entries(state.profiles).map(([id, profile]) => [id, withClosedBreaker(profile)]),
  )
  return endSuspension({ ...state, profiles })
}

/** Profiles, circuit breakers and what was still to be said are gone; the list and the totals stay. */
export function resetInterventions(state: WorkspaceState): WorkspaceState {
  const interventions = state.interventions.map(
    (record): InterventionRecord =>
      record.remediation === 'pending' ? { ...record, remediation: 'none' } : record,
  )
  return endSuspension({ ...state, feedback: [], profiles: {}, interventions })
}

function endSuspension(state: WorkspaceState): WorkspaceState {
  return dropNotices({ ...state, suspended: null }, ({ code }) => code === 'suspended')
}

/**
 * The task was judged again: interventions of earlier iterations that waited for that were remedied or not, where feedback
 * stood in the prompt. Without it there was no remediation to speak of.
 */
function answerRemediations(state: WorkspaceState, result: AttemptResult): WorkspaceState {
  if (result.verdict === null) return state
  const answer = !result.feedbackShown ? 'none' : result.verdict === 'verified' ? 'succeeded' : 'failed'
  let answered = 0
  const interventions = state.interventions.map((record): InterventionRecord => {
    if (record.remediation !== 'pending' || record.taskId !== result.taskId) return record
    answered += 1
    return { ...record, remediation: answer }
  })
  if (answered === 0) return state
  const { remediations } = state.interventionTotals
  const counted = {
    tried: remediations.tried + (answer === 'none' ? 0 : answered),
    succeeded: remediations.succeeded + (answer === 'succeeded' ? answered : 0),
  }
  return {
    ...state,
    interventions,
    interventionTotals: { ...state.interventionTotals, remediations: counted },
  }
}

/** The same event of the same task in the same iteration counts once. */
function withoutRepeats(
  state: WorkspaceState,
  raised: readonly RaisedIntervention[],
  iteration: number,
  taskId: string,
): readonly RaisedIntervention[] {
  const types = new Set(
    state.interventions
      .filter((record) => record.iteration === iteration && record.taskId === taskId)
      .map((record) => record.intervention.event_type),
  )
  return raised.filter(({ event_type: type }) => {
    const isFresh = !types.has(type)
    types.add(type)
    return isFresh
  })
}

interface Origin {
  readonly seq: number
  readonly at: string
  readonly iteration: number
  readonly taskId: string | null
  readonly attemptId: string | null
}

function listInterventions(
  state: WorkspaceState,
  raised: readonly RaisedIntervention[],
  { seq, at, iteration, taskId, attemptId }: Origin,
): WorkspaceState {
  if (raised.length === 0) return state
  const records = raised.map((intervention, index): InterventionRecord => {
    const isRemediable = taskId !== null && INTERVENTION_ROWS[intervention.event_type].isRemediable
    return {
      id: `${seq}-${index}`,
      at,
      iteration,
      taskId,
      attemptId,
      intervention: { ...intervention, details: boundedDetails(intervention.details) },
      remediation: isRemediable ? 'pending' : 'none',
    }
  })
  return {
    ...state,
    interventions: [...records.reverse(), ...state.interventions].slice(0, KEPT_INTERVENTIONS),
    interventionTotals: raised.reduce(totalsAfter, state.interventionTotals),
  }
}

function totalsAfter(
  totals: InterventionTotals,
  { event_type: type, severity }: RaisedIntervention,
): InterventionTotals {
  const { byType, bySeverity } = totals
  return {
    ...totals,
    total: totals.total + 1,
    byType: { ...byType, [type]: (byType[type] ?? 0) + 1 },
    bySeverity: { ...bySeverity, [severity]: (bySeverity[severity] ?? 0) + 1 },
  }
}

function sayFeedback(
  state: WorkspaceState,
  raised: readonly RaisedIntervention[],
  origin: Pick<Origin, 'at' | 'iteration' | 'taskId'>,
): WorkspaceState {
  const { at, iteration, taskId } = origin
  const feedback = addFeedback(state.feedback, raised, { at, iteration, taskId })
  return feedback === state.feedback ? state : { ...state, feedback }
}

function dropFeedback(state: WorkspaceState, taskId: string): WorkspaceState {
  return state.feedback.some((message) => message.taskId === taskId)
    ? { ...state, feedback: state.feedback.filter((message) => message.taskId !== taskId) }
    : state
}

/** An attempt that never ran, or that the environment stopped, says nothing about how the agent works. */
function updateProfile(
  state: WorkspaceState,
  result: AttemptResult,
  raised: readonly RaisedIntervention[],
  at: string,
): WorkspaceState {
  const { agentId } = result
  const isStopped = result.verdict === null && result.fault === 'environment'
  if (isStopped || agentId === '') return state
  const known = Object.hasOwn(state.profiles, agentId) ? state.profiles[agentId] : undefined
  const profile = profileAfter(known ?? newProfile(agentId), {
    iteration: result.cycle,
    at,
    run: `${result.startedAt} ${result.durationMs}`,
    filesChanged: result.filesChangedCount,
    evidenceCount: result.evidenceCount,
    feedbackShown: result.feedbackShown,
    interventions: raised.map(({ event_type }) => event_type),
  })
  // The agents that ran most recently stay.
  const others = Object.entries(state.profiles)
    .filter(([id]) => id !== agentId)
    .sort(([, a], [, b]) => b.lastIteration - a.lastIteration)
    .slice(0, KEPT_PROFILES - 1)
  return { ...state, profiles: Object.fromEntries([[agentId, profile], ...others]) }
}
