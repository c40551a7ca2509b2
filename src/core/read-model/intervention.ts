import { z } from 'zod'
import type { InterventionRecord, InterventionTotals } from '../intervention/types.ts'
import { interventionTypeSchema, remediationSchema } from '../vocabulary/intervention.ts'
import { severitySchema } from '../vocabulary/severity.ts'

/** One intervention, as in `interventions/events.json`. */
export const interventionSchema = z.object({
  id: z.string(),
  timestamp: z.string(),
  /** Number of the cycle. */
  iteration: z.int(),
  task_id: z.string().nullable(),
  attempt_id: z.string().nullable(),
  event_type: interventionTypeSchema,
  severity: severitySchema,
  details: z.record(z.string(), z.unknown()),
  /** Whether the task was verified at its next attempt, with this feedback in its prompt; `none` if nothing was asked for. */
  remediation: remediationSchema,
  /** A prompt contained feedback about it, and the task was judged again. */
  remediation_attempted: z.boolean(),
  /** Exit code of the agent in that attempt. */
  agent_return_code: z.number().nullable(),
})

export const interventionMetricsSchema = z.object({
  total_interventions: z.int(),
  interventions_by_type: z.record(z.string(), z.int()),
  interventions_by_severity: z.record(z.string(), z.int()),
  /** One decimal; 0 if nothing has run. */
  intervention_rate_per_100_iterations: z.number(),
  /** Share from 0 to 1, three decimals; 0 if no remediation was attempted. */
  avg_remediation_success_rate: z.number(),
})

export type Intervention = z.infer<typeof interventionSchema>

export type InterventionMetrics = z.infer<typeof interventionMetricsSchema>

/** Returns the metrics of all interventions ever raised, over this many iterations (cycles). */
export function interventionMetrics(totals: InterventionTotals, iterations: number): InterventionMetrics {
  const { total, byType, bySeverity, remediations } = totals
  return {
    total_interventions: total,
    interventions_by_type: { ...byType },
    interventions_by_severity: { ...bySeverity },
    intervention_rate_per_100_iterations: iterations === 0 ? 0 : Math.round((total / iterations) * 1000) / 10,
    avg_remediation_success_rate:
      remediations.tried === 0 ? 0 : Math.round((remediations.succeeded / remediations.tried) * 1000) / 1000,
  }
}

/** Returns an intervention in its public form, the same in the document and the API. */
export function interventionView(record: InterventionRecord): Intervention {
  const { id, at, iteration, taskId, attemptId, intervention, remediation } = record
  const { return_code: code } = intervention.details
  return {
    id,
    timestamp: at,
    iteration,
    task_id: taskId,
    attempt_id: attemptId,
    event_type: intervention.event_type,
    severity: intervention.severity,
    details: intervention.details,
    remediation,
    remediation_attempted: remediation === 'succeeded' || remediation === 'failed',
    agent_return_code: typeof code === 'number' ? code : null,
  }
}
