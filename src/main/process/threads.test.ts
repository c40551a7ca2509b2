import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createThreads, type Job, type Threads } from './threads.ts'

const ECHO: Job<string, string> = { name: 'echo' }
const THREAD: Job<null, number> = { name: 'thread' }
const FAIL: Job<null, never> = { name: 'fail' }
const LIST: Job<number, { readonly number: number }[]> = { name: 'list' }
const OBJECT: Job<number, { list: number[]; few: number[]; within: { list: string[] }; other: number[] }> = {
  name: 'object',
}
const END: Job<null, never> = { name: 'end' }

let folder: string
let threads: Threads
let logged: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-threads-'))
  const script = join(folder, 'script.ts')
  await writeFile(
    script,
    `import { threadId, workerData } from 'node:worker_threads'
import { askHost, doJobs, threadLog, worked } from ${JSON.stringify(join(import.meta.dirname, 'do-jobs.ts'))}
doJobs([
  worked({ name: 'echo' }, async (text) => workerData + text),
  worked({ name: 'thread' }, async () => threadId),
  worked({ name: 'fail' }, async () => { threadLog.warn('about to'); throw Object.assign(new Error('no disk'), { code: 'ENOSPC' }) }),
  worked({ name: 'ask' }, async (text) => 'heard ' + (await askHost({ name: 'question' }, text))),
  worked({ name: 'list' }, async (length) => Array.from({ length }, (_, number) => ({ number }))),
  worked({ name: 'object' }, async (length) => ({ list: Array.from({ length }, (_, number) => number), few: [1], within: { list: Array.from({ length }, (_, number) => 'n' + number) }, other: Array.from({ length: 1500 }, (_, number) => -number) })),
  worked({ name: 'end' }, async () => process.exit(3)),
])
`,
  )
  logged = []
  const log = { info: () => {}, warn: (message: string) => void logged.push(message), error: () => {} }
  threads = createThreads({ script, size: 2, workerData: 'it says ', log })
})
afterEach(async () => {
  await threads.stop()
  await rm(folder, { recursive: true })
})

describe('threads', () => {
  it('do a job and answer', async () => {
    expect(await threads.run(ECHO, 'hello', 'one')).toBe('it says hello')
  })

  it.each([0, 1, 1000, 1001, 3500])('answer with a list of %i, complete and in order', async (length) => {
    const [list, other] = await Promise.all([
      threads.run(LIST, length, 'one'),
      threads.run(ECHO, 'between', 'one'),
    ])
    expect(list).toEqual(Array.from({ length }, (_, number) => ({ number })))
    expect(other).toBe('it says between')
  })

  it.each([0, 1000, 2500])('answer with an object that contains a list of %i, unchanged', async (length) => {
    expect(await threads.run(OBJECT, length, 'one')).toEqual({
      list: Array.from({ length }, (_, number) => number),
      few: [1],
      within: { list: Array.from({ length }, (_, number) => `n${number}`) },
      other: Array.from({ length: 1500 }, (_, number) => -number),
    })
  })

  it('let other work run while a long list arrives', async () => {
    let turns = 0
    const turn = (): void => {
      turns += 1
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    await threads.run(LIST, 1, 'one')
    const before = turns
    await threads.run(LIST, 20_000, 'one')
    clearImmediate(next)
    // At least one per part.
    expect(turns - before).toBeGreaterThanOrEqual(20)
  })

  it('do all jobs of one key in one thread, and distribute the keys', async () => {
    const [one, again, other] = await Promise.all(
      ['one', 'one', 'other'].map((key) => threads.run(THREAD, null, key)),
    )
    expect(again).toBe(one)
    expect(other).not.toBe(one)
  })

  it('pass on what a job throws, with its error code, and what it logs', async () => {
    await expect(threads.run(FAIL, null, 'one')).rejects.toMatchObject({ message: 'no disk', code: 'ENOSPC' })
    expect(logged).toEqual(['about to'])
  })

  it('restart after one has ended, and fail the job that it was doing', async () => {
    await expect(threads.run(END, null, 'one')).rejects.toThrow('ended with 3')
    expect(await threads.run(ECHO, 'again', 'one')).toBe('it says again')
  })

  it('ask the host, and get an error if it has no answer', async () => {
    const ASK: Job<string, string> = { name: 'ask' }
    await expect(threads.run(ASK, 'why', 'one')).rejects.toThrow('There is no answer to question')
    threads.answer<string, string>({ name: 'question' }, async (text) => `an answer to ${text}`)
    expect(await threads.run(ASK, 'why', 'one')).toBe('heard an answer to why')
  })

  it('reject an unknown job', async () => {
    await expect(threads.run({ name: 'other' }, null, 'one')).rejects.toThrow('No thread handles other')
  })
})
