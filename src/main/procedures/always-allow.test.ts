import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../files/sha256.ts'
import { writeAllowed } from './always-allow.ts'

test('reports a permission that cannot be recorded, and the answer that gave it still counts', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pulseward-allow-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'HEARTBEAT.md'), 'before')
  const plan = { before: 'before', text: 'after', hash: sha256('before') }
  const warned: string[] = []
  const log = { info: () => {}, warn: (message: string) => void warned.push(message), error: () => {} }
  // Fails like the ledger of a full disk, which is not the request's fault.
  const edit = () => Promise.reject(new Error('ENOSPC: no space left on device'))
  const place = { id: 'w', directory, contractCustody: { edit }, loop: { refresh: async () => {} } }
  expect(await writeAllowed(place, plan, log)).toContain('no space left')
  expect(warned).toHaveLength(1)
  const working = { ...place, contractCustody: { edit: (write: () => Promise<void>) => write() } }
  expect(await writeAllowed(working, plan, log)).toBeNull()
  expect(await readFile(join(directory, 'HEARTBEAT.md'), 'utf8')).toBe('after')
})
