import { z } from 'zod'

/** Whose an attempt is that did not succeed. `limit`: we ended it while it was at work. */
export const FAULTS = ['agent', 'environment', 'contract', 'limit'] as const

export type Fault = (typeof FAULTS)[number]

export const faultSchema = z.enum(FAULTS)

/** Whose it is that a check could not be made. */
export type CheckFault = Extract<Fault, 'contract' | 'environment'>
