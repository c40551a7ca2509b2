import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compressSegment } from './compress-segment.ts'
import { segmentPath } from './segments.ts'

let directory: string
let temporary: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pulseward-compress-'))
  const plain = segmentPath(directory, 1)
  temporary = `${plain}.gz.tmp`
  await writeFile(
    plain,
    Array.from({ length: 20_000 }, (_, n) => `{"seq":${n},"hash":"${Math.sin(n)}"}\n`).join(''),
  )
})

afterEach(() => rm(directory, { recursive: true, force: true }))

const openFiles = async () => (await readdir('/proc/self/fd')).length

test.skipIf(process.platform !== 'linux')(
  'reports a full disk as such, not as the abort that followed',
  async () => {
    const before = await openFiles()
    for (let times = 0; times < 30; times += 1) {
      await symlink('/dev/full', temporary)
      await expect(compressSegment(directory, 1)).rejects.toThrow(/ENOSPC|no space/i)
    }
    await expect.poll(openFiles, { message: 'nothing stays open' }).toBe(before)
  },
)

test.skipIf(process.platform !== 'linux')(
  'leaves no file open when the compressed file cannot be created',
  async () => {
    const before = await openFiles()
    await mkdir(join(temporary, 'in-the-way'), { recursive: true })
    for (let times = 0; times < 5; times += 1)
      await expect(compressSegment(directory, 1)).rejects.toThrow(/EISDIR|directory/i)
    await expect.poll(openFiles).toBe(before)
  },
)
