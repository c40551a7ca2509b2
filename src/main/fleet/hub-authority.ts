import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createUser, fromSeed } from '@nats-io/nkeys'
import { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import { seedSchema } from '../../core/fleet/join-token.ts'
import { exists, writeFileAtomically } from '../files/durable-file.ts'

/** Returns a new key pair. */
export function newKey(): { readonly key: string; readonly seed: string } {
  const pair = createUser()
  return { key: pair.getPublicKey(), seed: new TextDecoder().decode(pair.getSeed()) }
}

const authoritySchema = z.object({ v: z.literal(1), seed: seedSchema })
const authorityPath = (directory: string): string => join(directory, 'authority.json')

/** Writes the key that certifies operators: it signs nothing else and opens no connection. Returns its public half. */
export async function writeAuthority(directory: string): Promise<string> {
  const { key, seed } = newKey()
  await writeFileAtomically(authorityPath(directory), `${JSON.stringify({ v: 1, seed }, null, 2)}\n`)
  return key
}

/** Reads that key; creates one in an older hub. Rejects with a `RequestProblem`. */
export async function readAuthority(
  directory: string,
): Promise<{ readonly key: string; readonly seed: string }> {
  const path = authorityPath(directory)
  if (!(await exists(path))) await writeAuthority(directory)
  try {
    const { seed } = authoritySchema.parse(JSON.parse(await readFile(path, 'utf8')))
    return { key: fromSeed(new TextEncoder().encode(seed)).getPublicKey(), seed }
  } catch (error) {
    throw new RequestProblem(
      'unprocessable',
      `${path} was not written by Pulseward: restore it from a backup. Without it no operator can be named that the hosts accept.`,
      { cause: error },
    )
  }
}
