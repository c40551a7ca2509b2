import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAttemptLog } from './attempt-log.ts'

const SECRET = ['sk_', 'live_', '4eC39HqLyjWDarjtT1zdp7dc'].join('')
const log = { info: () => {}, warn: () => {}, error: () => {} }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-log-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([
  ['in one piece', [`STRIPE=${SECRET}\n`, 'done\n']],
  ['in two pieces', ['STRIPE=', SECRET.slice(0, 12), `${SECRET.slice(12)}\n`, 'done\n']],
])('does not store a secret that an agent prints %s', async (_, pieces) => {
  const file = join(folder, 'attempt.log')
  const output = openAttemptLog(file, log)
  for (const piece of pieces) output.write(piece)
  await output.close()
  expect(await readFile(file, 'utf8')).toBe('STRIPE=[Stripe key hidden]\ndone\n')
})
