import { type BigIntStats, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeGit } from './git-snapshot.ts'
import { KeptListing } from './kept-listing.ts'
import { createScratchFolder, type ScratchFolder } from './testing/scratch-folder.ts'
import { differenceOfWalks, takeWalk } from './walk-snapshot.ts'

/* A disk that stores times in whole seconds (ext2, ext3, ext4 with small inodes): two changes within one second have the same time. */

/** Converts the epoch ns of `lstat`; null: unchanged. */
const disk = vi.hoisted(() => ({ timeOf: null as ((ns: bigint) => bigint) | null }))

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  const lstatSync = (...args: Parameters<typeof fs.lstatSync>): unknown => {
    const stats = fs.lstatSync(...args)
    const { timeOf } = disk
    if (timeOf === null || stats === undefined || typeof stats.size !== 'bigint') return stats
    const { ctimeNs, mtimeNs } = stats as BigIntStats
    return Object.assign(Object.create(stats), { ctimeNs: timeOf(ctimeNs), mtimeNs: timeOf(mtimeNs) })
  }
  return { ...fs, lstatSync }
})

const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x2fc12fc1])
const isHere = process.platform === 'linux' && LOCAL.has(statfsSync(tmpdir()).type)

/** A full second in which everything after `begin` happens. */
const SECOND_MS = Math.ceil(Date.now() / 1000) * 1000 + 1000

describe.skipIf(!isHere)('on a disk that stores whole seconds', () => {
  let folder: ScratchFolder
  const passTo = (ms: number): void => void vi.setSystemTime(SECOND_MS + ms)
  /** Everything that exists was created at least an hour ago. */
  const begin = (): void => {
    const sinceNs = BigInt(Date.now()) * 1_000_000n
    const second = BigInt(SECOND_MS) * 1_000_000n
    disk.timeOf = (ns) => (ns < sinceNs ? second - 3_600_000_000_000n : second)
  }

  beforeEach(() => {
    folder = createScratchFolder()
    folder.write('d/e', 'e')
    folder.write('d/sub/f', 'f')
  })

  afterEach(() => {
    disk.timeOf = null
    vi.useRealTimers()
    folder.dispose()
  })

  /** Waits until what follows gets a different time than what came before. */
  const leave = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

  const start = async (): Promise<void> => {
    await leave()
    begin()
    await leave()
    vi.useFakeTimers({ toFake: ['Date'] })
  }

  it.each([
    ['d/added', 'd', ''],
    ['d/sub/rules above', 'd/.gitignore', 'd/sub'],
  ])('git’s listing hides nothing that happens in the second of a change: %s', async (_, __, below) => {
    folder.makeRepository({ a: 'a' })
    folder.write('d/.gitignore', '*.tmp\n')
    folder.write('d/sub/new.tmp', 'ignored')
    folder.write('d/sub/new.log', 'untracked')
    await start()
    const listing = new KeptListing()
    const look = async () => {
      const snapshot = await takeGit(join(folder.path, below), [], new Map(), { listing })
      if (snapshot.kind !== 'git') throw new Error(snapshot.reason)
      return [...snapshot.dirty.keys()].map((path) => (below === '' ? path : join(below, path)))
    }
    // A first change in this second, seen by snapshots a fifth of a second later.
    folder.write('d/.gitignore', '*.tmp\n#\n')
    if (below === '') folder.write('d/first', '')
    passTo(200)
    for (let looks = 0; looks < 4; looks += 1) expect(await look()).not.toContain('d/sub/new.tmp')
    if (below === '') folder.write('d/added', '')
    else folder.write('d/.gitignore', '*.log\n#\n')
    passTo(400)
    expect(await look()).toContain(below === '' ? 'd/added' : 'd/sub/new.tmp')
  })

  it('a walk hides nothing either', async () => {
    await start()
    folder.write('d/first', '')
    passTo(200)
    const first = await takeWalk(folder.path, [], null)
    const before = await takeWalk(folder.path, [], first)
    folder.write('d/added', '')
    passTo(400)
    const after = await takeWalk(folder.path, [], before)
    expect((await differenceOfWalks(before, after)).added).toEqual(['d/added'])
  })

  it('the listing is reused once that second is over', async () => {
    folder.makeRepository({ a: 'a' })
    await start()
    folder.write('d/first', '')
    passTo(2000)
    const listing = new KeptListing()
    const isStill = vi.spyOn(listing, 'isStill')
    for (let looks = 0; looks < 4; looks += 1) await takeGit(folder.path, [], new Map(), { listing })
    expect(await Promise.all(isStill.mock.results.map(({ value }) => value))).toEqual([
      false,
      false,
      false,
      true,
    ])
  })
})
