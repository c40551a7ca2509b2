import { z } from 'zod'
import { PRESET_IDS } from '../agents/programs.ts'
import { each } from '../vocabulary/each.ts'
import { breakerStateSchema } from '../vocabulary/intervention.ts'
import { VERDICTS } from '../vocabulary/verdict.ts'
import { interventionSchema } from './intervention.ts'

/** How one agent works, as in `interventions/profile.json`. */
export const agentProfileSchema = z.object({
  agent_id: z.string(),
  total_iterations: z.number().int(),
  no_files_count: z.number().int(),
  false_completion_count: z.number().int(),
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
  /** In words; empty where it is closed. */
  reason: z.string(),
  /** Counted towards the thresholds so far: attempts that changed no file within the window, false completions since it closed. */
  noFiles: z.number().int(),
  falseCompletions: z.number().int(),
  /** Iterations within which attempts that changed no file count. */
  windowIterations: z.number().int(),
  /** `null` where nothing asks the breaker: interventions are off, or no configuration is in force. */
  thresholds: z
    .object({ noFiles: z.number().int(), falseCompletions: z.number().int(), aggressiveMode: z.boolean() })
    .nullable(),
  /** Events of either kind until the next step, and what that is; `null` without thresholds or where it has tripped. */
  next: z
    .object({
      state: breakerStateSchema.exclude(['closed']),
      noFiles: z.number().int(),
      falseCompletions: z.number().int(),
    })
    .nullable(),
})

export const knownAgentSchema = z.object({
  profile: agentProfileSchema,
  breaker: breakerSchema,
  /** It is the one that the configuration in force names. */
  configured: z.boolean(),
})

/** Tokens and money; a figure is `null` where no program has reported it. */
export const usageTotalsSchema = z.object({
  /** Attempts that reported any. */
  attempts: z.number().int(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  cachedInputTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
})

export const agentDaySchema = z.object({
  agentId: z.string(),
  /** By the verifier's verdict; `none` where there was none. Overruling changes none of it. */
  attempts: z.object(each([...VERDICTS, 'none'], () => z.number().int())),
  contradictions: z.number().int(),
  /** By type. */
  interventions: z.record(z.string(), z.number().int()),
  /** Pieces of evidence per attempt that the environment did not stop, two decimals; `null` where there was none. */
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
      otherInterventions: z.record(z.string(), z.number().int()),
    }),
  ),
  /** Tasks of the contract whose attempts reported usage, the dearest first; at most 100. */
  tasks: z.array(z.object({ taskId: z.string(), usage: usageTotalsSchema })),
})

export type Breaker = z.infer<typeof breakerSchema>

export type KnownAgent = z.infer<typeof knownAgentSchema>

export type UsageTotals = z.infer<typeof usageTotalsSchema>

export type AgentDay = z.infer<typeof agentDaySchema>

export type AgentFigures = z.infer<typeof agentFiguresSchema>
const loginStateSchema = z.enum(['logged-in', 'logged-out', 'unknown'])

/** An agent that Pulseward knows how to run, and what is found of it on the host's machine. */
export const discoveredAgentSchema = z.object({
  /** For `[agent] preset`. */
  preset: z.enum(PRESET_IDS),
  name: z.string(),
  found: z.boolean(),
  path: z.string().nullable(),
  /** As the program says; `null` where it does not within five seconds. */
  version: z.string().nullable(),
  /** The version that `capabilities` and `remarks` were measured on; `null`: never measured. */
  measuredVersion: z.string().nullable(),
  login: loginStateSchema,
  /** How to install it or log in, where that is missing. */
  hint: z.string().nullable(),
  /** The first is what the preset uses unless told otherwise. */
  modes: z.array(z.enum(['print', 'acp'])),
  /** Whether what `mode = "acp"` runs is there, and how to install it where it is a program of its own. */
  acpFound: z.boolean(),
  acpHint: z.string().nullable(),
  /** In print mode; `null` where it is only run over ACP. */
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
