import { z } from 'zod'
import { complexitySchema } from '../../core/vocabulary/complexity.ts'
import { taskStatusSchema } from '../../core/vocabulary/task.ts'
import { contractTaskSchema } from './contract-document.ts'

export const taskSchema = contractTaskSchema.extend({
  status: taskStatusSchema,
  attempts: z.number().int(),
  blocked: z.boolean(),
  /** The next attempt's, in seconds. */
  timeoutSeconds: z.number(),
  /** How the timeout comes about, in words. */
  timeoutReason: z.string(),
  /** Kind of work by the task's words, which the timeout goes by. */
  complexity: complexitySchema,
  lastAttemptAt: z.string().nullable(),
  lastResult: z.string().nullable(),
  lastAttemptId: z.string().nullable(),
})

export type Task = z.infer<typeof taskSchema>
