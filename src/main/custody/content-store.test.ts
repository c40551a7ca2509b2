import { createHash } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onlyIn } from '../files/beneath.ts'
import { type ContentStore, createContentStore } from './content-store.ts'

let root: string
let folder: string
let store: ContentStore

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pulseward-store-'))
  folder = join(root, 'workspace')
  await mkdir(join(folder, 'tests'), { recursive: true })
  store = createContentStore(join(root, 'content'), { maxFileBytes: 1000, maxBytes: 2000 })
})
afterEach(() => rm(root, { recursive: true, force: true }))

const objects = async (): Promise<string[]> =>
  (await readdir(join(root, 'content'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('behind a link that an agent left instead of a folder', () => {
  test.each([
    ['outside', '../outside'],
    ['in another folder of the workspace', 'tests'],
    ['in git’s own data', '.git'],
  ])('keeps, restores and removes no file: %s', async (_, target) => {
    const victim = join(folder, target)
    for (const place of [victim, join(folder, 'd')]) await mkdir(place, { recursive: true })
    await writeFile(join(victim, 'a'), 'theirs')
    await writeFile(join(folder, 'd', 'a'), 'mine')
    const saved = await store.saveBefore(folder, ['d/a', 'd/new'])
    await rm(join(folder, 'd'), { recursive: true })
    await symlink(target, join(folder, 'd'))
    expect(await store.saveBefore(folder, ['d/a'])).toEqual([{ path: 'd/a', kind: 'led-out' }])
    expect((await store.restore(folder, saved)).failed.map(({ path }) => path)).toEqual(['d/a'])
    await store.restore(folder, [{ path: 'd/a', kind: 'absent' }])
    expect(await readdir(victim)).toEqual(['a'])
    expect(await readFile(join(victim, 'a'), 'utf8')).toBe('theirs')
    // Opening the plain path would reach the other file.
    await rm(join(folder, 'd', 'a'))
    expect(await readdir(victim)).toEqual([])
  })

  test('restores an honest link of the operator’s as a link', async () => {
    await writeFile(join(folder, 'tests', 'a'), 'a')
    await mkdir(join(folder, 'd'))
    await writeFile(join(folder, 'd', 'a'), 'd')
    const saved = await store.saveBefore(folder, ['d/a'])
    await rm(join(folder, 'd'), { recursive: true })
    await symlink('tests', join(folder, 'd'))
    expect(await store.restore(folder, saved)).toEqual({
      restored: [],
      failed: [{ path: 'd/a', reason: 'a link on its way leads out of the folder' }],
    })
    expect(await readFile(join(folder, 'tests', 'a'), 'utf8')).toBe('a')
    const link = await store.saveBefore(folder, ['d'])
    await rm(join(folder, 'd'))
    expect(await store.restore(folder, link)).toEqual({ restored: ['d'], failed: [] })
    expect(await readlink(join(folder, 'd'))).toBe('tests')
  })
})

describe('files that were saved', () => {
  test('are restored exactly: contents, executable bits, links, and missing files', async () => {
    await writeFile(join(folder, 'check.sh'), 'exit 1\n')
    await chmod(join(folder, 'check.sh'), 0o755)
    await writeFile(join(folder, 'tests', 'a'), 'a')
    await symlink('a', join(folder, 'tests', 'link'))
    const saved = await store.saveBefore(folder, ['check.sh', 'tests/a', 'tests/link', 'new'])
    await rm(join(folder, 'tests'), { recursive: true })
    await writeFile(join(folder, 'check.sh'), 'exit 0\n')
    await chmod(join(folder, 'check.sh'), 0o644)
    await writeFile(join(folder, 'new'), '')
    expect(await store.restore(folder, saved)).toMatchObject({ failed: [] })
    expect(await readFile(join(folder, 'check.sh'), 'utf8')).toBe('exit 1\n')
    expect((await stat(join(folder, 'check.sh'))).mode & 0o777).toBe(0o755)
    expect(await readFile(join(folder, 'tests', 'a'), 'utf8')).toBe('a')
    expect(await readlink(join(folder, 'tests', 'link'))).toBe('a')
    expect(await readdir(folder)).toEqual(['check.sh', 'tests'])
  })

  test('are not written through a link that leads out of the folder', async () => {
    await writeFile(join(folder, 'tests', 'a'), 'a')
    const saved = await store.saveBefore(folder, ['tests/a'])
    await rm(join(folder, 'tests'), { recursive: true })
    await mkdir(join(root, 'elsewhere'))
    await symlink(join(root, 'elsewhere'), join(folder, 'tests'))
    const { failed } = await store.restore(folder, saved)
    expect(failed).toEqual([{ path: 'tests/a', reason: 'a link on its way leads out of the folder' }])
    expect(await readdir(join(root, 'elsewhere'))).toEqual([])
  })

  test('are restored at a path where a link led out of the folder, as is the link where a folder replaced it', async () => {
    await mkdir(join(root, 'elsewhere'))
    await writeFile(join(folder, 'tests', 'a'), 'a')
    const withFolder = await store.saveBefore(folder, ['tests', 'tests/a'])
    await rename(join(folder, 'tests'), join(root, 'elsewhere', 'tests'))
    await symlink(join(root, 'elsewhere', 'tests'), join(folder, 'tests'))
    const withLink = await store.saveBefore(folder, ['tests', 'tests/a'])
    expect(withLink).toMatchObject([{ kind: 'link' }, { kind: 'led-out' }])

    await rm(join(folder, 'tests'))
    expect((await store.restore(folder, withFolder.slice(1))).failed).toEqual([])
    expect(await readFile(join(folder, 'tests', 'a'), 'utf8')).toBe('a')
    expect((await store.restore(folder, withLink)).failed.map(({ path }) => path)).toEqual(['tests'])

    await rm(join(folder, 'tests'), { recursive: true })
    expect((await store.restore(folder, withLink)).failed).toEqual([])
    expect(await readFile(join(folder, 'tests', 'a'), 'utf8')).toBe('a')
    expect(await readdir(join(root, 'elsewhere'))).toEqual(['tests'])
  })

  test('are reported if they could not be kept or no longer exist', async () => {
    await writeFile(join(folder, 'large'), 'x'.repeat(1001))
    await writeFile(join(folder, 'small'), 'x')
    const saved = await store.saveBefore(folder, ['large', 'small'])
    expect(saved[0]).toMatchObject({ kind: 'lost' })
    for (const path of await objects()) await rm(path)
    expect((await store.restore(folder, saved)).failed.map(({ path }) => path)).toEqual(['large', 'small'])
    expect(await readFile(join(folder, 'small'), 'utf8')).toBe('x')
  })
})

test('keeps equal contents once, readable only by the operator', async () => {
  const [one, other] = [await store.keep(Buffer.from('x')), await store.keep(Buffer.from('x'))]
  expect(one).toBe(other)
  const [path, ...more] = await objects()
  expect(more).toEqual([])
  expect((await stat(path ?? '')).mode & 0o777).toBe(0o600)
  expect((await stat(join(path ?? '', '..'))).mode & 0o777).toBe(0o700)
})

test('does not return a content that no longer matches its name', async () => {
  const hash = (await store.keep(Buffer.from('x'))) ?? ''
  for (const path of await objects()) await writeFile(path, 'y')
  expect(await store.read(hash)).toBeNull()
  expect(await store.read('../../etc/passwd')).toBeNull()
})

test('removes what has been unused for the longest time when it exceeds its limit', async () => {
  const hashes: string[] = []
  for (const letter of ['a', 'b', 'c']) hashes.push((await store.keep(Buffer.from(letter.repeat(900)))) ?? '')
  for (const [index, hash] of hashes.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1 + index))
    await utimes(join(root, 'content', hash.slice(0, 2), hash.slice(2)), at, at)
  }
  await store.keep(Buffer.from('a'.repeat(900)))
  await store.prune()
  expect(await Promise.all(hashes.map(async (hash) => (await store.read(hash)) !== null))).toEqual([
    true,
    false,
    true,
  ])
})

describe('a file that is read in pieces', () => {
  const large = Buffer.from(Array.from({ length: 150_000 }, (_, line) => `line ${line}\n`).join(''))
  const hashOfIt = createHash('sha256').update(large).digest('hex')

  beforeEach(async () => {
    store = createContentStore(join(root, 'content'), { maxFileBytes: large.length, maxBytes: 2 ** 30 })
    await writeFile(join(folder, 'large'), large)
  })

  test('is kept and restored whole', async () => {
    const saved = await store.saveBefore(folder, ['large'])
    expect(saved).toMatchObject([{ kind: 'file', hash: hashOfIt }])
    await writeFile(join(folder, 'large'), 'x')
    expect((await store.restore(folder, saved)).failed).toEqual([])
    expect((await readFile(join(folder, 'large'))).equals(large)).toBe(true)
    expect(await store.keep(large)).toBe(hashOfIt)
    expect(await objects()).toHaveLength(1)
  })

  test('is identified by its hash if the disk refuses to store it, and is not read if it is too large', async () => {
    await writeFile(join(root, 'content'), 'no folder')
    expect(await store.keepFile(onlyIn(folder), 'large')).toBe(hashOfIt)
    expect(await store.saveBefore(folder, ['large'])).toMatchObject([{ kind: 'lost' }])
    await writeFile(join(folder, 'large'), `${large}x`)
    expect(await store.keepFile(onlyIn(folder), 'large')).toBeNull()
  })

  test('is kept as it was at one moment even if a program is writing it, or is reported as not kept', async () => {
    const versions = ['a', 'b'].map((letter) => Buffer.alloc(large.length, letter))
    let isWriting = true
    const writing = (async () => {
      const file = await open(join(folder, 'large'), 'r+')
      for (let turn = 0; isWriting; turn += 1)
        await file.write(versions[turn % 2] ?? large, 0, large.length, 0)
      await file.close()
    })()
    const hashes = new Set<string>()
    for (let time = 0; time < 20; time += 1) hashes.add((await store.keepFile(onlyIn(folder), 'large')) ?? '')
    isWriting = false
    await writing
    for (const path of await objects()) {
      const hash = createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
      expect(path.split('/').slice(-2).join('')).toBe(hash)
      hashes.delete(hash)
    }
    expect([...hashes]).toEqual([])
  })
})
