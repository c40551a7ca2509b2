import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readServerFile, removeServerFile, writeServerFile } from './server-file.ts'

let folder: string
let file: string
const address = { port: 4711, token: 'secret', pid: process.pid }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-server-'))
  file = join(folder, 'server.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('server.json', () => {
  test('says where the running host listens, to the operator only', async () => {
    await writeServerFile(folder, address)
    expect(await readServerFile(folder)).toEqual(address)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['server.json'])
  })

  test.each([
    ['missing', null],
    ['from a host that no longer runs', JSON.stringify({ ...address, pid: 2 ** 30 })],
    ['invalid JSON', '{'],
    ['without a token', JSON.stringify({ port: 1, pid: process.pid })],
    ['with an invalid port', JSON.stringify({ ...address, port: 70_000 })],
    ['enormous', JSON.stringify({ ...address, padding: 'x'.repeat(100_000) })],
  ])('that is %s is ignored', async (_name, text) => {
    if (text !== null) await writeFile(file, text)
    expect(await readServerFile(folder)).toBeNull()
  })

  test('that cannot be read is an error', async () => {
    await mkdir(file)
    await expect(readServerFile(folder)).rejects.toThrow(/Cannot read .*server\.json: .*\(EISDIR\)/)
  })

  test('is removed by the process that wrote it, and by no other', async () => {
    await writeServerFile(folder, address)
    await removeServerFile(folder)
    expect(await readdir(folder)).toEqual([])
    await removeServerFile(folder)

    await writeServerFile(folder, { ...address, pid: process.ppid })
    await removeServerFile(folder)
    expect(await readdir(folder)).toEqual(['server.json'])
  })
})
