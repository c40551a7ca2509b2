import { fromPublic, fromSeed } from '@nats-io/nkeys'
import type { Signed } from '../../core/fleet/ask.ts'

/** What a signature is for: none of one kind stands for another. */
export type SignedFor = 'certificate' | 'request' | 'revocations'

/** The text, signed by the private half of a key. */
export function sign(seed: string, what: SignedFor, text: string): Signed {
  const pair = fromSeed(new TextEncoder().encode(seed))
  return { text, signature: Buffer.from(pair.sign(bytesOf(what, text))).toString('base64url') }
}

/** Whether the private half of this public key has signed it. */
export function isSignedBy(key: string, what: SignedFor, { text, signature }: Signed): boolean {
  try {
    return fromPublic(key).verify(bytesOf(what, text), Buffer.from(signature, 'base64url'))
  } catch {
    // Nothing that could be a signature.
    return false
  }
}

function bytesOf(what: SignedFor, text: string): Uint8Array {
  return new TextEncoder().encode(`pulseward fleet ${what} 1\n${text}`)
}
