import { z } from 'zod'
import { workspaceSchema } from '../read-model/workspace.ts'
import {
  type AskRefusal,
  askActionSchema,
  askRefusalSchema,
  operatorRoleSchema,
} from '../vocabulary/fleet.ts'
import { seedSchema } from './join-token.ts'
import { hostNameSchema, publicKeySchema } from './names.ts'

/*
 * A remote request to a host. It has two signatures: the authority's, which says who the operator is, and the operator's, which covers the
 * request. Neither key is used to open connections, because a server chooses what such a key signs.
 */

/** A text exactly as it was signed, byte for byte. */
const signedSchema = z.object({
  text: z.string().max(16_000),
  /** Base64url. */
  signature: z.string().max(200),
})

export type Signed = z.infer<typeof signedSchema>

/** The identity of an operator, certified by the hub's authority. */
export const certificateSchema = z.object({
  v: z.literal(1),
  name: hostNameSchema,
  role: operatorRoleSchema,
  /** Public half of the key that signs the operator's requests. */
  key: publicKeySchema,
  /** ISO 8601. */
  notAfter: z.iso.datetime(),
})

export type Certificate = z.infer<typeof certificateSchema>

/** Passes that the hub's authority has revoked, by the keys that sign their owners' requests. The list only grows. */
export const revocationsSchema = z.object({ v: z.literal(1), keys: z.array(publicKeySchema).max(5_000) })

/** The form in which revocations are sent to the hosts. */
export const revocationsEnvelopeSchema = z.object({ revoked: signedSchema.extend({ text: z.string() }) })

/** The sender of revocations as hosts see it; no operator can have this name. */
export const CENTRE_NAME = 'centre'

/** The prefix of an operator's pass, which is a single word that can be pasted. */
export const OPERATOR_MARK = 'pwo1.'

/** The credentials with which an operator asks hosts of a hub. Both seeds are secrets. */
export const operatorPassSchema = z.object({
  v: z.literal(1),
  name: hostNameSchema,
  role: operatorRoleSchema,
  url: z.string().max(2_000),
  ca: z.string().max(20_000).nullable(),
  /** Private half of the key that opens the connection. */
  seed: seedSchema,
  /** Private half of the key that signs requests. */
  signingSeed: seedSchema,
  certificate: signedSchema,
})

export type OperatorPass = z.infer<typeof operatorPassSchema>

/** A remote request by an operator. */
export const askSchema = z.object({
  v: z.literal(1),
  /** The request's id: it is executed once, however often it arrives. */
  id: z.uuid(),
  operator: hostNameSchema,
  host: hostNameSchema,
  /** The workspace's id, or its name if only one workspace has it. */
  workspace: z.string().min(1).max(200),
  action: askActionSchema,
  /** The task to unblock; the attempt or proposal to accept or refuse. */
  about: z.string().max(200).nullable(),
  /** For a pause: ISO 8601 or `tomorrow`; `null` until it is resumed. */
  until: z.string().max(100).nullable(),
  reason: z.string().trim().min(1).max(2_000).nullable(),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

export type Ask = z.infer<typeof askSchema>

export const askEnvelopeSchema = z.object({ certificate: signedSchema, ask: signedSchema })

export type AskEnvelope = z.infer<typeof askEnvelopeSchema>

/** `failed`: the request is allowed but could not be carried out. */
export const askAnswerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('done'),
    workspace: workspaceSchema,
    /** The observed result, as a sentence; hosts of earlier versions omit it. */
    effect: z.string().max(2_000).optional(),
  }),
  z.object({ kind: z.literal('failed'), problem: z.string() }),
  z.object({ kind: z.literal('refused'), refusal: askRefusalSchema, problem: z.string() }),
])

export type AskAnswer = z.infer<typeof askAnswerSchema>

/** Requests of one kind that a host has refused since it was started. */
export const refusedAskSchema = z.object({
  kind: askRefusalSchema,
  count: z.int(),
  /** ISO 8601. */
  lastAt: z.string(),
  /** The operator whose key it came with. */
  operator: z.string(),
})

export type RefusedAsk = z.infer<typeof refusedAskSchema>

/** The longest that a request may wait for execution. */
export const MAX_ASK_MS = 10 * 60_000
/** Clocks that differ by no more than this count as equal. */
const SKEW_MS = 60_000

/** Returns why a well-formed request must be refused, by the host's clock. Both signatures have been verified. */
export function askRefusal(
  ask: Ask,
  certificate: Certificate,
  { host, operator, nowMs }: { readonly host: string; readonly operator: string; readonly nowMs: number },
): AskRefusal | null {
  if (Date.parse(certificate.notAfter) <= nowMs || certificate.name !== operator) return 'certificate'
  if (ask.operator !== certificate.name) return 'signature'
  if (ask.host !== host) return 'other-host'
  const [issuedMs, expiresMs] = [Date.parse(ask.issuedAt), Date.parse(ask.expiresAt)]
  const isTimely = issuedMs <= nowMs + SKEW_MS && expiresMs > nowMs && expiresMs - issuedMs <= MAX_ASK_MS
  if (!isTimely) return 'expired'
  return certificate.role === 'viewer' && ask.action !== 'look' ? 'role' : null
}
