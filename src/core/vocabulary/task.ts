import { z } from 'zod'

export const TASK_STATUSES = ['pending', 'verified', 'failed', 'skipped'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]
export const taskStatusSchema = z.enum(TASK_STATUSES)

/** What a pending task waits for before it can run: the operator's review of held work, or a check that can run. */
export const WAITING_FOR = ['review', 'fix_gate'] as const
export type WaitingFor = (typeof WAITING_FOR)[number]

/** What the agent says about a task. */
export const CLAIM_STATUSES = ['done', 'skipped', 'failed'] as const
export type ClaimStatus = (typeof CLAIM_STATUSES)[number]
export const claimStatusSchema = z.enum(CLAIM_STATUSES)

/** The operator's rating of the work. */
export const THUMBS = ['up', 'down'] as const
export type Thumb = (typeof THUMBS)[number]
export const thumbSchema = z.enum(THUMBS)
