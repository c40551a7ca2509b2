import { addFeedback } from '../intervention/feedback.ts'
import { joinProfiles, newProfile, profileAfter } from '../intervention/profile.ts'
import type {
  AgentProfile,
  InterventionRecord,
  InterventionTotals,
  RaisedIntervention,
} from '../intervention/types.ts'
import { INTERVENTION_ROWS } from '../vocabulary/intervention.ts'
import { boundedDetails } from './bounded-details.ts'
import type { AttemptResult, EventOf } from './events.ts'
import { endSuspension } from './fold-breaker.ts'
import { countAttemptOfDay, countInterventionOfDay } from './fold-days.ts'
import { dropFeedback, sayFeedback, withFeedback } from './fold-feedback.ts'
import type { WorkspaceState } from './state.ts'

const KEPT_INTERVENTIONS = 1000
const KEPT_PROFILES = 50

export const NO_TOTALS: InterventionTotals = {
  total: 0,
  byType: {},
  bySeverity: {},
  remediations: { tried: 0, succeeded: 0 },
}

/** Applies a finished attempt to everything about interventions: remediations, the list, feedback and the agent's profile. */
export function recordAttemptInterventions(
  state: WorkspaceState,
  event: EventOf<'attempt-finished'>,
): WorkspaceState {
  const { result, seq, at } = event
  const { cycle: iteration, taskId, attemptId } = result
  const raised = withoutRepeats(state, result.interventions, iteration, taskId)
  const answered = answerRemediations(state, result)
  const { agentId } = result
  const origin = { seq, at, iteration, taskId, attemptId, agentId }
  const listed = answerFollowUp(listInterventions(answered, raised, origin), result, raised)
  const kept = result.verdict === 'verified' ? dropFeedback(listed, taskId) : listed
  const pending = sayFeedback(kept, result, raised, { at, iteration, taskId })
  return countAttemptOfDay(updateProfile(pending, result, raised, at), result, raised)
}

/** Adds an intervention that belongs to no single attempt. */
export function recordIntervention(
  state: WorkspaceState,
  { seq, at, cycle: iteration, taskId, intervention }: EventOf<'intervention-raised'>,
): WorkspaceState {
  const origin = { seq, at, iteration, taskId, attemptId: null, agentId: null }
  // Without a task there may be several: such as two commands of a process, each with its own request.
  if (taskId !== null && withoutRepeats(state, [intervention], iteration, taskId).length === 0) return state
  const counted = countInterventionOfDay(state, intervention.event_type)
  const listed = listInterventions(counted, [intervention], origin)
  return withFeedback(listed, addFeedback(listed.feedback, [intervention], origin))
}

/** Resets everything about interventions to zero and sets the old data aside. If there was none, data set aside earlier is kept. */
export function resetInterventions(
  state: WorkspaceState,
  { at }: EventOf<'interventions-reset'>,
): WorkspaceState {
  const { interventions, interventionTotals: totals, profiles } = state
  const isEmpty = totals.total === 0 && Object.values(profiles).every(({ attempts }) => attempts === 0)
  return endSuspension({
    ...state,
    feedback: [],
    interventions: [],
    interventionTotals: NO_TOTALS,
    profiles: Object.fromEntries(Object.keys(profiles).map((id) => [id, newProfile(id)])),
    interventionArchive: isEmpty ? state.interventionArchive : { at, interventions, totals, profiles },
  })
}

/** Undoes the last reset: the data set aside counts again, together with newer data. Breakers stay as they are now. */
export function restoreInterventions(state: WorkspaceState): WorkspaceState {
  const { interventionArchive: archive } = state
  if (archive === null) return state
  const restored = Object.entries(archive.profiles).map(([id, before]): [string, AgentProfile] => {
    const now = Object.hasOwn(state.profiles, id) ? state.profiles[id] : undefined
    return [id, now === undefined ? before : joinProfiles(before, now)]
  })
  return {
    ...state,
    interventions: [...state.interventions, ...archive.interventions].slice(0, KEPT_INTERVENTIONS),
    interventionTotals: joinTotals(archive.totals, state.interventionTotals),
    profiles: { ...state.profiles, ...Object.fromEntries(restored) },
    interventionArchive: null,
  }
}

function joinTotals(a: InterventionTotals, b: InterventionTotals): InterventionTotals {
  return {
    total: a.total + b.total,
    byType: sum(a.byType, b.byType),
    bySeverity: sum(a.bySeverity, b.bySeverity),
    remediations: {
      tried: a.remediations.tried + b.remediations.tried,
      succeeded: a.remediations.succeeded + b.remediations.succeeded,
    },
  }
}

function sum(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]))
}

/**
 * Records whether interventions of earlier iterations were remedied, now that the task was judged again, if the prompt contained feedback
 * about them. Without feedback there was no remediation to rate.
 */
function answerRemediations(state: WorkspaceState, result: AttemptResult): WorkspaceState {
  if (result.verdict === null) return state
  const answer = !result.feedbackShown ? 'none' : result.verdict === 'verified' ? 'succeeded' : 'failed'
  return answerPending(state, result.taskId, answer)
}

function answerPending(
  state: WorkspaceState,
  taskId: string,
  answer: Exclude<InterventionRecord['remediation'], 'pending'>,
): WorkspaceState {
  let answered = 0
  const interventions = state.interventions.map((record): InterventionRecord => {
    if (record.remediation !== 'pending' || record.taskId !== taskId) return record
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

/** Returns only new interventions: the same event of the same task in the same iteration counts once. */
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
  readonly agentId: string | null
}

/** Records whether this attempt's interventions were remedied by a follow-up in the same session, which was judged again. */
function answerFollowUp(
  state: WorkspaceState,
  result: AttemptResult,
  raised: readonly RaisedIntervention[],
): WorkspaceState {
  const isFollowedUp = raised.some(({ event_type: type }) => type === 'mid_stream_prompt_injected')
  if (!isFollowedUp || result.verdict === null) return state
  return answerPending(state, result.taskId, result.verdict === 'verified' ? 'succeeded' : 'failed')
}

function listInterventions(
  state: WorkspaceState,
  raised: readonly RaisedIntervention[],
  { seq, at, iteration, taskId, attemptId, agentId }: Origin,
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
      agentId,
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

/** Updates the agent's profile, unless the attempt never ran or the environment stopped it: that says nothing about how the agent works. */
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
    contradicted: result.groundTruthContradiction,
  })
  // Keep the agents that ran most recently.
  const others = Object.entries(state.profiles)
    .filter(([id]) => id !== agentId)
    .sort(([, a], [, b]) => b.lastIteration - a.lastIteration)
    .slice(0, KEPT_PROFILES - 1)
  return { ...state, profiles: Object.fromEntries([[agentId, profile], ...others]) }
}
