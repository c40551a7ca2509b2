import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createBeneath,
  groundOf,
  linkBeneath,
  lookBeneath,
  onlyIn,
  readBeneath,
  readBeneathSync,
  removeBeneath,
  replaceBeneath,
} from './beneath.ts'

/** Contains the repository `repo` with the workspace `repo/work`, and `outside/secret` beside it. */
let base: string
let work: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-beneath-')))
  work = join(base, 'repo/work')
  for (const folder of ['repo/.git', 'repo/lib', 'repo/work/in', 'outside'])
    mkdirSync(join(base, folder), { recursive: true })
  await writeFile(join(base, 'outside/secret'), 'password')
  await writeFile(join(base, 'repo/.git/config'), 'token')
  await writeFile(join(base, 'repo/lib/shared.md'), 'shared')
  await writeFile(join(work, 'in/deep.md'), 'deep')
})
afterEach(() => rm(base, { recursive: true, force: true }))

async function read(path: string): Promise<string> {
  const reading = await readBeneath(groundOf(work), path, 1000)
  const atOnce = readBeneathSync(groundOf(work), path, 1000)
  expect(atOnce).toEqual(reading)
  return reading.ok ? reading.bytes.toString() : reading.code
}

describe('reading', () => {
  it.each([
    ['a file', 'in/deep.md', [], 'deep'],
    ['a file on a path with ..', 'in/../in/./deep.md', [], 'deep'],
    ['the target of a link in the workspace', 'a', [['a', 'in/deep.md']], 'deep'],
    ['the target of a link in the repository', 'a', [['a', '../lib/shared.md']], 'shared'],
    ['a file in a linked folder', 'a/shared.md', [['a', '../lib']], 'shared'],
    [
      'the target of a chain of links',
      'a',
      [
        ['a', 'b'],
        ['b', 'in/../c'],
        ['c', 'in/deep.md'],
      ],
      'deep',
    ],
  ] as const)('reads %s', async (_what, path, links, text) => {
    for (const [from, to] of links) await symlink(to, join(work, from))
    expect(await read(path)).toBe(text)
  })

  it('reads the target of an absolute link into the repository', async () => {
    await symlink(join(base, 'repo/lib'), join(work, 'a'))
    expect(await read('a/shared.md')).toBe('shared')
  })

  it.each([
    ['a link out of the repository', 'a', [['a', '../../outside/secret']], 'LED_OUT'],
    ['a path through a linked folder outside', 'a/secret', [['a', '../../outside']], 'LED_OUT'],
    [
      'a chain that ends outside',
      'a',
      [
        ['a', 'b'],
        ['b', '../../outside/secret'],
      ],
      'LED_OUT',
    ],
    [
      'a link through a folder that leads out',
      'a',
      [
        ['a', 'b/secret'],
        ['b', '../../outside'],
      ],
      'LED_OUT',
    ],
    ['a path that leads out and back in', 'a', [['a', '../../repo/lib/shared.md']], 'LED_OUT'],
    ['a link to git’s own data', 'a', [['a', '../.git/config']], 'LED_OUT'],
    ['a broken link', 'a', [['a', 'nowhere']], 'DANGLING'],
    ['a link to itself', 'a', [['a', 'a']], 'ELOOP'],
    ['a path through a file', 'in/deep.md/x', [], 'ENOENT'],
    ['a path out of the repository', '../../outside/secret', [], 'LED_OUT'],
    ['a folder', 'in', [], 'NOT_A_FILE'],
  ] as const)('refuses %s', async (_what, path, links, code) => {
    for (const [from, to] of links) await symlink(to, join(work, from))
    expect(await read(path)).toBe(code)
  })

  it('refuses an absolute link out of the repository, and one to the root of the system', async () => {
    await symlink(join(base, 'outside/secret'), join(work, 'a'))
    await symlink(sep, join(work, 'b'))
    expect([await read('a'), await read(`b${base}/outside/secret`)]).toEqual(['LED_OUT', 'LED_OUT'])
  })

  it('neither waits for a pipe nor reads more than requested', async () => {
    execFileSync('mkfifo', [join(work, 'pipe')])
    await writeFile(join(work, 'large'), 'x'.repeat(1001))
    expect([await read('pipe'), await read('large')]).toEqual(['NOT_A_FILE', 'TOO_LARGE'])
  })

  it('finds a name that is not UTF-8 in raw form', async () => {
    await writeFile(Buffer.concat([Buffer.from(`${work}/`), Buffer.from([0xff, 0x61])]), 'bytes')
    expect(readBeneathSync(groundOf(work), '\xffa', 9, { isRaw: true })).toMatchObject({ ok: true })
  })

  it('is limited to the folder itself if requested', async () => {
    await symlink('../lib/shared.md', join(work, 'a'))
    expect(await readBeneath(onlyIn(work), 'a', 100)).toMatchObject({ ok: false, code: 'LED_OUT' })
  })

  it('distinguishes a link that leads out from a folder that does', async () => {
    await symlink('../../outside', join(work, 'a'))
    expect(await lookBeneath(groundOf(work), 'a')).toEqual({ kind: 'led-out' })
    expect(await lookBeneath(groundOf(work), 'a/secret')).toEqual({ kind: 'beyond' })
    expect(await lookBeneath(groundOf(work), 'a', 'keep')).toMatchObject({ target: '../../outside' })
  })
})

describe('writing', () => {
  const replace = (path: string, last: 'follow' | 'keep' = 'follow', make = false): Promise<void> =>
    replaceBeneath(groundOf(work), path, 'new', { mode: 0o640, last, make })

  it('replaces a file, and leaves no other file beside it', async () => {
    await replace('in/deep.md')
    expect(await readFile(join(work, 'in/deep.md'), 'utf8')).toBe('new')
    expect((await lstat(join(work, 'in/deep.md'))).mode & 0o777).toBe(0o640)
    expect(await readdir(join(work, 'in'))).toEqual(['deep.md'])
  })

  it('writes to the target of a link in the repository, and keeps the link', async () => {
    await symlink('../lib/shared.md', join(work, 'a'))
    await replace('a')
    expect(await readlink(join(work, 'a'))).toBe('../lib/shared.md')
    expect(await readFile(join(base, 'repo/lib/shared.md'), 'utf8')).toBe('new')
  })

  it.each([
    ['a link that leads out', 'a', '../../outside/secret'],
    ['a linked folder that leads out', 'a/secret', '../../outside'],
    ['a link to git’s configuration', 'a', '../.git/config'],
    ['a link to a missing file outside', 'a', '../../outside/new'],
  ])('refuses %s and changes nothing', async (_what, path, target) => {
    await symlink(target, join(work, 'a'))
    await expect(replace(path)).rejects.toMatchObject({ kind: 'unprocessable' })
    await expect(createBeneath(groundOf(work), path, 'new', 0o600)).rejects.toThrow()
    expect(await readFile(join(base, 'outside/secret'), 'utf8')).toBe('password')
    expect(await readFile(join(base, 'repo/.git/config'), 'utf8')).toBe('token')
    expect(await readdir(join(base, 'outside'))).toEqual(['secret'])
  })

  it('replaces, creates and removes links themselves if requested', async () => {
    await symlink('../../outside/secret', join(work, 'a'))
    await replace('a', 'keep')
    expect(await readFile(join(work, 'a'), 'utf8')).toBe('new')
    await linkBeneath(groundOf(work), 'made/for/it', '../../outside/secret')
    expect(await readlink(join(work, 'made/for/it'))).toBe('../../outside/secret')
    await removeBeneath(groundOf(work), 'made/for/it')
    await removeBeneath(groundOf(work), 'never/there')
    expect(await readdir(join(work, 'made/for'))).toEqual([])
    expect(await readFile(join(base, 'outside/secret'), 'utf8')).toBe('password')
  })

  it('creates missing folders, but none behind a link that leads out', async () => {
    await replace('x/y/z', 'follow', true)
    expect(await readFile(join(work, 'x/y/z'), 'utf8')).toBe('new')
    await symlink('../../outside', join(work, 'a'))
    await expect(replace('a/b/c', 'follow', true)).rejects.toThrow(/leads out/)
    expect(await readdir(join(base, 'outside'))).toEqual(['secret'])
  })
})

/** Swaps the folder `race` for a link that leads out and back, as fast as possible, until it is killed. */
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
process.stdout.write('x')
for (;;) {
  renameSync('race', 'aside')
  symlinkSync('../../outside', 'race')
  unlinkSync('race')
  renameSync('aside', 'race')
}`

describe.runIf(process.platform === 'linux')('a folder that is swapped for a link during access', () => {
  let swapper: ChildProcess

  beforeEach(async () => {
    await mkdir(join(work, 'race'))
    await writeFile(join(work, 'race/secret'), 'mine')
    swapper = spawn(process.execPath, ['-e', SWAPPER], { cwd: work, stdio: ['ignore', 'pipe', 'inherit'] })
    if (swapper.stdout !== null) await once(swapper.stdout, 'data')
  })
  afterEach(async () => {
    const ended = once(swapper, 'exit')
    swapper.kill('SIGKILL')
    await ended
  })

  /** Reads a file carelessly: checks where the path leads, then opens it. `null`: it did not exist at that moment. */
  async function readCarelessly(): Promise<string | null> {
    try {
      const real = await realpath(join(work, 'race/secret'))
      return real.startsWith(work + sep) ? await readFile(join(work, 'race/secret'), 'utf8') : null
    } catch {
      return null
    }
  }

  it('can deceive a check followed by an open, but not a walk through handles', async () => {
    const ROUNDS = 1000
    let careless = 0
    const seen = new Set<string>()
    for (let round = 0; round < ROUNDS || careless === 0; round += 1) {
      if ((await readCarelessly()) === 'password') careless += 1
      if (round >= ROUNDS) continue
      const [one, other] = [
        await readBeneath(groundOf(work), 'race/secret', 100),
        readBeneathSync(groundOf(work), 'race/secret', 100),
      ]
      for (const reading of [one, other]) seen.add(reading.ok ? reading.bytes.toString() : reading.code)
    }
    expect([...seen]).toContain('mine')
    expect([...seen]).not.toContain('password')
  })

  it('never causes a byte to be written outside', async () => {
    let written = 0
    for (let round = 0; round < 300; round += 1)
      await replaceBeneath(groundOf(work), 'race/new', 'x', { mode: 0o600, isDurable: false }).then(
        () => {
          written += 1
        },
        () => undefined,
      )
    expect(written).toBeGreaterThan(0)
    expect(await readdir(join(base, 'outside'))).toEqual(['secret'])
  })
})
