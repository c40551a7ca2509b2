import type { InterventionType, Remediation } from '../vocabulary/intervention.ts'
import type { Severity } from '../vocabulary/severity.ts'
import type { InterventionRecord, InterventionTotals } from './types.ts'

/** The numbers as the API and the command show them. */
export interface InterventionMetrics {
  readonly total_interventions: number
  readonly interventions_by_type: Readonly<Record<string, number>>
  readonly interventions_by_severity: Readonly<Record<string, number>>
  /** One decimal; 0 where nothing has run. */
  readonly intervention_rate_per_100_iterations: number
  /** Share from 0 to 1, three decimals; 0 where no remediation has been tried. */
  readonly avg_remediation_success_rate: number
}

/** The numbers over all interventions ever raised in so many iterations (cycles). */
export function interventionMetrics(totals: InterventionTotals, iterations: number): InterventionMetrics {
  const { total, byType, bySeverity, remediations } = totals
  return {
    total_interventions: total,
    interventions_by_type: byType,
    interventions_by_severity: bySeverity,
    intervention_rate_per_100_iterations: iterations === 0 ? 0 : Math.round((total / iterations) * 1000) / 10,
    avg_remediation_success_rate:
      remediations.tried === 0 ? 0 : Math.round((remediations.succeeded / remediations.tried) * 1000) / 1000,
  }
}

/** An intervention in the shape that goes out, to the document and the API alike. */
export interface InterventionEntry {
  readonly id: string
  /** ISO 8601 with offset. */
  readonly timestamp: string
  readonly iteration: number
  readonly task_id: string | null
  readonly attempt_id: string | null
  readonly event_type: InterventionType
  readonly severity: Severity
  readonly details: Record<string, unknown>
  readonly remediation: Remediation
  /** Feedback about it stood in a prompt, and the task was judged again. */
  readonly remediation_attempted: boolean
  /** Exit code of the agent in that attempt; `null` where there is none. */
  readonly agent_return_code: number | null
}

export function interventionEntry(record: InterventionRecord): InterventionEntry {
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
