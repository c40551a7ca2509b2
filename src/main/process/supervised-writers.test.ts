import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SUPERVISOR_VARIABLE } from '../../core/vocabulary/supervisor-variable.ts'
import type { Containment } from '../ports/containment.ts'
import { beginningWith } from './contained-beginning.ts'
import { openProcess } from './open-process.ts'
import { supervisedWriters } from './process-origin.ts'
import { superviseFor, supervisorTag } from './supervisor-tag.ts'

/** Two processes, the second a child of the first. */
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

/** Starts them in a sandbox that decides by `canWrite`; without it, in none. */
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

describe.runIf(process.platform === 'linux')('processes that could have changed a file', () => {
  it('are none if nothing from the data folder runs', () => expect(writers()).toBe(0))

  it('include a program without a sandbox and its child', async () => {
    await start()
    expect(writers()).toBe(2)
  })

  it('include a program whose sandbox lets it write the file, and its child', async () => {
    await start((path) => path === contract)
    expect(writers()).toBe(2)
  })

  it('exclude a program whose sandbox does not let it, and its child', async () => {
    await start(() => false)
    expect(writers()).toBe(0)
  })

  it('exclude git that a thread of ours runs in a sandbox, and its child', async () => {
    const workerData = { command: COMMAND, directory: folder }
    const thread = new Worker(new URL('./testing/start-in-thread.ts', import.meta.url), { workerData })
    closers.push(() => thread.terminate())
    expect(await once(thread, 'message')).toEqual(['up'])
    const env = { ...process.env, [SUPERVISOR_VARIABLE]: supervisorTag(folder) }
    expect(writers()).toBe(0)
    // A process started next to it is still counted.
    const child = spawn('sleep', ['60'], { env, detached: true, stdio: 'ignore' })
    closers.push(() => child.kill('SIGKILL'))
    await once(child, 'spawn')
    await expect.poll(writers).toBe(1)
    thread.postMessage('end')
    expect(await once(thread, 'message')).toEqual(['gone'])
  })

  it('include a process that outlived its parent', async () => {
    const env = { ...process.env, [SUPERVISOR_VARIABLE]: supervisorTag(folder) }
    const child = spawn('sleep', ['60'], { env, detached: true, stdio: 'ignore' })
    closers.push(() => child.kill('SIGKILL'))
    await once(child, 'spawn')
    await start(() => false)
    await expect.poll(writers).toBe(1)
  })
})
