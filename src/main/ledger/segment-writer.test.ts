import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StorageError } from '../files/storage-error.ts'
import { openSegmentWriter } from './segment-writer.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-segment-'))
  path = join(folder, '000000000001.jsonl')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('continues a segment at the end of its last valid line', async () => {
  await writeFile(path, 'one\n')
  const writer = await openSegmentWriter(path, 4)
  await writer.append(Buffer.from('two\n'))
  await writer.append(Buffer.from('three\n'))
  expect(writer.length).toBe(14)
  await writer.close()
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\n')
})

test.runIf(process.platform === 'linux')(
  'stops all recording, and says so, until a failed write can be undone',
  async () => {
    // A device that is always full, and that cannot be truncated.
    await symlink('/dev/full', path)
    const writer = await openSegmentWriter(path, 0)
    await expect(writer.append(Buffer.from('one\n'))).rejects.toThrow(/the disk is full \(ENOSPC\)/)
    expect(writer.failure).toBeInstanceOf(StorageError)
    expect(writer.length).toBe(0)
    await expect(writer.append(Buffer.from('two\n'))).rejects.toThrow(
      /^Nothing is recorded in .* until a failed write can be undone/,
    )
    await writer.close()
  },
)
