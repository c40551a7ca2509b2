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
