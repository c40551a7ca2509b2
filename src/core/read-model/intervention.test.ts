import { expect, test } from 'vitest'
import { interventionMetrics } from './intervention.ts'

test.each([
  [{ total: 0, tried: 0, succeeded: 0 }, 0, 0, 0],
  [{ total: 3, tried: 0, succeeded: 0 }, 8, 37.5, 0],
  [{ total: 3, tried: 3, succeeded: 2 }, 300, 1, 0.667],
  [{ total: 1, tried: 1, succeeded: 1 }, 0, 0, 1],
])('metrics of %o in %i iterations', ({ total, tried, succeeded }, iterations, rate, success) => {
  const totals = {
    total,
    byType: { stalled: total },
    bySeverity: { warning: total },
    remediations: { tried, succeeded },
  }
  expect(interventionMetrics(totals, iterations)).toEqual({
    total_interventions: total,
    interventions_by_type: { stalled: total },
    interventions_by_severity: { warning: total },
    intervention_rate_per_100_iterations: rate,
    avg_remediation_success_rate: success,
  })
})
