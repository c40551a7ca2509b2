import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimDataFolder, type DataFolderOwner } from './data-folder.ts'
import { documents } from './document-list.ts'
import { openLedger } from './ledger.ts'
import { noteEvent } from './testing/sample-events.ts'

/* Checks that only one process records in a data folder, and that it notices when its record is no longer there. */

const NAMESPACE = ['unshare', '--user', '--map-current-user', '--pid', '--fork', '--mount-proc']
const hasNamespaces =
  process.platform === 'linux' && spawnSync(NAMESPACE[0] ?? '', [...NAMESPACE.slice(1), 'true']).status === 0

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-owner-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function claim(onLost?: (reason: string) => void): Promise<DataFolderOwner> {
  const claimed = await claimDataFolder(folder, onLost)
  if (claimed.kind !== 'owner') throw new Error('not the owner')
  return claimed
}

function open(lost?: () => Promise<string | null>) {
  return openLedger({
    directory: join(folder, 'workspaces/one'),
    clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
    localDay: () => '2026-01-01',
    timestamp: () => '2026-01-01T00:00:00Z',
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...(lost !== undefined && { lost }),
  })
}

const segment = (): string => {
  const ledger = join(folder, 'workspaces/one/ledger')
  return join(ledger, readdirSync(ledger).find((name) => name.endsWith('.jsonl')) ?? '')
}

describe.skipIf(process.platform !== 'linux')('one owner', () => {
  it.skipIf(!hasNamespaces)(
    'is known to a process in another container or namespace, which cannot see the owner’s process',
    async () => {
      const owner = await claim()
      const script = join(import.meta.dirname, 'testing/append-until-killed.ts')
      const [program = '', ...args] = [...NAMESPACE, process.execPath, script, folder, 'second']
      const second = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const [code] = await new Promise<[number | null]>((resolve) =>
        second.once('exit', (exit) => resolve([exit])),
      )
      expect(code, 'it says that it is not the owner').toBe(3)
      await owner.release()
    },
  )

  it('remains the owner when its lock file is deleted, and writes it again', async () => {
    const owner = await claim()
    rmSync(join(folder, 'lock'))
    expect(await claimDataFolder(folder)).toEqual({ kind: 'owned', pid: null })
    expect(await owner.lost()).toBeNull()
    expect(await claimDataFolder(folder)).toEqual({ kind: 'owned', pid: process.pid })
    await owner.release()
  })

  it('takes its lock again when the holder was killed, and notices if another process was faster', async () => {
    const owner = await claim()
    endLockHolders(folder)
    await expect.poll(() => owner.lost()).toBeNull()
    await writeFile(join(folder, 'lock'), '{"pid":1,"start":null,"nonce":"another"}\n')
    expect(await owner.lost()).toContain('names another owner')
  })

  it('takes its lock again immediately, without waiting for the next record', async () => {
    const told: string[] = []
    const owner = await claim((reason) => told.push(reason))
    for (const _ of ['once', 'and again']) {
      await expect.poll(() => lockHolders(folder)).toHaveLength(1)
      const [ended] = lockHolders(folder)
      endLockHolders(folder)
      await expect.poll(() => lockHolders(folder).filter((pid) => pid !== ended)).toHaveLength(1)
      expect(spawnSync('flock', ['--nonblock', folder, 'true']).status).not.toBe(0)
    }
    expect(await Promise.all([owner.lost(), owner.lost()])).toEqual([null, null])
    await owner.release()
    expect(told).toEqual([])
    expect(spawnSync('flock', ['--nonblock', folder, 'true']).status).toBe(0)
  })

  it('reports at once if another process killed the holder and was faster', async () => {
    const told: string[] = []
    const owner = await claim((reason) => told.push(reason))
    await writeFile(join(folder, 'lock'), '{"pid":1,"start":null,"nonce":"another"}\n')
    await expect.poll(() => lockHolders(folder)).toHaveLength(1)
    endLockHolders(folder)
    await expect.poll(() => told).toEqual([expect.stringContaining('names another owner')])
    await owner.release()
  })

  it('notices that a copy replaced its folder, lock file and all', async () => {
    const owner = await claim()
    const ledger = await open(owner.lost)
    await ledger.append(noteEvent('a'))
    // Documents are written later, and would create the folder again while it is away.
    await expect
      .poll(() => readdirSync(join(folder, 'workspaces/one'), { recursive: true }).toSorted())
      .toEqual(expect.arrayContaining(documents.map(({ name }) => name)))
    await expect
      .poll(() => readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.tmp')))
      .toEqual([])
    renameSync(folder, `${folder}.away`)
    cpSync(`${folder}.away`, folder, { recursive: true })
    expect(await owner.lost()).toContain('was moved away or replaced')
    await expect(ledger.append(noteEvent('b'))).rejects.toThrow('was moved away or replaced')
    rmSync(folder, { recursive: true })
    renameSync(`${folder}.away`, folder)
    expect(await owner.lost(), 'once it is back').toBeNull()
    await ledger.append(noteEvent('c'))
    await ledger.close()
    await owner.release()
  })

  it('records nothing once the folder belongs to another process', async () => {
    const ledger = await open(async () => 'the lock was taken away')
    await expect(ledger.append(noteEvent('a'))).rejects.toThrow('the lock was taken away')
    expect(ledger.state.seq).toBe(0)
    await ledger.close()
  })
})

describe('recording', () => {
  it('is refused when the file was deleted while open', async () => {
    const ledger = await open()
    await ledger.append(noteEvent('a'))
    rmSync(segment())
    await expect(ledger.append(noteEvent('b'))).rejects.toThrow('deleted or replaced')
    await expect(ledger.append(noteEvent('c')), 'and afterwards').rejects.toThrow('deleted or replaced')
    expect(ledger.state.seq).toBe(1)
    await ledger.close()
  })

  it('is refused when a copy replaced the file or the whole folder', async () => {
    const ledger = await open()
    await ledger.append(noteEvent('a'))
    const path = segment()
    await copyFile(path, `${path}.copy`)
    await rename(`${path}.copy`, path)
    await expect(ledger.append(noteEvent('b'))).rejects.toThrow('deleted or replaced')
    await ledger.close()

    rmSync(join(folder, 'workspaces'), { recursive: true })
    const again = await open()
    await again.append(noteEvent('a'))
    rmSync(join(folder, 'workspaces'), { recursive: true })
    mkdirSync(join(folder, 'workspaces/one/ledger'), { recursive: true })
    await expect(again.append(noteEvent('b'))).rejects.toThrow('deleted or replaced')
    await again.close().catch(() => undefined)
  })

  it('is refused when another process wrote after it, and that text stays', async () => {
    const ledger = await open()
    await ledger.append(noteEvent('a'))
    const line = `${JSON.stringify({ foreign: 'x'.repeat(2000) })}\n`
    appendFileSync(segment(), line)
    await expect(ledger.append(noteEvent('b'))).rejects.toThrow('another process writes to it')
    expect(readFileSync(segment(), 'utf8').length).toBeGreaterThan(1000)
    await ledger.close()
  })

  it('continues while no one interferes', async () => {
    const owner = await claim()
    const ledger = await open(owner.lost)
    for (let index = 0; index < 50; index += 1) await ledger.append(noteEvent(String(index)))
    expect(ledger.state.seq).toBe(50)
    await ledger.close()
    await owner.release()
  })
})

/** Kills the children that hold a lock on the folder, found by their command line. */
function endLockHolders(path: string): void {
  for (const pid of lockHolders(path)) process.kill(pid, 'SIGKILL')
}

function lockHolders(path: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => {
    try {
      const fds = readdirSync(`/proc/${pid}/fd`)
      const holds = fds.some((fd) => readlink(`/proc/${pid}/fd/${fd}`) === path)
      return holds && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'cat'
    } catch {
      // It has ended, or belongs to another user.
      return false
    }
  })
}

function readlink(path: string): string {
  const { readlinkSync } = process.getBuiltinModule('node:fs')
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
