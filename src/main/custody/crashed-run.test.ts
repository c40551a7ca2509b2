import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSimulatedClock } from '../testing/simulated-clock.ts'
import { createContentStore } from './content-store.ts'
import { createCustody } from './custody.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-crashed-')))
  await mkdir(join(root, 'w/__pycache__'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const CONFIGURATION = {
  gates: { commands: [['python3', '-m', 'unittest']], timeoutMs: 1000 },
  probes: {},
  approvedCommands: [],
  judge: null,
  interventions: { protected: [] },
}

const open = () =>
  createCustody({
    directory: join(root, 'w'),
    dataDirectory: join(root, 'data'),
    store: createContentStore(join(root, 'contents')),
    clock: createSimulatedClock(0),
    log: { info() {}, warn() {}, error() {} },
    excluded: [],
  })

test.each([
  ['clears caches that a run left when its host crashed', false],
  ['keeps caches written after a settled run', true],
])('%s', async (_what, isSettled) => {
  const custody = open()
  await custody.begin(CONFIGURATION)
  await custody.agentStarts('a-1')
  if (isSettled) {
    await custody.settle('a-1', [])
    const endedMs = Date.now() + 25
    await expect.poll(() => Date.now()).toBeGreaterThan(endedMs)
  }
  await writeFile(join(root, 'w/__pycache__/cart.pyc'), 'poison')
  await open().begin(CONFIGURATION)
  expect(existsSync(join(root, 'w/__pycache__/cart.pyc'))).toBe(isSettled)
})
