import { join } from 'node:path'
import { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import { digestInKeyId, publicKeySchema, type TrustedKey } from '../../core/attestation/keys.ts'
import { readTrustedVerifiers, TRUSTED_VERIFIERS } from '../../core/attestation/trusted-verifiers.ts'
import { readJson } from '../../core/text/json.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { sha256 } from '../files/sha256.ts'
import { readPublicKey } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'

const MAX_BYTES = 1024 * 1024

/** One or several keys, as printed by `key export --json`. */
const exportedSchema = z.union([
  publicKeySchema.transform((key) => [key]),
  z.object({ keys: z.array(publicKeySchema) }).transform(({ keys }) => keys),
])

/** Reads the keys of a file: PEM, the output of `key export --json`, or a `trusted-verifiers.toml`. Rejects with a `RequestProblem`. */
export async function readKeyFile(path: string): Promise<readonly TrustedKey[]> {
  const text = await readTextFile(path)
  if (text === null) throw new RequestProblem('bad-request', `There is no key file ${path}.`)
  const keys = path.endsWith('.toml') ? parseToml(path, text) : (parseExported(text) ?? [unnamed(text)])
  const broken = keys.find(({ publicKey }) => readPublicKey(publicKey) === null)
  if (keys.length > 0 && broken === undefined) return keys
  throw new RequestProblem(
    'bad-request',
    `${path} has no Ed25519 public key. Export one with \`pulseward key export\`.`,
  )
}

/**
 * Returns the keys that this machine trusts: the data folder's own keys and its `trusted-verifiers.toml`. Rejects with a
 * `RequestProblem`.
 */
export async function readTrustedKeys(dataDirectory: string, ring: KeyRing): Promise<readonly TrustedKey[]> {
  const path = join(dataDirectory, TRUSTED_VERIFIERS)
  const text = await readTextFile(path)
  const own = (await ring.list()).map((key) => ({ ...key, verifier: null, repositories: null }))
  return [...own, ...(text === null ? [] : parseToml(path, text))]
}

/** Returns whether an envelope's key id names another key than this one. A key without an id is recognized by its digest. */
export function isIdOfAnother(keyid: string, { keyid: own, publicKey }: TrustedKey): boolean {
  if (own !== null) return own !== keyid
  const digest = digestInKeyId(keyid)
  const key = readPublicKey(publicKey)
  return (
    digest !== null && key !== null && !sha256(key.export({ type: 'spki', format: 'der' })).startsWith(digest)
  )
}

async function readTextFile(path: string): Promise<string | null> {
  const file = await readBoundedFile(path, MAX_BYTES)
  if (file.ok) return file.bytes.toString('utf8')
  if (file.code === 'ENOENT') return null
  throw new RequestProblem('unprocessable', `Cannot read ${path} (${file.code}).`)
}

function parseToml(path: string, text: string): readonly TrustedKey[] {
  const reading = readTrustedVerifiers(text)
  if (!reading.ok) throw new RequestProblem('unprocessable', `${path}:${reading.problem}`)
  const broken = reading.keys.find(({ publicKey }) => readPublicKey(publicKey) === null)
  if (broken === undefined) return reading.keys
  throw new RequestProblem(
    'unprocessable',
    `${path}: the key of ${broken.verifier} is not an Ed25519 public key in PEM, as printed by \`pulseward key export\`.`,
  )
}

function parseExported(text: string): readonly TrustedKey[] | null {
  const keys = readJson(exportedSchema, text)
  return keys?.map((key) => ({ ...key, verifier: null, repositories: null })) ?? null
}

function unnamed(publicKey: string): TrustedKey {
  return {
    keyid: null,
    publicKey,
    createdAt: null,
    retiredAt: null,
    revoked: [],
    verifier: null,
    repositories: null,
  }
}
