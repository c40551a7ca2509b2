import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ContractReader } from '../ports/contract-reader.ts'
import { createThreads, type Threads } from '../process/threads.ts'
import { contractReader } from './contract-jobs.ts'
import { createContractReader } from './contract-reader.ts'

const SMALL = '# Nightly\n\n## Tasks\n\n- [ ] fix | Fix it | verify: exists("a.txt")\n  - [ ] well\n'
const LARGE = `${SMALL}${Array.from({ length: 400 }, (_, n) => `- [ ] t${n} | More | verify: x > ${n}\n`).join('')}`
const EDITED = LARGE.replace('exists("a.txt")', 'true').replace('- [ ] t7 |', '- [x] t7 |')

let threads: Threads
let asked: string[] = []

beforeAll(() => {
  const silent = { info: () => {}, warn: () => {}, error: () => {} }
  threads = createThreads({
    script: join(import.meta.dirname, '../worker.ts'),
    size: 1,
    workerData: { dataDirectory: '/nowhere' },
    log: silent,
  })
})
afterAll(() => threads.stop())

/** Returns a reader that records what the threads are asked. */
function noting(): ContractReader {
  asked = []
  const counted: Threads = {
    ...threads,
    run: (job, input, key) => {
      asked.push(`${job.name} for ${key}`)
      return threads.run(job, input, key)
    },
  }
  return createContractReader(counted, '/w')
}

/** Returns the answers to everything that the port can be asked. */
async function answers(reader: ContractReader, before: string, after: string) {
  const items = await reader.items(before, after)
  return {
    contract: await reader.parse(after, { probeNames: ['x'] }),
    items,
    inForce: await reader.inForce(before, after),
    merged: await reader.mergeEdit(before, before, after),
    accepted: await reader.answer('accept', before, after, items.slice(0, 1)),
    reverted: await reader.answer('revert', before, after, items.slice(0, 1)),
    patch: await reader.patch('HEARTBEAT.md', before, after, 4_000),
  }
}

it('a large contract is read in a thread, with the same answers as on the event loop', async () => {
  const inThread = await answers(noting(), LARGE, EDITED)
  expect(asked).toEqual(Array(7).fill('contract for contract /w'))
  expect(inThread).toEqual(await answers(contractReader, LARGE, EDITED))
  expect(inThread.items.map(({ kind }) => kind)).toEqual(['hint', 'box'])
})

it('reads a contract of ordinary length without a thread', async () => {
  await answers(noting(), SMALL, SMALL.replace('well', 'very well'))
  expect(asked).toEqual([])
})

it('comparing a small text with a large one uses a thread too, whichever comes first', async () => {
  const reader = noting()
  expect(await reader.inForce(SMALL, LARGE)).toMatchObject({ proposed: { length: 400 } })
  expect(await reader.items(LARGE, SMALL)).toHaveLength(400)
  expect(asked).toHaveLength(2)
})
