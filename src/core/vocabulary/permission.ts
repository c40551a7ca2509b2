import { z } from 'zod'

/** The operator's possible answers to an agent that requests permission. */
const PERMISSION_ANSWERS = ['allowed', 'denied'] as const

export type PermissionAnswer = (typeof PERMISSION_ANSWERS)[number]

export const permissionAnswerSchema = z.enum(PERMISSION_ANSWERS)

/** The outcome of a request; `expired`: not answered in time. */
const PERMISSION_DECISIONS = [...PERMISSION_ANSWERS, 'expired'] as const

export type PermissionDecision = (typeof PERMISSION_DECISIONS)[number]

export const permissionDecisionSchema = z.enum(PERMISSION_DECISIONS)

/** The kind of a question that asks the operator to confirm a request by a program, not an agent's tool. */
export const CONFIRMATION = 'pulseward'
