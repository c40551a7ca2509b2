import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import { parseJson } from '../../core/text/json.ts'
import { readBoundedFile } from '../files/bounded-file.ts'

/**
 * The update source, and which keys are trusted: part of the installation, never of the data folder, which agents may have
 * written to.
 */
export interface UpdateSource {
  readonly feed: string
  readonly keys: readonly KeyObject[]
}

const MAXIMUM_BYTES = 64 * 1024

const sourceSchema = z.object({
  feed: z.url().refine(isSafe, { error: 'https' }).nullable(),
  /** Ed25519, as raw 32 bytes in base64. Several while one replaces another. */
  keys: z.array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/)).max(8),
})

/** Returns whether a URL may be downloaded from: https, or this machine. */
export function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(hostname))
}

/** Returns `null` if this build has no update source: a checkout, or a custom package. */
export async function readUpdateSource(path: string): Promise<UpdateSource | null> {
  const file = await readBoundedFile(path, MAXIMUM_BYTES)
  if (!file.ok) return null
  const parsed = sourceSchema.safeParse(parseJson(file.bytes.toString('utf8')))
  if (!parsed.success) {
    throw new RequestProblem(
      'unprocessable',
      `${path} has an invalid update source (${parsed.error.issues[0]?.path.join('.')}): reinstall Pulseward.`,
    )
  }
  const { feed, keys } = parsed.data
  return feed === null || keys.length === 0 ? null : { feed, keys: keys.map(publicKey) }
}

function publicKey(raw: string): KeyObject {
  const x = Buffer.from(raw, 'base64').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
