import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../files/sha256.ts'
import { redact } from './redact.ts'

/** No configuration is longer. */
const MAX_BYTES = 1024 * 1024

let folder: string | null = null

/**
 * Returns a copy to show instead of a file that contains a secret; `null`: it contains none and is shown as it is. Rejects for unreadable
 * files.
 */
export function redactedCopy(path: string): string | null {
  if (statSync(path).size > MAX_BYTES) return '/dev/null'
  const text = readFileSync(path, 'utf8')
  const redacted = redact(text)
  if (redacted === text) return null
  const copy = join(copiesFolder(), sha256(redacted))
  if (!existsSync(copy)) writeFileSync(copy, redacted, { mode: 0o600 })
  return copy
}

function copiesFolder(): string {
  if (folder !== null && existsSync(folder)) return folder
  const made = mkdtempSync(join(tmpdir(), 'pulseward-shown-'))
  folder = made
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  return made
}
