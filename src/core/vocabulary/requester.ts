import { z } from 'zod'

/**
 * Whose word a request that changes trust or score may be. `operator`: from afar, by a signed request. `channel`: a button of a
 * message that only the operator has got.
 */
const REQUESTERS = ['app', 'page', 'terminal', 'program', 'host', 'operator', 'channel'] as const

export type Requester = (typeof REQUESTERS)[number]

export const requesterSchema = z.enum(REQUESTERS)
