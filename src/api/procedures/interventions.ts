import { z } from 'zod'
import { interventionMetricsSchema, interventionSchema } from '../../core/read-model/intervention.ts'
import { workspaceSchema } from '../../core/read-model/workspace.ts'
import { interventionTypeSchema } from '../../core/vocabulary/intervention.ts'
import { severitySchema } from '../../core/vocabulary/severity.ts'
import { base, forPrograms, workspaceInput } from './base.ts'

export const interventionsProcedures = {
  list: forPrograms
    .route({ method: 'GET', path: '/interventions', summary: 'Interventions, newest first' })
    .input(
      workspaceInput.extend({
        last: z.coerce.number().int().min(1).max(1000).default(50),
        type: interventionTypeSchema.optional(),
        severity: severitySchema.optional(),
        /** `nextCursor` of the previous answer, to continue from there. */
        cursor: z.string().optional(),
      }),
    )
    .output(z.object({ interventions: z.array(interventionSchema), nextCursor: z.string().nullable() })),
  metrics: forPrograms
    .route({ method: 'GET', path: '/interventions/metrics', summary: 'Totals over all interventions' })
    .input(workspaceInput)
    .output(interventionMetricsSchema),
  reset: base
    .route({
      method: 'POST',
      path: '/interventions/reset',
      summary: 'Starts over: archives interventions, profiles, circuit breakers and pending feedback',
    })
    .input(workspaceInput)
    .output(workspaceSchema),
  restore: base
    .route({
      method: 'POST',
      path: '/interventions/restore',
      summary: 'Undoes the last reset; 409 if there is none',
    })
    .input(workspaceInput)
    .output(workspaceSchema),
}
