import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSimulatedClock } from '../testing/simulated-clock.ts'
import { createContentStore } from './content-store.ts'
import { createCustody } from './custody.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pulseward-undone-'))
})
afterEach(() => rm(root, { recursive: true }))

const LOST = { standing: 'held', runs: new Map([['probe tests', { executed: ['a'], lost: ['b'] }]]) } as const
const BEFORE = {
  standing: 'known',
  runs: new Map([['probe tests', { executed: ['a', 'b'], lost: [] }]]),
} as const

test.each([
  ['an acceptance that changed no file', 'accept'],
  ['a refusal', 'refuse'],
] as const)('undoing %s requires the lost tests again', async (_what, answer) => {
  const directory = join(root, 'w')
  const custody = createCustody({
    directory,
    dataDirectory: join(root, 'data'),
    store: createContentStore(join(root, 'contents')),
    clock: createSimulatedClock(0),
    log: { info() {}, warn() {}, error() {} },
    excluded: [],
  })
  await custody.judgedTests('a-0', BEFORE)
  await custody.judgedTests('a-1', LOST)
  if (answer === 'accept')
    await custody.accept({ answerId: 'a-1', attemptIds: ['a-1'], shown: [], laterIds: [] })
  expect((await custody.knownTests()).get('probe tests')?.gone).toEqual(answer === 'accept' ? ['b'] : [])
  await custody.undoAnswer('a-1', ['a-1'], answer)
  expect((await custody.knownTests()).get('probe tests')).toMatchObject({ names: ['a', 'b'], gone: [] })
})
