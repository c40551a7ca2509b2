import { z } from 'zod'
import { faultSchema } from '../vocabulary/fault.ts'
import { outcomeSchema } from '../vocabulary/outcome.ts'
import { unblockerSchema } from '../vocabulary/unblock.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'

/** One attempt in a task's history, for suggestions and learning. */
export const taskAttemptSchema = z.object({
  kind: z.literal('attempt'),
  attemptId: z.string(),
  /** ISO 8601. */
  at: z.string(),
  outcome: outcomeSchema,
  verdict: verdictSchema.nullable(),
  fault: faultSchema.nullable(),
  durationMs: z.number(),
  timeoutSeconds: z.number(),
  reason: z.string(),
  gateUnavailable: z.boolean(),
  /** Acceptance criteria that were checked off when it ended (`met`), and their number (`total`). */
  criteria: z.object({ met: z.int(), total: z.int() }),
  /** True if its claim is contradicted. Omitted: it is not, or it is too long ago to be known. */
  contradiction: z.boolean().optional(),
})

/** An unblock in a task's history. */
export const taskUnblockSchema = z.object({
  kind: z.literal('unblock'),
  at: z.string(),
  by: unblockerSchema,
  reason: z.string(),
  timeoutSeconds: z.number().nullable(),
})

export type TaskAttempt = Readonly<z.infer<typeof taskAttemptSchema>>

export type TaskUnblock = Readonly<z.infer<typeof taskUnblockSchema>>
