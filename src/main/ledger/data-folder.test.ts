import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isProcessRunning, processStart } from '../process/process-identity.ts'
import { claimDataFolder } from './data-folder.ts'

let folder: string
let lock: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-lock-'))
  lock = join(folder, 'lock')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Starts a process that does nothing until it is killed. */
async function idleProcess() {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  const kill = async (): Promise<void> => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return { pid: child.pid ?? 0, kill }
}

const holder = (pid: number, start: string | null, nonce = 'test'): string =>
  `${JSON.stringify({ pid, start, nonce })}\n`

describe('claiming a data folder', () => {
  test('creates the folder if only its parent exists, for the operator alone', async () => {
    const data = join(folder, 'data')
    const claim = await claimDataFolder(data)
    expect(claim.kind).toBe('owner')
    expect((await stat(data)).mode & 0o777).toBe(0o700)
    expect((await stat(join(data, 'lock'))).mode & 0o777).toBe(0o600)
    expect(await readdir(data)).toEqual(['lock'])
  })

  test('with a missing parent reports what, where and how to fix it', async () => {
    await expect(claimDataFolder(join(folder, 'no', 'data'))).rejects.toThrow(
      /Cannot claim the data folder .*data: a parent folder does not exist \(ENOENT\): create it/,
    )
  })

  test('tells a second claimant who owns it, until it is released', async () => {
    const first = await claimDataFolder(folder)
    expect(await claimDataFolder(folder)).toEqual({ kind: 'owned', pid: process.pid })
    if (first.kind === 'owner') await first.release()
    expect(await readdir(folder)).toEqual([])
    expect((await claimDataFolder(folder)).kind).toBe('owner')
  })

  test('respects another running process and takes over as soon as it is killed', async () => {
    const owner = await idleProcess()
    await writeFile(lock, holder(owner.pid, processStart(owner.pid)))
    expect(await claimDataFolder(folder)).toEqual({ kind: 'owned', pid: owner.pid })
    await owner.kill()
    expect((await claimDataFolder(folder)).kind).toBe('owner')
    expect(JSON.parse(await readFile(lock, 'utf8'))).toMatchObject({ pid: process.pid })
  })

  test.runIf(process.platform === 'linux')(
    'is not fooled by an unrelated process with the same process number',
    async () => {
      await writeFile(lock, holder(process.pid, 'another-boot/12345'))
      expect((await claimDataFolder(folder)).kind).toBe('owner')
    },
  )

  test.each([
    ['empty', ''],
    ['invalid JSON', 'garbage'],
    ['of another shape', '{"pid":"none"}'],
    ['very long', 'x'.repeat(100_000)],
  ])('takes over a lock that is %s', async (_name, text) => {
    await writeFile(lock, text)
    expect((await claimDataFolder(folder)).kind).toBe('owner')
    expect(await readdir(folder)).toEqual(['lock'])
  })

  test('does not release what another process has taken over', async () => {
    const claim = await claimDataFolder(folder)
    const other = holder(process.pid, processStart(process.pid), 'other')
    await writeFile(lock, other)
    if (claim.kind === 'owner') await claim.release()
    expect(await readFile(lock, 'utf8')).toBe(other)
  })

  test("refuses a folder that has the lock's name, and leaves it there", async () => {
    await mkdir(lock)
    await expect(claimDataFolder(folder)).rejects.toThrow('EISDIR')
    expect((await stat(lock)).isDirectory()).toBe(true)
  })
})

describe("several claimants of a dead owner's folder", () => {
  test('never both win, whatever killed claimants left behind', async () => {
    const dead = await idleProcess()
    const start = processStart(dead.pid)
    await dead.kill()
    for (let round = 0; round < 40; round += 1) {
      const stale = holder(dead.pid, start, `owner ${round}`)
      await writeFile(lock, stale)
      // Every third round, leave what a claimant that was killed during its own takeover leaves.
      if (round % 3 === 0) await leaveGuard(stale, holder(dead.pid, start, `claimant ${round}`))
      const claims = await Promise.all(Array.from({ length: 6 }, () => claimDataFolder(folder)))
      const owners = claims.filter((claim) => claim.kind === 'owner')
      expect(owners).toHaveLength(1)
      // The winner may not have written its own number into the lock yet.
      const named = claims.flatMap((claim) => (claim.kind === 'owned' ? (claim.pid ?? []) : []))
      expect(named.filter((pid) => pid !== process.pid)).toEqual([])
      expect(await readdir(folder)).toEqual(['lock'])
      for (const owner of owners) await owner.release()
    }
  })

  test('in separate processes, one wins, and the others say who owns it', async () => {
    const dead = await idleProcess()
    await writeFile(lock, holder(dead.pid, processStart(dead.pid)))
    await dead.kill()
    const module = new URL('./data-folder.ts', import.meta.url).href
    const script = `
      const { claimDataFolder } = await import(${JSON.stringify(module)})
      const claim = await claimDataFolder(${JSON.stringify(folder)})
      console.log(claim.kind === 'owner' ? 'owner ' + process.pid : 'owned ' + claim.pid)
      process.stdin.resume()`
    const children = Array.from({ length: 5 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    const answers = await Promise.all(
      children.map(async (child) => String((await once(child.stdout, 'data'))[0]).trim()),
    )
    const winner = answers.find((answer) => answer.startsWith('owner'))?.split(' ')[1]
    expect(answers.filter((answer) => answer === `owned ${winner}`)).toHaveLength(4)
    await Promise.all(
      children.map(async (child) => {
        const exited = once(child, 'exit')
        child.stdin.end()
        await exited
      }),
    )
    expect((await claimDataFolder(folder)).kind).toBe('owner')
  })

  /** Leaves what a claimant does that is killed right after getting the guard of a takeover: its claim, linked as the guard. */
  async function leaveGuard(stale: string, text: string): Promise<void> {
    const fingerprint = createHash('sha256').update(stale).digest('hex').slice(0, 32)
    await writeFile(`${lock}.takeover-${fingerprint}`, text)
    await writeFile(`${lock}.claim-${JSON.parse(text).pid}-x`, text)
  }
})

describe('a process', () => {
  test('is running until it has ended; an unused process number is not running', async () => {
    const child = await idleProcess()
    const start = processStart(child.pid)
    expect(isProcessRunning(child.pid, start)).toBe(true)
    expect(isProcessRunning(child.pid, null)).toBe(true)
    await child.kill()
    expect(isProcessRunning(child.pid, start)).toBe(false)
    expect(isProcessRunning(2 ** 30, null)).toBe(false)
  })

  test.runIf(process.platform === 'linux')('that is a zombie is not running', async () => {
    // exec leaves the shell's child to a program that never waits for it. The child may end only after that, or the shell waits
    // for it.
    const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    try {
      const pid = Number(String((await once(parent.stdout as Readable, 'data'))[0]))
      const program = () => readFile(`/proc/${parent.pid}/comm`, 'utf8')
      await expect.poll(program).toBe('sleep\n')
      parent.stdio[3]?.destroy()
      await expect.poll(() => isProcessRunning(pid, null)).toBe(false)
      expect((await stat(`/proc/${pid}`)).isDirectory()).toBe(true)
    } finally {
      parent.kill('SIGKILL')
      await once(parent, 'exit')
    }
  })
})
