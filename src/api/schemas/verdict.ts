import { z } from 'zod'

export const verdictSchema = z.enum(['verified', 'not_verified', 'unclear'])

export const outcomeSchema = z.enum(['completed', 'timeout', 'error', 'denied', 'unavailable'])

export const faultSchema = z.enum(['agent', 'environment', 'contract'])
