import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../files/durable-file.ts'

const SECRET = /^[\w-]{43}$/

/**
 * Returns the secret that page cookies are signed with. It is kept in the data folder, so that a page stays logged in when the
 * host restarts.
 */
export async function sessionSecret(dataDirectory: string): Promise<string> {
  const path = join(dataDirectory, 'session.key')
  const kept = await readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  )
  if (SECRET.test(kept)) return kept
  const fresh = randomBytes(32).toString('base64url')
  await writeFileAtomically(path, `${fresh}\n`)
  return fresh
}
