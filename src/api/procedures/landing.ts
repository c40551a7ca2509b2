import { z } from 'zod'
import { landingViewSchema } from '../../core/read-model/landing.ts'
import { landingAnswerSchema } from '../../core/vocabulary/landing.ts'
import { base, forPrograms, get, post, workspaceInput } from './base.ts'

export const landingListSchema = z.object({ landing: z.array(landingViewSchema) })

export const landingDetailsSchema = z.object({
  landing: landingViewSchema,
  /** What the attempt changed relative to the target it began with; truncated. `null`: git no longer has it. */
  patch: z.string().nullable(),
})

export const landingProcedures = {
  list: forPrograms
    .route(get('/landing', 'Work of isolated attempts on its way to the target, newest first'))
    .input(workspaceInput)
    .output(landingListSchema),
  show: forPrograms
    .route(get('/landing/{id}', 'One attempt’s work with its diff, verified or not; kept for 30 days'))
    .input(workspaceInput.extend({ id: z.string() }))
    .output(landingDetailsSchema),
  answer: base
    .route(post('/landing/{id}', 'Lands, drops or retries an attempt’s work'))
    .input(workspaceInput.extend({ id: z.string(), answer: landingAnswerSchema }))
    .output(z.object({ landing: landingViewSchema })),
}
