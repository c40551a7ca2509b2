import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { indexIn, listIndex, readIndex } from './git-index.ts'
import { findWorkTree, type WorkTreePlace } from './git-work-tree.ts'
import { createScratchFolder, type ScratchFolder } from './testing/scratch-folder.ts'

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
  folder.makeRepository({
    'a.txt': 'one\n',
    'in/b.txt': 'two\n',
    'in/deep/ü c.txt': 'three\n',
    'into.txt': '',
  })
})
afterEach(() => folder.dispose())

const indexFile = () => join(folder.path, '.git/index')

async function placeOf(directory: string): Promise<WorkTreePlace> {
  const place = await findWorkTree(directory)
  if ('kind' in place) throw new Error(place.reason)
  return place
}

/** Parses the index bytes for a folder of the work tree. */
async function inBytes(inside = '') {
  return indexIn(readFileSync(indexFile()), await placeOf(join(folder.path, inside)))
}

describe('the index read from its bytes', () => {
  it.each(['2', '4'])(
    "equals git's listing in version %s, for the whole tree and for a folder",
    async (version) => {
      folder.git('update-index', '--index-version', version)
      for (const inside of ['', 'in', 'in/deep'])
        expect(await inBytes(inside)).toEqual(await listIndex(join(folder.path, inside)))
    },
  )

  it("equals git's listing for names in conflict, intent-to-add names and submodules", async () => {
    folder.write('new.txt', 'new\n')
    folder.git('add', '--intent-to-add', 'new.txt')
    expect(await inBytes()).toEqual(await listIndex(folder.path))
    folder.git('add', '.')
    folder.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`)
    const seen = await inBytes()
    expect(seen).toEqual(await listIndex(folder.path))
    expect(seen?.submodules).toEqual(['module'])
    folder.git('rm', '--quiet', '--cached', 'module')
    folder.commitAll()
    folder.git('checkout', '--quiet', '-b', 'other', 'HEAD~1')
    folder.write('a.txt', 'of another\n')
    folder.write('new.txt', 'of another\n')
    folder.commitAll()
    expect(() => folder.git('merge', '--quiet', 'main')).toThrow()
    expect(await inBytes()).toEqual(await listIndex(folder.path))
  })

  it.each([['--assume-unchanged'], ['--skip-worktree']])(
    'is left to git if an agent set %s',
    async (flag) => {
      folder.git('update-index', flag, 'a.txt')
      expect(await inBytes()).toBeNull()
      expect(await readIndex(folder.path, await placeOf(folder.path))).toMatchObject({ flagged: ['a.txt'] })
    },
  )

  it('is left to git if it is split into two files, or is sparse', async () => {
    folder.git('update-index', '--split-index')
    expect(await inBytes()).toBeNull()
    folder.git('update-index', '--no-split-index')
    expect(await inBytes()).not.toBeNull()
    folder.git('sparse-checkout', 'set', '--cone', '--sparse-index')
    expect(readFileSync(indexFile()).includes('sdir')).toBe(true)
    expect(await inBytes()).toBeNull()
  })

  it('is left to git if any of its bytes is not as git wrote it', async () => {
    const bytes = readFileSync(indexFile())
    const place = await placeOf(folder.path)
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.nat(bytes.length),
        (at, by, cut) => {
          const torn = Buffer.from(bytes)
          torn[at] = (torn[at] ?? 0) ^ by
          expect(indexIn(torn, place)).toBeNull()
          expect(indexIn(bytes.subarray(0, cut), place) === null).toBe(cut < bytes.length)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is read again after it was written, whatever its times say', async () => {
    const place = await placeOf(folder.path)
    const before = await readIndex(folder.path, place)
    folder.write('later.txt', 'later\n')
    folder.git('add', 'later.txt')
    const after = await readIndex(folder.path, place)
    expect(after).toEqual(await listIndex(folder.path))
    expect(after).not.toEqual(before)
  })

  it('is given up when prefix compression expands beyond the limit', () => {
    const record = (name: Buffer) => Buffer.concat([Buffer.alloc(60), Buffer.from([0, 1]), name])
    const long = record(Buffer.concat([Buffer.from([0]), Buffer.alloc(3000, 0x61), Buffer.from([0])]))
    const next = record(Buffer.from([0, 0x61, 0]))
    const indexOf = (count: number) => {
      const header = Buffer.from('DIRC\0\0\0\x04\0\0\0\0')
      header.writeUInt32BE(count + 1, 8)
      return Buffer.concat([header, long, ...Array<Buffer>(count).fill(next), Buffer.alloc(20)])
    }
    const place = { prefix: '', algorithm: 'sha1' } as const
    expect([...(indexIn(indexOf(9), place)?.entries.keys() ?? [])].map(({ length }) => length)).toEqual(
      Array.from({ length: 10 }, (_each, at) => 3000 + at),
    )
    expect(indexIn(indexOf(10_000), place)).toBeNull()
  })
})
