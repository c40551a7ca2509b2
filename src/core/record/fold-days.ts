import { addUsage } from '../activity/usage.ts'
import type { RaisedIntervention } from '../intervention/types.ts'
import { each } from '../vocabulary/each.ts'
import type { InterventionType } from '../vocabulary/intervention.ts'
import { VERDICTS } from '../vocabulary/verdict.ts'
import type { AttemptResult } from './events.ts'
import type { AgentDay, DayFigures, WorkspaceState } from './state.ts'

/*
 * How the agents worked, day by day, for charts. Kept in the state instead of being read from the ledger on demand: a month of a busy
 * workspace is tens of thousands of attempts, while their figures fit in a few kilobytes.
 */

/** Number of days of figures in the state. */
export const KEPT_DAYS = 30
/** More agents than this per day can't usefully be compared in a chart. */
const KEPT_AGENTS = 10
/** Enough for a meaningful median; on a busy day only the newest count. */
const KEPT_SECONDS = 100

const NO_AGENT_DAY: AgentDay = {
  attempts: each([...VERDICTS, 'none'], () => 0),
  contradictions: 0,
  interventions: {},
  worked: 0,
  evidence: 0,
  seconds: [],
  usage: null,
}

/** Counts a finished attempt on the day it is recorded on; `raised` are its interventions that count. */
export function countAttemptOfDay(
  state: WorkspaceState,
  result: AttemptResult,
  raised: readonly RaisedIntervention[],
): WorkspaceState {
  const { agentId } = result
  if (agentId === '') return state
  return changeToday(state, (day) => {
    const known = Object.hasOwn(day.agents, agentId) ? day.agents[agentId] : undefined
    const others = Object.entries(day.agents)
      .filter(([id]) => id !== agentId)
      .slice(0, KEPT_AGENTS - 1)
    const counted = agentDayAfter(known ?? NO_AGENT_DAY, result, raised)
    return { ...day, agents: Object.fromEntries([[agentId, counted], ...others]) }
  })
}

/** Counts an intervention that belongs to no attempt, and so to no agent. */
export function countInterventionOfDay(state: WorkspaceState, type: InterventionType): WorkspaceState {
  return changeToday(state, (day) => ({ ...day, otherInterventions: plusOne(day.otherInterventions, type) }))
}

function agentDayAfter(
  day: AgentDay,
  result: AttemptResult,
  raised: readonly RaisedIntervention[],
): AgentDay {
  const verdict = result.verdict ?? 'none'
  const isStopped = result.verdict === null && result.fault === 'environment'
  const seconds = Math.round(result.durationMs / result.tasksInRun / 100) / 10
  return {
    attempts: { ...day.attempts, [verdict]: day.attempts[verdict] + 1 },
    contradictions: day.contradictions + (result.groundTruthContradiction ? 1 : 0),
    interventions: raised.reduce((counts, { event_type }) => plusOne(counts, event_type), day.interventions),
    worked: day.worked + (isStopped ? 0 : 1),
    evidence: day.evidence + (isStopped ? 0 : result.evidenceCount),
    seconds: isStopped ? day.seconds : [seconds, ...day.seconds].slice(0, KEPT_SECONDS),
    usage: addUsage(day.usage, result.activity?.usage ?? null, 1 / result.tasksInRun),
  }
}

function plusOne(
  counts: Readonly<Record<string, number>>,
  type: InterventionType,
): Readonly<Record<string, number>> {
  return { ...counts, [type]: (counts[type] ?? 0) + 1 }
}

function changeToday(state: WorkspaceState, change: (day: DayFigures) => DayFigures): WorkspaceState {
  const date = state.day ?? ''
  const [newest, ...older] = state.days
  const isToday = newest?.day === date
  const today = isToday ? newest : { day: date, agents: {}, otherInterventions: {} }
  return { ...state, days: [change(today), ...(isToday ? older : state.days)].slice(0, KEPT_DAYS) }
}
