import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify'
import { expect, it } from 'vitest'
import type { VerdictFacts } from '../../core/attestation/facts.ts'
import { signFacts } from './sign-facts.ts'

/*
 * Verifies our envelopes with libraries that share no code with us: Sigstore's verifier for Node.js, and the Freedom of the Press
 * Foundation's for browsers, which has its own encoding and Ed25519 code.
 */

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const KEYID = 'pulseward-2026-11-25-0123456789abcdef'

const facts: VerdictFacts = {
  source: 'heartbeat',
  verifier: { id: 'https://pulseward.dev/verifier/v1', version: '1.2.3' },
  timeCreated: '2026-11-25T21:00:00.000Z',
  subject: { name: 'git+https://github.com/acme/job', commit: 'a'.repeat(40), tree: 'b'.repeat(40) },
  base: null,
  verdict: 'verified',
  measuredVerdict: 'verified',
  decidedBy: 'measurement',
  contradiction: false,
  fault: null,
  held: null,
  reasons: ['claimed mails = 3, measured 3 – “ünïcode” and\nlines'],
  claims: [{ text: null, subject: 'mails', claimed: '3', measured: '3', equal: true }],
  checks: [{ name: 'check mails', passed: true }],
  testsLost: 0,
  task: { id: 'count', sha256: 'c'.repeat(64) },
  policies: [{ name: 'HEARTBEAT.md', digest: { sha256: 'd'.repeat(64) } }],
  record: null,
}

const envelopes = signFacts(facts, { keyid: KEYID, privateKey }).map((line) => JSON.parse(line))

type Envelope = (typeof envelopes)[number]
type Verify = (envelope: Envelope, key: typeof publicKey) => Promise<boolean>

const bySigstore: Verify = async (dsseEnvelope, key) => {
  const trust = toTrustMaterial(
    { certificateAuthorities: [], ctlogs: [], tlogs: [], timestampAuthorities: [] } as never,
    () => ({ publicKey: key, validFor: () => true }),
  )
  const bundle = bundleFromJSON({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: {
      publicKey: { hint: KEYID },
      tlogEntries: [],
      timestampVerificationData: undefined,
    },
    dsseEnvelope,
  })
  try {
    new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 }).verify(
      toSignedEntity(bundle),
    )
    return true
  } catch {
    return false
  }
}

/** Verifies the parts separately, because the library verifies a whole envelope only with a certificate. */
const byBrowserLibrary: Verify = async ({ payloadType, payload, signatures }, key) => {
  const modules = join(import.meta.dirname, '../../../node_modules/@freedomofpress')
  const { preAuthEncoding } = await import(pathToFileURL(join(modules, 'sigstore-browser/dist/dsse.js')).href)
  const { importKey, verifySignature } = await import(
    pathToFileURL(join(modules, 'crypto-browser/dist/crypto.js')).href
  )
  const jwk = key.export({ format: 'jwk' })
  const hex = Buffer.from(String(jwk.x), 'base64url').toString('hex')
  const imported = await importKey('ed25519', 'ed25519', hex)
  return verifySignature(
    imported,
    preAuthEncoding(payloadType, Uint8Array.from(Buffer.from(payload, 'base64'))),
    Uint8Array.from(Buffer.from(signatures[0].sig, 'base64')),
  )
}

it.each([
  ['@sigstore/verify', bySigstore],
  ['@freedomofpress/sigstore-browser', byBrowserLibrary],
])('%s accepts every envelope, and rejects altered ones', async (_library, verify) => {
  expect(envelopes).toHaveLength(3)
  for (const envelope of envelopes) {
    expect(await verify(envelope, publicKey)).toBe(true)
    expect(await verify(envelope, other.publicKey)).toBe(false)
    const payload = Buffer.from(envelope.payload, 'base64')
    payload.writeUInt8(payload.readUInt8(payload.length - 2) ^ 1, payload.length - 2)
    expect(await verify({ ...envelope, payload: payload.toString('base64') }, publicKey)).toBe(false)
    const [signature] = envelope.signatures
    const sig = Buffer.from(signature.sig, 'base64')
    sig.writeUInt8(sig.readUInt8(5) ^ 1, 5)
    const altered = { ...envelope, signatures: [{ ...signature, sig: sig.toString('base64') }] }
    expect(await verify(altered, publicKey)).toBe(false)
  }
})
