import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StorageError } from '../files/storage-error.ts'
import { claimDataFolder } from './data-folder.ts'
import { finishedAttempt, noteEvent } from './testing/sample-events.ts'
import { type TemporaryLedger, temporaryLedger } from './testing/temporary-ledger.ts'
import { verifyLedger } from './verify.ts'

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' })

let root: string
let small: string
let mounted = false

/** Mounts a separate file system of 256 KiB: a realistic way to get a full or read-only disk, even for root. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pulseward-disk-'))
  small = join(root, 'small')
  await mkdir(small)
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small)
    mounted = true
  } catch {
    // Each test that needs it skips with this.
  }
})
afterAll(async () => {
  if (mounted) run('umount', small)
  await rm(root, { recursive: true, force: true })
})

const why = 'needs the permission to mount a tmpfs'

async function fill(path: string): Promise<void> {
  await writeFile(path, Buffer.alloc(1024 * 1024)).catch((error: NodeJS.ErrnoException) => {
    expect(error.code).toBe('ENOSPC')
  })
}

async function appendUntilFull(files: TemporaryLedger, segmentBytes: number): Promise<void> {
  const ledger = await files.open({ segmentBytes })
  const filler = join(files.directory, 'filler')
  const recorded = [...(await ledger.append(noteEvent('before')))]
  await fill(filler)
  let refusal: unknown = null
  for (let number = 0; refusal === null && number < 2000; number += 1) {
    try {
      recorded.push(...(await ledger.append(finishedAttempt(`a${number}`), finishedAttempt(`b${number}`))))
    } catch (error) {
      refusal = error
    }
  }
  expect(refusal).toBeInstanceOf(StorageError)
  expect(String(refusal)).toMatch(
    /Cannot (record in|open for recording) \S+\.jsonl: the disk is full \(ENOSPC\): free some space/,
  )
  expect(ledger.state.seq).toBe(recorded.length)
  expect(await ledger.read(1, 5000)).toEqual(recorded)
  await expect(ledger.append(finishedAttempt('still full'), finishedAttempt('too'))).rejects.toThrow('ENOSPC')

  // The partial write is gone, not just ignored.
  expect(await verifyLedger(files.directory)).toEqual({ events: recorded.length, problems: [] })

  await rm(filler)
  recorded.push(...(await ledger.append(noteEvent('after'))))
  await ledger.close()

  const again = await files.open()
  expect(again.problems).toEqual([])
  expect(again.state).toEqual(ledger.state)
  expect(await again.read(1, 5000)).toEqual(recorded)
  await again.close()
  expect(await verifyLedger(files.directory)).toEqual({ events: recorded.length, problems: [] })
}

describe('a full disk', () => {
  test.for([
    ['within a segment', 4 * 1024 * 1024],
    ['at the start of a new one', 2000],
  ] as const)(
    '%s refuses with what, where and how to fix it; nothing is lost, and it works again once there is space',
    async ([_name, segmentBytes], context) => {
      if (!mounted) return context.skip(why)
      const files = await temporaryLedger(small)
      try {
        await appendUntilFull(files, segmentBytes)
      } finally {
        await files.remove()
      }
    },
  )

  test('still opens the ledger and shows its state', async (context) => {
    if (!mounted) return context.skip(why)
    const files = await temporaryLedger(small)
    try {
      const ledger = await files.open()
      await ledger.append(finishedAttempt('one'))
      await ledger.close()
      await rm(join(files.directory, 'heartbeat-score.json'))
      await fill(join(files.directory, 'filler'))
      const full = await files.open()
      expect(full.state).toEqual(ledger.state)
      await full.close()
      expect(files.warnings.join()).toContain('the disk is full')
    } finally {
      await files.remove()
    }
  })
})

describe('a read-only file system', () => {
  test('refuses ledger and data folder with what, where and how to fix it', async (context) => {
    if (!mounted) return context.skip(why)
    const files = await temporaryLedger(small)
    try {
      const ledger = await files.open()
      await ledger.append(noteEvent('a'))
      await ledger.close()
      run('mount', '-o', 'remount,ro', small)
      await expect(files.open()).rejects.toThrow(
        /Cannot open for recording \S+\.jsonl: the file system is read-only \(EROFS\): make it writable/,
      )
      await expect(claimDataFolder(small)).rejects.toThrow(
        /Cannot claim the data folder \S+: the file system is read-only \(EROFS\)/,
      )
      await expect(claimDataFolder(join(small, 'new'))).rejects.toThrow('EROFS')
      expect((await verifyLedger(files.directory)).problems).toEqual([])
    } finally {
      run('mount', '-o', 'remount,rw', small)
      await files.remove()
    }
  })
})

describe('a file where a folder is needed', () => {
  test('is named in the error, with how to fix it', async () => {
    const file = join(root, 'file')
    await writeFile(file, 'not a folder')
    await expect(claimDataFolder(file)).rejects.toThrow(
      /Cannot claim the data folder .*file: there is a file where a folder is needed \(ENOTDIR\): move the file away/,
    )
    const files = await temporaryLedger(root)
    await mkdir(join(files.directory, '..'))
    await writeFile(files.directory, 'not a folder')
    await expect(files.open()).rejects.toThrow(/Cannot create the folder .*ledger: .*\(ENOTDIR\)/)
  })

  test('or a folder where the newest segment should be loses nothing', async () => {
    const files = await temporaryLedger(root)
    await mkdir(join(files.ledgerDirectory, '000000000001.jsonl'), { recursive: true })
    await expect(files.open()).rejects.toThrow(/Cannot read \S+000000000001\.jsonl: there is a folder/)
    expect(await readdir(files.ledgerDirectory)).toEqual(['000000000001.jsonl'])
  })
})
