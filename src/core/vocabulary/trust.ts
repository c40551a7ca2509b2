import { z } from 'zod'

/** How the configuration on disk relates to the approved one. */
export const TRUST_STATES = ['approved', 'changed', 'unapproved', 'missing'] as const

export const trustStateSchema = z.enum(TRUST_STATES)

export type TrustName = (typeof TRUST_STATES)[number]
