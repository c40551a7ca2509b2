import { z } from 'zod'
import { hostNameSchema } from './names.ts'

/** The lease on a shared piece of work, as recorded in the hub. */
export const leaseSchema = z.object({
  v: z.literal(1),
  /** `null`: the lease was released. */
  holder: hostNameSchema.nullable(),
  /** Tells apart two machines that joined with the same token. */
  instance: z.string().max(60),
  /** Grows whenever another host takes the lease. */
  epoch: z.int().min(1),
  /** How long it is valid after it was written. */
  ttlMs: z
    .number()
    .int()
    .min(1)
    .max(48 * 60 * 60 * 1000),
})

export type Lease = z.infer<typeof leaseSchema>

/**
 * Returns how long (ms) another host's lease must still be respected; 0 if it may be taken. Doesn't rely on other machines' clocks, but on
 * how long this machine has seen the same lease unchanged (`seenForMs`).
 */
export function leftAloneMs(
  lease: Lease | null,
  own: { readonly host: string; readonly instance: string },
  seenForMs: number,
): number {
  if (lease === null || lease.holder === null) return 0
  if (lease.holder === own.host && lease.instance === own.instance) return 0
  return Math.max(0, lease.ttlMs - seenForMs)
}

/** The longest lease that can be requested. */
const MAX_TTL_MS = 48 * 60 * 60 * 1000

/** A host's request to the arbiter. The message's subject says whose key it came with. */
export const leaseRequestSchema = z.object({
  v: z.literal(1),
  name: z.string().regex(/^[A-Za-z0-9][\w/-]{0,99}$/),
  instance: z.string().max(60),
  /** `renew`: the host holds the lease with this epoch; `release`: it gives the lease back. */
  action: z.enum(['take', 'renew', 'release']),
  epoch: z.int().min(0),
  ttlMs: z.int().min(1).max(MAX_TTL_MS),
})

export type LeaseRequest = z.infer<typeof leaseRequestSchema>

export const leaseReplySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('held'), epoch: z.int().min(1) }),
  /** `waitMs`: how long the holder's lease is still valid, by the arbiter's clock. */
  z.object({ kind: z.literal('kept'), holder: z.string().nullable(), waitMs: z.number().min(0) }),
  z.object({ kind: z.literal('released') }),
  z.object({ kind: z.literal('refused'), problem: z.string().max(500) }),
])

export type LeaseReply = z.infer<typeof leaseReplySchema>

/** The decision on a request: what is written (`null` if nothing), and what the host is told. */
export interface LeaseDecision {
  readonly next: Lease | null
  readonly reply: LeaseReply
}

/**
 * Decides a request of `host`. `current` is the recorded lease, unchanged for `seenForMs`; the epoch never goes below `floor`,
 * whatever is recorded. Pure.
 */
export function decideLease(
  request: LeaseRequest,
  host: string,
  {
    current,
    seenForMs,
    floor,
  }: { readonly current: Lease | null; readonly seenForMs: number; readonly floor: number },
): LeaseDecision {
  const { instance, action, epoch, ttlMs } = request
  const isOwn = current?.holder === host && current.instance === instance
  const isMeant = isOwn && current.epoch === epoch
  if (action === 'release')
    return { next: isMeant ? { ...current, holder: null } : null, reply: { kind: 'released' } }
  const waitMs = leftAloneMs(current, { host, instance }, seenForMs)
  if (waitMs > 0 || (action === 'renew' && !isMeant))
    return { next: null, reply: { kind: 'kept', holder: current?.holder ?? null, waitMs } }
  const next = {
    v: 1 as const,
    holder: host,
    instance,
    epoch: action === 'renew' ? epoch : Math.max(current?.epoch ?? 0, floor) + 1,
    ttlMs,
  }
  return { next, reply: { kind: 'held', epoch: next.epoch } }
}
