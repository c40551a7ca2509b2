import { z } from 'zod'
import { hostNameSchema } from './names.ts'

/** Who runs a shared piece of work, as it stands in the hub. */
export const leaseSchema = z.object({
  v: z.literal(1),
  /** `null`: given back. */
  holder: hostNameSchema.nullable(),
  /** Tells two machines apart that joined by one token. */
  instance: z.string().max(60),
  /** Grows whenever another takes it. */
  epoch: z.int().min(1),
  /** How long it holds from when it was written, whoever looks. */
  ttlMs: z
    .number()
    .int()
    .min(1)
    .max(48 * 60 * 60 * 1000),
})

export type Lease = z.infer<typeof leaseSchema>

/**
 * How long (ms) somebody else's lease still has to be left alone; 0: it may be taken. No clock of another machine is
 * asked: what counts is for how long this one has seen the same writing of it (`seenForMs`).
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

/** The longest that anybody can ask for. */
const MAX_TTL_MS = 48 * 60 * 60 * 1000

/** What a host asks the arbiter for; by whose key it comes says the subject. */
export const leaseRequestSchema = z.object({
  v: z.literal(1),
  name: z.string().regex(/^[A-Za-z0-9][\w/-]{0,99}$/),
  instance: z.string().max(60),
  /** `renew`: it has it, by the epoch given; `release`: it gives it back. */
  action: z.enum(['take', 'renew', 'release']),
  epoch: z.int().min(0),
  ttlMs: z.int().min(1).max(MAX_TTL_MS),
})

export type LeaseRequest = z.infer<typeof leaseRequestSchema>

export const leaseReplySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('held'), epoch: z.int().min(1) }),
  /** `waitMs`: how long its holder has it still, as far as the arbiter knows. */
  z.object({ kind: z.literal('kept'), holder: z.string().nullable(), waitMs: z.number().min(0) }),
  z.object({ kind: z.literal('released') }),
  z.object({ kind: z.literal('refused'), problem: z.string().max(500) }),
])

export type LeaseReply = z.infer<typeof leaseReplySchema>

/** What is decided of a request: what is written down next (`null`: nothing), and what the host is told. */
export interface LeaseDecision {
  readonly next: Lease | null
  readonly reply: LeaseReply
}

/**
 * Decides a request of `host`. `current` is what stands there and has been standing for `seenForMs`; `floor` is an epoch that is never
 * gone below, whatever stands there. Pure.
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
