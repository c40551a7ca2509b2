import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Containment } from '../ports/containment.ts'
import { beginningWith } from './contained-beginning.ts'
import { openProcess } from './open-process.ts'
import { supervisedWriters } from './process-origin.ts'
import { SUPERVISOR_VARIABLE, superviseFor, supervisorTag } from './supervisor-tag.ts'

/** Two processes, the second beneath the first. */
const COMMAND = ['/bin/sh', '-c', 'sleep 60 & echo up; wait']

let folder: string
let contract: string
let closers: (() => Promise<unknown> | unknown)[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-writers-'))
  contract = join(folder, 'HEARTBEAT.md')
  superviseFor(folder)
  closers = [() => rm(folder, { recursive: true })]
})
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
})

const writers = (): number => supervisedWriters(supervisorTag(folder), [contract]).length

/** In a sandbox that decides by `canWrite`; without it, in none. */
async function start(canWrite?: (path: string) => boolean): Promise<void> {
  const containment: Containment | undefined = canWrite && {
    means: 'bubblewrap',
    wrap: async (given) => ({ ...given, command: [...beginningWith('/bin/sh'), ...given.command] }),
    canWrite,
  }
  const opened = await openProcess({
    command: COMMAND,
    directory: folder,
    ...(containment && { containment }),
  })
  if (!('tree' in opened)) throw new Error(opened.message)
  closers.push(() => opened.end(0, 0))
  await once(opened.stdout, 'data')
}

describe.runIf(process.platform === 'linux')('who can have changed a file', () => {
  it('counts none if nothing from the data folder runs', () => expect(writers()).toBe(0))

  it('a program without a sandbox, and what is beneath it', async () => {
    await start()
    expect(writers()).toBe(2)
  })

  it('a program whose sandbox lets it, and what is beneath it', async () => {
    await start((path) => path === contract)
    expect(writers()).toBe(2)
  })

  it('no program whose sandbox keeps it away, and nothing beneath it', async () => {
    await start(() => false)
    expect(writers()).toBe(0)
  })

  it('no git that a thread of ours runs in a sandbox, and nothing beneath it', async () => {
    const workerData = { command: COMMAND, directory: folder }
    const thread = new Worker(new URL('./testing/start-in-thread.ts', import.meta.url), { workerData })
    closers.push(() => thread.terminate())
    expect(await once(thread, 'message')).toEqual(['up'])
    const env = { ...process.env, [SUPERVISOR_VARIABLE]: supervisorTag(folder) }
    expect(writers()).toBe(0)
    // One that is started beside it is told apart.
    const child = spawn('sleep', ['60'], { env, detached: true, stdio: 'ignore' })
    closers.push(() => child.kill('SIGKILL'))
    await once(child, 'spawn')
    await expect.poll(writers).toBe(1)
    thread.postMessage('end')
    expect(await once(thread, 'message')).toEqual(['gone'])
  })

  it('what lives on without the program that it was beneath', async () => {
    const env = { ...process.env, [SUPERVISOR_VARIABLE]: supervisorTag(folder) }
    const child = spawn('sleep', ['60'], { env, detached: true, stdio: 'ignore' })
    closers.push(() => child.kill('SIGKILL'))
    await once(child, 'spawn')
    await start(() => false)
    await expect.poll(writers).toBe(1)
  })
})
