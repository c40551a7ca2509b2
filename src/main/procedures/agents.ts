import { RequestProblem } from '../../api/request-problem.ts'
import { INTERVENTION_SETTINGS } from '../../core/configuration/interventions.ts'
import { breakerOutlook } from '../../core/intervention/breaker.ts'
import { newProfile, profileDocument } from '../../core/intervention/profile.ts'
import type { AgentProfile as Profile } from '../../core/intervention/types.ts'
import type {
  AgentDay,
  AgentFigures,
  AgentProfile,
  Breaker,
  KnownAgent,
} from '../../core/read-model/agent.ts'
import type { AgentDay as RecordedDay, WorkspaceState } from '../../core/record/state.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { os, workspaceOf } from './implementer.ts'

/** Tasks whose usage is listed. */
const MAX_TASKS = 100

export const agents = {
  list: os.agents.list.handler(({ input, context }) => agentsOf(workspaceOf(input, context))),
  figures: os.agents.figures.handler(({ input, context }) =>
    agentFigures(workspaceOf(input, context).ledger.state),
  ),
  discover: os.agents.discover.handler(async ({ context }) => ({
    agents: await context.host.discoverAgents(),
  })),
  profile: os.agents.profile.handler(({ input, context }) =>
    profileOf(workspaceOf(input, context), input.id),
  ),
}

/** The profile of an agent that ran here, or of the configured one, all zeros, before it has. */
export function profileOf(runtime: WorkspaceRuntime, agentId: string): AgentProfile {
  const profiles = knownProfiles(runtime)
  const known = profiles.find((profile) => profile.agentId === agentId)
  if (known !== undefined) return profileDocument(known, runtime.ledger.state.interventions)
  const ids = profiles.map((profile) => profile.agentId)
  throw new RequestProblem(
    'not-found',
    `No agent ${JSON.stringify(agentId)} has run in ${runtime.name}; known are ${ids.join(', ') || 'none'}.`,
  )
}

/** Everything known of each agent; the configured one first, then by how recently they ran. */
export function agentsOf(runtime: WorkspaceRuntime): KnownAgent[] {
  const { config } = runtime.loop
  return knownProfiles(runtime).map((profile) => ({
    profile: profileDocument(profile, runtime.ledger.state.interventions),
    breaker: breakerView(profile, config?.interventions ?? null),
    configured: profile.agentId === config?.agent.id,
  }))
}

function knownProfiles({ ledger, loop }: WorkspaceRuntime): readonly Profile[] {
  const configured = loop.config?.agent.id
  const ran = Object.values(ledger.state.profiles)
  const others = ran
    .filter(({ agentId }) => agentId !== configured)
    .sort((a, b) => b.lastIteration - a.lastIteration)
  if (configured === undefined) return others
  return [ran.find(({ agentId }) => agentId === configured) ?? newProfile(configured), ...others]
}

function breakerView(
  profile: Profile,
  interventions: NonNullable<WorkspaceRuntime['loop']['config']>['interventions'] | null,
): Breaker {
  const { state, since, reason } = profile.breaker
  const windowIterations = interventions?.windowIterations ?? INTERVENTION_SETTINGS.window_iterations.default
  const isAsked = interventions?.enabled === true
  const thresholds = {
    noFiles: interventions?.thresholdNoFiles ?? 1,
    falseCompletions: interventions?.thresholdFalseCompletion ?? 1,
    aggressiveMode: interventions?.aggressiveMode ?? false,
  }
  const { noFiles, falseCompletions, missing, next } = breakerOutlook(profile, {
    ...thresholds,
    windowIterations,
  })
  return {
    state,
    since,
    reason,
    noFiles,
    falseCompletions,
    windowIterations,
    thresholds: isAsked ? thresholds : null,
    next: isAsked && next !== null ? { state: next, ...missing } : null,
  }
}

/** The days' figures in the shape that goes out, and what the contract's tasks used. */
export function agentFigures({ score, days, tasks, day: today }: WorkspaceState): AgentFigures {
  const used = Object.entries(tasks)
    .flatMap(([taskId, { usage }]) => (usage === null ? [] : [{ taskId, usage }]))
    .sort((a, b) => weight(b.usage) - weight(a.usage))
  return {
    today: today ?? score.today.date,
    days: days.toReversed().map(({ day, agents, otherInterventions }) => ({
      day,
      agents: Object.entries(agents).map(([agentId, figures]) => agentDayView(agentId, figures)),
      otherInterventions: { ...otherInterventions },
    })),
    tasks: used.slice(0, MAX_TASKS),
  }
}

/** By money where it is known, by tokens below that. */
function weight({ costUsd, inputTokens, outputTokens }: AgentFigures['tasks'][number]['usage']): number {
  return (costUsd ?? 0) * 1e12 + (inputTokens ?? 0) + (outputTokens ?? 0)
}

function agentDayView(agentId: string, day: RecordedDay): AgentDay {
  const { attempts, contradictions, interventions, worked, evidence, seconds, usage } = day
  return {
    agentId,
    attempts: { ...attempts },
    contradictions,
    interventions: { ...interventions },
    evidencePerAttempt: worked === 0 ? null : Math.round((evidence / worked) * 100) / 100,
    medianSeconds: median(seconds),
    usage,
  }
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2
}
