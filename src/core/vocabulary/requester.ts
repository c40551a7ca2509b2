import { z } from 'zod'

/**
 * Who may have sent a request that changes trust or score. `operator`: remotely, by a signed request. `channel`: a button of a
 * message that only the operator has received.
 */
const REQUESTERS = ['app', 'page', 'terminal', 'program', 'host', 'operator', 'channel'] as const

export type Requester = (typeof REQUESTERS)[number]

export const requesterSchema = z.enum(REQUESTERS)
