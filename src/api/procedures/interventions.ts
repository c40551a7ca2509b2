import { z } from 'zod'
import { interventionMetricsSchema, interventionSchema } from '../../core/read-model/intervention.ts'
import { workspaceSchema } from '../../core/read-model/workspace.ts'
import { interventionTypeSchema } from '../../core/vocabulary/intervention.ts'
import { severitySchema } from '../../core/vocabulary/severity.ts'
import { base, forPrograms, get, post, workspaceInput } from './base.ts'

export const interventionsProcedures = {
  list: forPrograms
    .route(get('/interventions', 'Interventions, newest first'))
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
    .route(get('/interventions/metrics', 'Totals over all interventions'))
    .input(workspaceInput)
    .output(interventionMetricsSchema),
  reset: base
    .route(
      post(
        '/interventions/reset',
        'Starts over: archives interventions, profiles, circuit breakers and pending feedback',
      ),
    )
    .input(workspaceInput)
    .output(workspaceSchema),
  restore: base
    .route(post('/interventions/restore', 'Undoes the last reset; 409 if there is none'))
    .input(workspaceInput)
    .output(workspaceSchema),
}
