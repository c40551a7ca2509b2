import { z } from 'zod'
import { interventionTypeSchema, remediationSchema } from '../vocabulary/intervention.ts'
import { severitySchema } from '../vocabulary/severity.ts'

/** One intervention, as in `interventions/events.json`. */
export const interventionSchema = z.object({
  id: z.string(),
  timestamp: z.string(),
  /** Number of the cycle. */
  iteration: z.number().int(),
  task_id: z.string().nullable(),
  attempt_id: z.string().nullable(),
  event_type: interventionTypeSchema,
  severity: severitySchema,
  details: z.record(z.string(), z.unknown()),
  /** Whether the task was verified at its next attempt, with feedback in its prompt; `none` where nothing was asked for. */
  remediation: remediationSchema,
  /** Feedback about it stood in a prompt, and the task was judged again. */
  remediation_attempted: z.boolean(),
  /** Exit code of the agent in that attempt. */
  agent_return_code: z.number().nullable(),
})

export const interventionMetricsSchema = z.object({
  total_interventions: z.number().int(),
  interventions_by_type: z.record(z.string(), z.number().int()),
  interventions_by_severity: z.record(z.string(), z.number().int()),
  intervention_rate_per_100_iterations: z.number(),
  /** Share from 0 to 1; 0 where no remediation has been tried. */
  avg_remediation_success_rate: z.number(),
})

export type Intervention = z.infer<typeof interventionSchema>

export type InterventionMetrics = z.infer<typeof interventionMetricsSchema>
