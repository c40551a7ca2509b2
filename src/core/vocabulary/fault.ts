import { z } from 'zod'

/** Who is responsible for an unsuccessful attempt. `limit`: we stopped it while it was working. */
export const FAULTS = ['agent', 'environment', 'contract', 'limit'] as const

export type Fault = (typeof FAULTS)[number]

export const faultSchema = z.enum(FAULTS)

/** Who is responsible if a check could not be run. */
export type CheckFault = Extract<Fault, 'contract' | 'environment'>
