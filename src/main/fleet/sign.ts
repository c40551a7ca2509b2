import { fromPublic, fromSeed } from '@nats-io/nkeys'
import type { Signed } from '../../core/fleet/ask.ts'

/** The purpose of a signature; it is not valid for another one. */
export type SignedFor = 'certificate' | 'request' | 'revocations'

/** Signs the text with a key's private half. */
export function sign(seed: string, what: SignedFor, text: string): Signed {
  const pair = fromSeed(new TextEncoder().encode(seed))
  return { text, signature: Buffer.from(pair.sign(bytesOf(what, text))).toString('base64url') }
}

/** Checks whether this public key's private half signed it. */
export function isSignedBy(key: string, what: SignedFor, { text, signature }: Signed): boolean {
  try {
    return fromPublic(key).verify(bytesOf(what, text), Buffer.from(signature, 'base64url'))
  } catch {
    // It is not even a signature.
    return false
  }
}

function bytesOf(what: SignedFor, text: string): Uint8Array {
  return new TextEncoder().encode(`pulseward fleet ${what} 1\n${text}`)
}
