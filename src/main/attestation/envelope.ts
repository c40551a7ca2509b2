import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { AttestationProblem, OpenedEnvelope } from '../../core/attestation/check-attestation.ts'
import type { TrustedKey } from '../../core/attestation/keys.ts'
import {
  type Envelope,
  envelopeSchema,
  PAYLOAD_TYPE,
  type Statement,
} from '../../core/attestation/statement.ts'
import { parseJson } from '../../core/text/json.ts'

/** More than any set of our envelopes; it limits what a file can make us parse. */
export const MAX_ATTESTATION_BYTES = 16 * 1024 * 1024

export interface SigningKey {
  readonly keyid: string
  readonly privateKey: KeyObject
}

/** Returns a statement as a DSSE envelope on one line, signed with Ed25519. */
export function seal(statement: Statement, { keyid, privateKey }: SigningKey): string {
  const payload = Buffer.from(JSON.stringify(statement))
  const sig = sign(null, preAuthEncoding(PAYLOAD_TYPE, payload), privateKey)
  const envelope: Envelope = {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid, sig: sig.toString('base64') }],
  }
  return JSON.stringify(envelope)
}

/** Returns the bytes that a DSSE signature covers (protocol v1). */
function preAuthEncoding(type: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `
  return Buffer.concat([Buffer.from(head), payload])
}

/** Parses a file or note of envelopes, one per line, or one document; reports anything else as a problem. Never throws. */
export function openEnvelopes(
  text: string,
  trusted: readonly TrustedKey[],
): { readonly opened: readonly OpenedEnvelope[]; readonly problems: readonly AttestationProblem[] } {
  const keys = trusted.flatMap((key) => {
    const publicKey = readPublicKey(key.publicKey)
    return publicKey === null ? [] : [{ key, publicKey }]
  })
  const opened: OpenedEnvelope[] = []
  const problems: AttestationProblem[] = []
  for (const { line, content } of documentsIn(text)) {
    const envelope = readEnvelope(content)
    if (typeof envelope === 'string') {
      problems.push({ line, what: 'envelope', message: envelope })
      continue
    }
    const { payloadType, payload, signatures } = envelope
    const bytes = Buffer.from(payload, 'base64')
    const signed = preAuthEncoding(payloadType, bytes)
    const [{ keyid, sig }] = signatures
    const signature = Buffer.from(sig, 'base64')
    const signedBy = keys
      .filter(({ publicKey }) => verify(null, signed, publicKey, signature))
      .map(({ key }) => key)
    opened.push({ line, keyid, payload: bytes.toString('utf8'), signedBy })
  }
  return { opened, problems }
}

/** Treats one JSON document over several lines as one; otherwise each nonempty line is one. */
function documentsIn(text: string): { line: number; content: string }[] {
  if (parseJson(text) !== undefined) return [{ line: 1, content: text }]
  return text
    .split('\n')
    .map((content, index) => ({ line: index + 1, content: content.trim() }))
    .filter(({ content }) => content !== '')
}

function readEnvelope(content: string): Envelope | string {
  const json = parseJson(content)
  if (json === undefined) return 'not JSON'
  const parsed = envelopeSchema.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `not a DSSE envelope (${issue?.path.map(String).join('.') || 'the whole'}: ${issue?.message})`
  }
  // Base64 can spell the same bytes in several ways; we only ever write the canonical one.
  const { payload, signatures } = parsed.data
  const isPlain = [payload, signatures[0].sig].every(
    (each) => Buffer.from(each, 'base64').toString('base64') === each,
  )
  return isPlain ? parsed.data : 'its base64 was changed'
}

/** Parses an Ed25519 public key from PEM; `null` if it is invalid. */
export function readPublicKey(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}
