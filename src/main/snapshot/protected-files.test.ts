import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findWeakenedFiles } from '../../core/verification/protected-files.ts'
import { createSnapshotter } from './snapshotter.ts'
import { createScratchFolder, type ScratchFolder, silentLog } from './testing/scratch-folder.ts'

const PATTERNS = ['test/**', '**/*.test.*', '.github/**']
const TWO_TESTS = "it('a', () => { expect(1).toBe(1) })\nit('b', () => { expect(2).toBe(2) })\n"
const ONE_TEST = "it('a', () => { expect(1).toBe(1) })\n"
const SKIPPED = "it('a', () => { expect(1).toBe(1) })\nit.skip('b', () => { expect(2).toBe(2) })\n"

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
})
afterEach(() => folder.dispose())

/** Returns the tests that an agent who does `act` weakened. */
async function weakenedBy(act: () => void, patterns = PATTERNS): Promise<readonly string[]> {
  const snapshotter = createSnapshotter({ log: silentLog })
  const before = await snapshotter.take(folder.path)
  const protectedFiles = await snapshotter.takeProtected(before, patterns)
  act()
  const difference = await snapshotter.difference(before, await snapshotter.take(folder.path))
  return findWeakenedFiles(await snapshotter.protectedChanges(protectedFiles, difference))
}

const FILES = { 'src/a.test.ts': TWO_TESTS, 'test/data.json': '{}', 'src/a.ts': TWO_TESTS }

/** The result must be the same in every kind of folder and for every state of its files. */
const GROUNDS: readonly (readonly [string, () => void])[] = [
  ['in a repository, committed', () => folder.makeRepository(FILES)],
  [
    'in a repository, uncommitted',
    () => {
      folder.makeRepository({ 'src/a.test.ts': '', 'README.md': '' })
      for (const [name, text] of Object.entries(FILES)) folder.write(name, text)
    },
  ],
  [
    'in a plain folder',
    () => {
      for (const [name, text] of Object.entries(FILES)) folder.write(name, text)
    },
  ],
]

describe.each(GROUNDS)('protected files %s', (_where, prepare) => {
  beforeEach(prepare)

  it('are weakened by removing a test', async () => {
    expect(await weakenedBy(() => folder.write('src/a.test.ts', ONE_TEST))).toEqual([
      'src/a.test.ts: 2 tests before, 1 now, 2 assertions before, 1 now',
    ])
  })

  it('are weakened by disabling a test', async () => {
    const [finding] = await weakenedBy(() => folder.write('src/a.test.ts', SKIPPED))
    expect(finding).toContain('0 switched off before, 1 now')
  })

  it('are weakened by deleting a file, a test or not', async () => {
    const deleted = await weakenedBy(() => {
      folder.remove('src/a.test.ts')
      folder.remove('test/data.json')
    })
    expect(deleted).toEqual([
      'src/a.test.ts: deleted, with 2 tests and 2 assertions',
      'test/data.json: deleted',
    ])
  })

  it('are weakened by moving a test out of them', async () => {
    expect(
      await weakenedBy(() => {
        folder.remove('src/a.test.ts')
        folder.write('src/a.disabled', TWO_TESTS)
      }),
    ).toHaveLength(1)
  })

  it('are not weakened by moving tests to another protected file', async () => {
    expect(
      await weakenedBy(() => {
        folder.remove('src/a.test.ts')
        folder.write('src/b.test.ts', TWO_TESTS)
      }),
    ).toEqual([])
  })

  it('are not weakened by more tests, nor by unprotected files', async () => {
    expect(
      await weakenedBy(() => {
        folder.write('src/a.test.ts', TWO_TESTS + ONE_TEST)
        folder.remove('src/a.ts')
      }),
    ).toEqual([])
  })

  it('are none without a pattern', async () => {
    expect(await weakenedBy(() => folder.remove('src/a.test.ts'), [])).toEqual([])
  })
})

it('are weakened by removing a test even if that is committed', async () => {
  folder.makeRepository(FILES)
  expect(
    await weakenedBy(() => {
      folder.write('src/a.test.ts', ONE_TEST)
      folder.commitAll()
    }),
  ).toHaveLength(1)
})

it('are found in a workspace inside a repository', async () => {
  folder.makeRepository({ 'part/src/a.test.ts': TWO_TESTS })
  const whole = folder.path
  folder = { ...folder, path: `${whole}/part` }
  expect(await weakenedBy(() => folder.write('part/src/a.test.ts', ONE_TEST))).toHaveLength(1)
  folder = { ...folder, path: whole }
})

it('each have their own weight when there are many', async () => {
  const names = Array.from({ length: 400 }, (_, index) => `test/${index} é.test.ts`)
  const committed = names.filter((_, index) => index % 2 === 0)
  folder.makeRepository(Object.fromEntries(committed.map((name) => [name, `// ${name}\n${TWO_TESTS}`])))
  const found = await weakenedBy(() => {
    // One in four of the existing files loses a test, one is deleted; the new ones have none, which would make up for it.
    for (const [index, name] of names.entries()) {
      if (index % 8 === 0) folder.write(name, ONE_TEST)
      else if (index === 2) folder.remove(name)
      else if (index % 2 === 0) folder.write(name, `${TWO_TESTS}// ${name}\n`)
      else folder.write(name, '// None yet.')
    }
  })
  expect(found).toHaveLength(51)
  expect(found).toContain('test/8 é.test.ts: 2 tests before, 1 now, 2 assertions before, 1 now')
  expect(found).toContain('test/2 é.test.ts: deleted, with 2 tests and 2 assertions')
})

it('are unknown if the repository no longer has the commit, and then no one is accused', async () => {
  folder.makeRepository(FILES)
  expect(
    await weakenedBy(() => {
      folder.remove('.git/objects')
      folder.write('src/a.test.ts', ONE_TEST)
    }),
  ).toEqual([])
})

describe('the protected state passed from one snapshot to the next', () => {
  beforeEach(() => {
    for (const [name, text] of Object.entries(FILES)) folder.write(name, text)
  })

  it.each<readonly [string, readonly string[], readonly string[], number]>([
    ['includes what a new pattern matches', ['docs/**'], PATTERNS, 1],
    ['excludes what only a removed pattern matched', PATTERNS, ['docs/**'], 0],
    ['stays the same with the same patterns', PATTERNS, PATTERNS, 1],
  ])('%s', async (_what, first, second, weakened) => {
    const snapshotter = createSnapshotter({ log: silentLog })
    await snapshotter.takeProtected(await snapshotter.take(folder.path), first)
    const before = await snapshotter.take(folder.path)
    const protectedFiles = await snapshotter.takeProtected(before, second)
    folder.write('src/a.test.ts', ONE_TEST)
    const difference = await snapshotter.difference(before, await snapshotter.take(folder.path))
    const changes = await snapshotter.protectedChanges(protectedFiles, difference)
    expect(findWeakenedFiles(changes)).toHaveLength(weakened)
  })

  it('includes a new file', async () => {
    const snapshotter = createSnapshotter({ log: silentLog })
    await snapshotter.takeProtected(await snapshotter.take(folder.path), PATTERNS)
    folder.write('src/b.test.ts', TWO_TESTS)
    const before = await snapshotter.take(folder.path)
    const protectedFiles = await snapshotter.takeProtected(before, PATTERNS)
    folder.write('src/b.test.ts', ONE_TEST)
    const difference = await snapshotter.difference(before, await snapshotter.take(folder.path))
    expect(findWeakenedFiles(await snapshotter.protectedChanges(protectedFiles, difference))).toHaveLength(1)
  })
})
