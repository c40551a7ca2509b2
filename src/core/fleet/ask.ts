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
 * What is asked of a host from afar. Two signatures stand under it: the authority's under who the operator is, the
 * operator's under what he asks for. Neither key is one that a connection is opened by: a server chooses what such a
 * key signs.
 */

/** A text as it was signed, byte for byte. */
const signedSchema = z.object({
  text: z.string().max(16_000),
  /** Base64url. */
  signature: z.string().max(200),
})

export type Signed = z.infer<typeof signedSchema>

/** Who somebody is, by the word of the hub's authority. */
export const certificateSchema = z.object({
  v: z.literal(1),
  name: hostNameSchema,
  role: operatorRoleSchema,
  /** Public half of the key that signs what he asks for. */
  key: publicKeySchema,
  /** ISO 8601. */
  notAfter: z.iso.datetime(),
})

export type Certificate = z.infer<typeof certificateSchema>

/** Passes that the hub's authority has taken back, by the keys that sign what their owners ask for. It only grows. */
export const revocationsSchema = z.object({ v: z.literal(1), keys: z.array(publicKeySchema).max(5_000) })

/** As it goes to the hosts. */
export const revocationsEnvelopeSchema = z.object({ revoked: signedSchema.extend({ text: z.string() }) })

/** Whose word to a host it is that passes were taken back; no operator can be named so. */
export const CENTRE_NAME = 'centre'

/** What a pass of an operator begins with, as one word that can be pasted. */
export const OPERATOR_MARK = 'pwo1.'

/** What lets an operator ask hosts of a hub. Both seeds are secrets. */
export const operatorPassSchema = z.object({
  v: z.literal(1),
  name: hostNameSchema,
  role: operatorRoleSchema,
  url: z.string().max(2_000),
  ca: z.string().max(20_000).nullable(),
  /** Of the key that opens the connection. */
  seed: seedSchema,
  /** Of the key that signs what is asked for. */
  signingSeed: seedSchema,
  certificate: signedSchema,
})

export type OperatorPass = z.infer<typeof operatorPassSchema>

/** What is asked for. */
export const askSchema = z.object({
  v: z.literal(1),
  /** Done once, however often it arrives. */
  id: z.uuid(),
  operator: hostNameSchema,
  host: hostNameSchema,
  /** Its id, or its name where only one has it. */
  workspace: z.string().min(1).max(200),
  action: askActionSchema,
  /** The task to unblock; the attempt or proposal to accept or refuse. */
  about: z.string().max(200).nullable(),
  /** Of a pause: ISO 8601 or `tomorrow`; `null`: until it is resumed. */
  until: z.string().max(100).nullable(),
  reason: z.string().trim().min(1).max(2_000).nullable(),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

export type Ask = z.infer<typeof askSchema>

export const askEnvelopeSchema = z.object({ certificate: signedSchema, ask: signedSchema })

export type AskEnvelope = z.infer<typeof askEnvelopeSchema>

/** `failed`: it may be asked for, and could not be done. */
export const askAnswerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('done'),
    workspace: workspaceSchema,
    /** What was seen to have come about, as a sentence; left out by hosts of earlier versions. */
    effect: z.string().max(2_000).optional(),
  }),
  z.object({ kind: z.literal('failed'), problem: z.string() }),
  z.object({ kind: z.literal('refused'), refusal: askRefusalSchema, problem: z.string() }),
])

export type AskAnswer = z.infer<typeof askAnswerSchema>

/** What a host did not do of what it was asked for, by its kind, since it was started. */
export const refusedAskSchema = z.object({
  kind: askRefusalSchema,
  count: z.int(),
  /** ISO 8601. */
  lastAt: z.string(),
  /** By whose key it came. */
  operator: z.string(),
})

export type RefusedAsk = z.infer<typeof refusedAskSchema>

/** Longer than this nothing may wait to be done. */
export const MAX_ASK_MS = 10 * 60_000
/** Clocks that differ by no more are taken for equal. */
const SKEW_MS = 60_000

/** Whether a request that is whole may be done, by the host's clock; both signatures were looked at. */
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
