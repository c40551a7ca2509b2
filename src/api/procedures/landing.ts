import { z } from 'zod'
import { landingViewSchema } from '../../core/read-model/landing.ts'
import { landingAnswerSchema } from '../../core/vocabulary/landing.ts'
import { base, forPrograms, workspaceInput } from './base.ts'

export const landingListSchema = z.object({ landing: z.array(landingViewSchema) })

export const landingDetailsSchema = z.object({
  landing: landingViewSchema,
  /** What the attempt changed, against the target that it began with; bounded. */
  patch: z.string(),
})

export const landingProcedures = {
  list: forPrograms
    .route({
      method: 'GET',
      path: '/landing',
      summary: 'Work of isolated attempts on its way to the target, newest first',
    })
    .input(workspaceInput)
    .output(landingListSchema),
  show: forPrograms
    .route({
      method: 'GET',
      path: '/landing/{id}',
      summary: 'One attempt’s work with its difference, verified or not; kept for 30 days',
    })
    .input(workspaceInput.extend({ id: z.string() }))
    .output(landingDetailsSchema),
  answer: base
    .route({ method: 'POST', path: '/landing/{id}', summary: 'Lands, drops or retries an attempt’s work' })
    .input(workspaceInput.extend({ id: z.string(), answer: landingAnswerSchema }))
    .output(z.object({ landing: landingViewSchema })),
}
