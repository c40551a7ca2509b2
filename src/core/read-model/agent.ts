import { z } from 'zod'
import { PRESET_IDS } from '../agents/programs.ts'
import { INTERVENTION_SETTINGS } from '../configuration/interventions.ts'
import { breakerOutlook } from '../intervention/breaker.ts'
import { newProfile } from '../intervention/profile.ts'
import type { AgentProfile as Profile } from '../intervention/types.ts'
import type { AgentDay as RecordedDay, WorkspaceState } from '../record/state.ts'
import { each } from '../vocabulary/each.ts'
import { breakerStateSchema } from '../vocabulary/intervention.ts'
import { VERDICTS } from '../vocabulary/verdict.ts'
import { interventionSchema, interventionView } from './intervention.ts'

/** How one agent works, as in `interventions/profile.json`. */
export const agentProfileSchema = z.object({
  agent_id: z.string(),
  total_iterations: z.int(),
  no_files_count: z.int(),
  false_completion_count: z.int(),
  avg_files_per_iteration: z.number(),
  avg_evidence_count: z.number(),
  last_reinforcement: z.string().nullable(),
  intervention_threshold_exceeded: z.boolean(),
  /** Its last 50 events, oldest first. */
  intervention_history: z.array(interventionSchema).readonly(),
})

export type AgentProfile = z.infer<typeof agentProfileSchema>

/** The circuit breaker of one agent, and what it would take for its next step. */
export const breakerSchema = z.object({
  state: breakerStateSchema,
  since: z.string().nullable(),
  /** In words; empty if it is closed. */
  reason: z.string(),
  /**
   * Counted toward the thresholds so far: attempts that changed no file within the window, and `false_completion_detected`
   * events since it closed.
   */
  noFiles: z.int(),
  falseCompletions: z.int(),
  /** Iterations within which attempts that changed no file count. */
  windowIterations: z.int(),
  /** `null` if nothing uses the breaker: interventions are off, or no configuration is approved. */
  thresholds: z
    .object({ noFiles: z.int(), falseCompletions: z.int(), aggressiveMode: z.boolean() })
    .nullable(),
  /** Events of either kind until the next step, and what that step is; `null` if there are no thresholds or it has tripped. */
  next: z
    .object({
      state: breakerStateSchema.exclude(['closed']),
      noFiles: z.int(),
      falseCompletions: z.int(),
    })
    .nullable(),
})

export const knownAgentSchema = z.object({
  profile: agentProfileSchema,
  breaker: breakerSchema,
  /** True if the active configuration names it. */
  configured: z.boolean(),
})

/** The configured agent in one line. */
export const agentLineSchema = z.object({
  profile: agentProfileSchema.omit({ intervention_history: true }),
  breaker: breakerSchema,
})

/** Tokens and money; a figure is `null` if no program has reported it. */
export const usageTotalsSchema = z.object({
  /** Attempts that reported any. */
  attempts: z.int(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  cachedInputTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  /** Estimated cost from the price table, for attempts whose program reported no cost. */
  estimatedUsd: z.number().optional(),
})

export const agentDaySchema = z.object({
  agentId: z.string(),
  /** By the verifier's verdict; `none` if there was none. Overruling doesn't change it. */
  attempts: z.object(each([...VERDICTS, 'none'], () => z.int())),
  contradictions: z.int(),
  /** By type. */
  interventions: z.record(z.string(), z.int()),
  /** Pieces of evidence per attempt, not counting attempts stopped by the environment; two decimals; `null` if there was no attempt. */
  evidencePerAttempt: z.number().nullable(),
  medianSeconds: z.number().nullable(),
  usage: usageTotalsSchema.nullable(),
})

export const agentFiguresSchema = z.object({
  /** The workspace's local day. */
  today: z.string(),
  /** Days on which something was counted, oldest first, at most 30. */
  days: z.array(
    z.object({
      day: z.string(),
      agents: z.array(agentDaySchema),
      /** Interventions that belong to no single attempt, by type. */
      otherInterventions: z.record(z.string(), z.int()),
    }),
  ),
  /** Tasks of the contract whose attempts reported usage, most expensive first; at most 100. */
  tasks: z.array(z.object({ taskId: z.string(), usage: usageTotalsSchema })),
})

export type Breaker = z.infer<typeof breakerSchema>

export type KnownAgent = z.infer<typeof knownAgentSchema>

export type AgentLine = z.infer<typeof agentLineSchema>

export type UsageTotals = z.infer<typeof usageTotalsSchema>

export type AgentDay = z.infer<typeof agentDaySchema>

export type AgentFigures = z.infer<typeof agentFiguresSchema>

const loginStateSchema = z.enum(['logged-in', 'logged-out', 'unknown'])

/** An agent that Pulseward knows how to run, and what was found about it on the host's machine. */
export const discoveredAgentSchema = z.object({
  /** For `[agent] preset`. */
  preset: z.enum(PRESET_IDS),
  name: z.string(),
  found: z.boolean(),
  path: z.string().nullable(),
  /** As reported by the program; `null` if it doesn't answer within five seconds. */
  version: z.string().nullable(),
  /** The version that `capabilities` and `remarks` were measured on; `null`: never measured. */
  measuredVersion: z.string().nullable(),
  login: loginStateSchema,
  /** How to install it or log in, if needed. */
  hint: z.string().nullable(),
  /** The first is what the preset uses unless told otherwise. */
  modes: z.array(z.enum(['print', 'acp'])),
  /** Whether the program that `mode = "acp"` runs is installed, and how to install it if it is a separate one. */
  acpFound: z.boolean(),
  acpHint: z.string().nullable(),
  /** In print mode; `null` if it is only run over ACP. */
  capabilities: z
    .object({
      events: z.boolean(),
      denials: z.boolean(),
      resume: z.boolean(),
      usage: z.boolean(),
      cost: z.boolean(),
      mcp: z.boolean(),
    })
    .nullable(),
  remarks: z.array(z.string()),
})

/** Agents found first. */
export const agentDiscoverySchema = z.object({ agents: z.array(discoveredAgentSchema) })

export type DiscoveredAgent = z.infer<typeof discoveredAgentSchema>
export type AgentDiscovery = z.infer<typeof agentDiscoverySchema>

/** Maximum number of tasks whose usage is listed. */
const MAX_TASKS = 100
/** Maximum number of events in an agent's profile. */
const KEPT_HISTORY = 50

/** The settings of an agent's breaker in the active configuration. */
interface BreakerRules {
  readonly enabled: boolean
  readonly windowIterations: number
  readonly thresholdNoFiles: number
  readonly thresholdFalseCompletion: number
  readonly aggressiveMode: boolean
}

/** The settings of the active configuration that matter for showing agents; `null` if there is none. */
export interface AgentRules {
  readonly agent: { readonly id: string }
  readonly interventions: BreakerRules
}

/** Returns everything known about each agent: the configured one first (all zeros before its first run), then by latest run. */
export function agentViews(state: WorkspaceState, config: AgentRules | null): KnownAgent[] {
  return knownProfiles(state, config?.agent.id).map((profile) => ({
    profile: profileView(profile, state.interventions),
    breaker: breakerView(profile, config?.interventions ?? null),
    configured: profile.agentId === config?.agent.id,
  }))
}

/** Returns the agent that the active configuration names; `null` without an active one. */
export function agentLine(state: WorkspaceState, config: AgentRules | null): AgentLine | null {
  const profile = config === null ? undefined : knownProfiles(state, config.agent.id)[0]
  if (config === null || profile === undefined) return null
  return { profile: figuresView(profile), breaker: breakerView(profile, config.interventions) }
}

function knownProfiles(state: WorkspaceState, configured: string | undefined): readonly Profile[] {
  const ran = Object.values(state.profiles)
  const others = ran
    .filter(({ agentId }) => agentId !== configured)
    .sort((a, b) => b.lastIteration - a.lastIteration)
  if (configured === undefined) return others
  return [ran.find(({ agentId }) => agentId === configured) ?? newProfile(configured), ...others]
}

/** Returns a profile in its public form; `interventions` are those of the workspace, newest first. */
export function profileView(
  profile: Profile,
  interventions: WorkspaceState['interventions'] = [],
): AgentProfile {
  return {
    ...figuresView(profile),
    intervention_history: interventions
      .filter(({ agentId }) => agentId === profile.agentId)
      .slice(0, KEPT_HISTORY)
      .map(interventionView)
      .reverse(),
  }
}

function figuresView(profile: Profile): AgentLine['profile'] {
  return {
    agent_id: profile.agentId,
    total_iterations: profile.iterations,
    no_files_count: profile.noFilesCount,
    false_completion_count: profile.falseCompletionCount,
    avg_files_per_iteration: average(profile.filesWritten, profile.iterations),
    avg_evidence_count: average(profile.evidenceOffered, profile.attempts),
    last_reinforcement: profile.lastReinforcement,
    intervention_threshold_exceeded: profile.breaker.state !== 'closed',
  }
}

/** Returns the average with two decimals; 0 if there is nothing to divide by. */
function average(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum / count) * 100) / 100
}

function breakerView(profile: Profile, interventions: BreakerRules | null): Breaker {
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

/** Returns the daily figures in their public form, and what the contract's tasks used. */
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

/** Compares by cost if known, and by tokens among the rest. */
function weight({
  costUsd,
  estimatedUsd = 0,
  inputTokens,
  outputTokens,
}: AgentFigures['tasks'][number]['usage']): number {
  return ((costUsd ?? 0) + estimatedUsd) * 1e12 + (inputTokens ?? 0) + (outputTokens ?? 0)
}

function agentDayView(agentId: string, day: RecordedDay): AgentDay {
  const { attempts, contradictions, interventions, worked, evidence, seconds, usage } = day
  return {
    agentId,
    attempts: { ...attempts },
    contradictions,
    interventions: { ...interventions },
    evidencePerAttempt: worked === 0 ? null : average(evidence, worked),
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
