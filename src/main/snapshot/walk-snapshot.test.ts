import { renameSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EMPTY_DIFFERENCE } from '../../core/verification/types.ts'
import { compareInWalk } from './raw-path.ts'
import { createScratchFolder, differenceMadeBy, type ScratchFolder } from './testing/scratch-folder.ts'
import { differenceOfWalks, takeWalk, type WalkSnapshot } from './walk-snapshot.ts'

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
})
afterEach(() => folder.dispose())

const walk = (limits?: { maxEntries: number; maxMs: number }): Promise<WalkSnapshot> =>
  takeWalk(folder.path, [], null, limits)

it('skips what package managers unpack, at any depth', async () => {
  const difference = await differenceMadeBy(
    () => folder.write('lib/node_modules/x/index.js', 'x'),
    folder.path,
  )
  expect(difference.added).toEqual([])
})

it('reports that the folder is gone', async () => {
  folder.write('a', 'x')
  const difference = await differenceMadeBy(() => renameSync(folder.path, `${folder.path}-gone`), folder.path)
  renameSync(`${folder.path}-gone`, folder.path)
  expect(difference).toMatchObject({ deleted: [], incomplete: 'the folder could not be listed' })
})

/** Root may read anything, so as root the test becomes another user for a while. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  const NOBODY = 65534
  folder.sh(`chown -R ${NOBODY} .`)
  process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

it('reports which files and folders it could not read, and does not count that as a change', async () => {
  for (const name of ['a', 'b', 'c', 'dir/d']) folder.write(name, name)
  const act = (): void => folder.sh('echo new > a; echo new > b; chmod 0 b dir')
  const difference = await asOrdinaryUser(() => differenceMadeBy(act, folder.path))
  folder.sh('chmod 700 dir')
  expect(difference).toEqual({
    ...EMPTY_DIFFERENCE,
    modified: ['a'],
    unsure: ['b', 'dir/'],
  })
})

describe('a folder too large to be walked', () => {
  beforeEach(() => {
    for (const name of ['a', 'b/1', 'b/2', 'b.txt', 'c', 'd']) folder.write(name, name)
  })

  it('is walked up to a number of entries, and says so', async () => {
    const snapshot = await walk({ maxEntries: 3, maxMs: 10_000 })
    expect([...snapshot.files.keys()]).toEqual(['a', 'b/1'])
    expect(snapshot).toMatchObject({
      cutAt: 'b/2',
      incomplete: expect.stringContaining('only its first 2 files'),
    })
  })

  it('is walked up to a time limit, and says so', async () => {
    expect((await walk({ maxEntries: 100, maxMs: -1 })).incomplete).toContain('too large')
  })

  it('shows the changes in what both walks saw, and ignores files that only moved across the limit', async () => {
    const limits = { maxEntries: 5, maxMs: 10_000 }
    const before = await walk(limits)
    folder.write('0-new', 'x')
    folder.write('b/1', 'changed')
    folder.write('d', 'changed')
    const difference = await differenceOfWalks(before, await walk(limits))
    expect(difference).toMatchObject({ added: ['0-new'], modified: ['b/1'], deleted: [], renamed: [] })
    expect(difference.incomplete).not.toBeNull()
  })

  it('is walked in the order in which paths are compared', async () => {
    const names = fc.stringMatching(/^[a-c.!-]{1,3}$/).filter((name) => !/^\.+$/.test(name))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(names, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        async (paths) => {
          const scratch = createScratchFolder()
          try {
            for (const path of paths) {
              try {
                scratch.write(path.join('/'), 'x')
              } catch {
                // The name is both a file and a folder: the first one has it.
              }
            }
            const { files } = await takeWalk(scratch.path, [], null)
            expect([...files.keys()]).toEqual([...files.keys()].sort(compareInWalk))
          } finally {
            scratch.dispose()
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})
