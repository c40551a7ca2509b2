import { execFileSync } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../files/sha256.ts'
import { readContractFile, writeContractFile } from './contract-file.ts'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pulseward-contract-'))
  path = join(directory, 'HEARTBEAT.md')
})

afterEach(() => rm(directory, { recursive: true, force: true }))

describe('reading a contract', () => {
  it('returns the text unchanged, including the byte order mark, and the hash of its bytes', async () => {
    const text = '\uFEFF## Tasks\r\n- [ ] größe'
    await writeFile(path, text)
    expect(await readContractFile(directory)).toEqual({
      ok: true,
      path,
      text,
      hash: sha256(Buffer.from(text)),
      lossy: false,
    })
  })

  it('does not treat a contract as empty while it is being written in place', async () => {
    await writeFile(path, '')
    const reading = readContractFile(directory)
    await writeFile(path, '# Mail')
    expect(await reading).toMatchObject({ ok: true, text: '# Mail' })
    await writeFile(path, '')
    expect(await readContractFile(directory)).toMatchObject({ ok: true, text: '' })
  })

  it('shows bytes that are not UTF-8 and says so', async () => {
    await writeFile(path, Buffer.from([0x61, 0xff, 0x62]))
    expect(await readContractFile(directory)).toMatchObject({ ok: true, text: 'a\uFFFDb', lossy: true })
  })

  it.each([
    ['is missing', async () => {}, /There is no .*HEARTBEAT\.md\. Write your tasks there/],
    [
      'is in a deleted folder',
      () => rm(directory, { recursive: true }),
      /^The folder \S+ does not exist\. Restore the folder, or remove the workspace\.$/,
    ],
    ['is a folder', () => mkdir(path), /Cannot read .*HEARTBEAT\.md: it is not a regular file/],
    [
      'is a pipe without a writer',
      async () => void execFileSync('/usr/bin/env', ['mkfifo', path]),
      /Cannot read .*HEARTBEAT\.md: it is not a regular file/,
    ],
    [
      'is a link to itself',
      () => symlink(path, path),
      /Cannot read .*HEARTBEAT\.md: the symbolic link leads to itself/,
    ],
    [
      'is too large',
      async () => {
        await writeFile(path, '')
        await truncate(path, 10.5 * 1024 * 1024)
      },
      /HEARTBEAT\.md is 10\.5 MB; at most 2 MB is read/,
    ],
  ])('reports a contract that %s with a fix', async (_name, make, reason) => {
    await make()
    expect(await readContractFile(directory)).toEqual({
      ok: false,
      path,
      reason: expect.stringMatching(reason),
    })
  })
})

describe('writing a contract', () => {
  it('replaces the text, keeps the mode and leaves no other file', async () => {
    await writeFile(path, 'old')
    await chmod(path, 0o640)
    await writeContractFile(directory, 'new', sha256('old'))
    expect(await readFile(path, 'utf8')).toBe('new')
    expect((await stat(path)).mode & 0o777).toBe(0o640)
    expect(await readdir(directory)).toEqual(['HEARTBEAT.md'])
  })

  it('writes to the target of a symbolic link', async () => {
    await mkdir(join(directory, 'elsewhere'))
    const target = join(directory, 'elsewhere', 'tasks.md')
    await writeFile(target, 'old')
    await symlink(target, path)
    await writeContractFile(directory, 'new', sha256('old'))
    expect((await lstat(path)).isSymbolicLink()).toBe(true)
    expect(await readFile(target, 'utf8')).toBe('new')
  })

  it.each(['../elsewhere.md', '.env', '.git/description'])(
    'refuses to write through a link to %s, and to read it',
    async (target) => {
      const repository = join(directory, 'repository')
      await mkdir(join(repository, '.git'), { recursive: true })
      await writeFile(join(repository, target), 'secret')
      await symlink(target, join(repository, 'HEARTBEAT.md'))
      expect(await readContractFile(repository)).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/leads out/),
      })
      await expect(writeContractFile(repository, 'new', sha256('secret'))).rejects.toMatchObject({
        kind: 'unprocessable',
      })
      expect(await readFile(join(repository, target), 'utf8')).toBe('secret')
    },
  )

  it('refuses if the file changed since it was read', async () => {
    await writeFile(path, 'newer')
    await expect(writeContractFile(directory, 'mine', sha256('old'))).rejects.toMatchObject({
      name: 'RequestProblem',
      kind: 'conflict',
    })
    expect(await readFile(path, 'utf8')).toBe('newer')
  })

  it('writes a deleted file again if none was expected, and refuses if one exists', async () => {
    await writeContractFile(directory, 'mine', '')
    expect(await readFile(path, 'utf8')).toBe('mine')
    await expect(writeContractFile(directory, 'again', '')).rejects.toMatchObject({ kind: 'conflict' })
    expect(await readFile(path, 'utf8')).toBe('mine')
  })

  it('refuses if bytes would be lost', async () => {
    const bytes = Buffer.from([0x61, 0xff])
    await writeFile(path, bytes)
    await expect(writeContractFile(directory, 'a', sha256(bytes))).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining('not UTF-8'),
    })
    expect(await readFile(path)).toEqual(bytes)
  })

  it('refuses text that it could not read again, and a deleted file', async () => {
    await writeFile(path, 'old')
    await expect(
      writeContractFile(directory, 'x'.repeat(3 * 1024 * 1024), sha256('old')),
    ).rejects.toMatchObject({ kind: 'unprocessable', message: expect.stringContaining('3 MB') })
    await rm(path)
    await expect(writeContractFile(directory, 'mine', sha256('old'))).rejects.toMatchObject({
      kind: 'unprocessable',
    })
    expect(await readdir(directory)).toEqual([])
  })
})
