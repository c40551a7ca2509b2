import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readClaims } from './open-verify.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pulseward-claims-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const TEXT = 'Docs only – ünï.\r\n'
const marked = Buffer.from(`\ufeff${TEXT}`, 'utf16le')

it.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16', marked],
  ['big-endian UTF-16', Buffer.from(marked).swap16()],
])('reads a description in %s', async (_name, bytes) => {
  writeFileSync(join(folder, 'pr.md'), bytes)
  expect(await readClaims(join(folder, 'pr.md'))).toBe(TEXT)
})

it.each(['missing.md', '.'])('refuses a description that cannot be read: %s', async (name) => {
  await expect(readClaims(join(folder, name))).rejects.toMatchObject({ exitCode: 2 })
})
