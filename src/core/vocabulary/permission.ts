import { z } from 'zod'

/** What the operator can answer an agent that requests permission. */
const PERMISSION_ANSWERS = ['allowed', 'denied'] as const

export type PermissionAnswer = (typeof PERMISSION_ANSWERS)[number]

export const permissionAnswerSchema = z.enum(PERMISSION_ANSWERS)

/** What became of a request; `expired`: nobody answered in time. */
const PERMISSION_DECISIONS = [...PERMISSION_ANSWERS, 'expired'] as const

export type PermissionDecision = (typeof PERMISSION_DECISIONS)[number]

export const permissionDecisionSchema = z.enum(PERMISSION_DECISIONS)

/** The kind of a question that asks for the operator's word on a request of a program's, and not for an agent's tool. */
export const CONFIRMATION = 'pulseward'
