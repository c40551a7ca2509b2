import { z } from 'zod'
import { complexitySchema } from '../vocabulary/complexity.ts'
import { faultSchema } from '../vocabulary/fault.ts'
import { outcomeSchema } from '../vocabulary/outcome.ts'
import { verdictSchema } from '../vocabulary/verdict.ts'

const pastAttemptSchema = z.object({
  kind: z.literal('attempt'),
  attemptId: z.string(),
  at: z.string(),
  outcome: outcomeSchema,
  verdict: verdictSchema.nullable(),
  fault: faultSchema.nullable(),
  durationMs: z.number(),
  timeoutSeconds: z.number(),
  reason: z.string(),
  gateUnavailable: z.boolean(),
  /** Acceptance criteria checked when it ended, of how many. */
  criteria: z.object({ met: z.number().int(), total: z.number().int() }),
})

const pastUnblockSchema = z.object({
  kind: z.literal('unblock'),
  at: z.string(),
  by: z.enum(['operator', 'auto']),
  reason: z.string(),
  timeoutSeconds: z.number().nullable(),
})

/** A task that failed and has no attempts left, with what can be said and done about it. */
export const blockedTaskSchema = z.object({
  taskId: z.string(),
  description: z.string(),
  verify: z.string(),
  level: complexitySchema,
  /** Why it is blocked, in words. */
  reason: z.string(),
  attempts: z.number().int(),
  maxAttempts: z.number().int(),
  lastAttemptAt: z.string().nullable(),
  /** Newest first, at most 30. */
  history: z.array(z.discriminatedUnion('kind', [pastAttemptSchema, pastUnblockSchema])),
  /** `null` where none was asked for and `auto_suggest` is off. */
  suggestion: z
    .object({
      kind: z.enum([
        'already_done',
        'increase_timeout',
        'tighten_hint',
        'skip_subtasks',
        'fix_gate',
        'manual_review',
      ]),
      timeoutSeconds: z.number().nullable(),
      reason: z.string(),
    })
    .nullable(),
  /** What the last sweep found; `at` is when it first found so. */
  swept: z.object({ holds: z.boolean().nullable(), reason: z.string(), at: z.string() }).nullable(),
  /** Of the next attempt, were the task unblocked without a timeout of its own. */
  nextTimeoutSeconds: z.number(),
  nextTimeoutReason: z.string(),
  /** Of the settings (`max_timeout`); an unblock may go beyond it. */
  maxTimeoutSeconds: z.number(),
  /** How often `retry-blocked` has unblocked it. */
  autoUnblocks: z.number().int(),
})

/** A task that was unblocked, with the timeout of its next attempt. */
export const unblockedTaskSchema = z.object({
  taskId: z.string(),
  level: complexitySchema,
  timeoutSeconds: z.number(),
  timeoutReason: z.string(),
  maxAttempts: z.number().int(),
  /** Of the settings (`max_timeout`); an unblock may go beyond it. */
  maxTimeoutSeconds: z.number(),
})

export const unblockReportSchema = z.object({
  unblocked: z.array(unblockedTaskSchema),
  refused: z.array(z.object({ taskId: z.string(), reason: z.string() })),
})

/** Which unblocks were taken back; those that could not be, each with the reason. */
export const undoReportSchema = z.object({
  blocked: z.array(z.string()),
  refused: z.array(z.object({ taskId: z.string(), reason: z.string() })),
})

/** What a sweep found of a blocked task; `holds: null` where its hint could not be measured. */
export const sweptTaskSchema = z.object({
  taskId: z.string(),
  holds: z.boolean().nullable(),
  reason: z.string(),
})

export type BlockedTask = z.infer<typeof blockedTaskSchema>

export type UnblockedTask = z.infer<typeof unblockedTaskSchema>

export type UnblockReport = z.infer<typeof unblockReportSchema>

export type UndoReport = z.infer<typeof undoReportSchema>

export type SweptTask = z.infer<typeof sweptTaskSchema>
