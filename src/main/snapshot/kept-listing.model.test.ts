import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type GitSnapshot, takeGit } from './git-snapshot.ts'
import { keepsTimes } from './kept-folders.ts'
import { KeptListing } from './kept-listing.ts'
import { nextStamp } from './testing/next-stamp.ts'
import { createScratchFolder, type ScratchFolder } from './testing/scratch-folder.ts'

/*
 * A snapshot that reuses earlier listings sees the same as one that knows nothing, whatever happened in between. If nothing happened it
 * must skip the listing, or the test would prove nothing.
 */

const LONG_MS = 300_000

class WatchedListing extends KeptListing {
  readonly spared: boolean[] = []

  override async isStill(...args: Parameters<KeptListing['isStill']>): Promise<boolean> {
    const isStill = await super.isStill(...args)
    this.spared.push(isStill)
    return isStill
  }
}

async function look(directory: string, listing = new KeptListing()): Promise<GitSnapshot> {
  const snapshot = await takeGit(directory, [], new Map(), { listing })
  if (snapshot.kind !== 'git') throw new Error(snapshot.reason)
  return snapshot
}

/** Returns what a snapshot says about files. */
function said({ dirty, ignored, head, index }: GitSnapshot) {
  return {
    head,
    dirty: new Map([...dirty].sort()),
    ignored: ignored?.toSorted(),
    names: [...index.entries.keys()],
  }
}

function scratch(): ScratchFolder {
  const folder = createScratchFolder()
  folder.makeRepository({ a: 'one', 'd/e': 'two', 'd/sub/f': 'three', '.gitignore': '*.log\nbuilt/\n' })
  folder.write('new', 'untracked')
  folder.write('d/new', 'untracked')
  folder.write('d/x.log', 'ignored')
  folder.write('built/o', 'ignored')
  folder.sh('mkdir -p empty/within')
  return folder
}

/** Returns a listing that the next snapshot can reuse if nothing happens in between. */
async function ready(folder: ScratchFolder, directory = folder.path): Promise<WatchedListing> {
  const listing = new WatchedListing()
  nextStamp()
  for (let looks = 0; looks < 4; looks += 1) await look(directory, listing)
  expect(listing.spared).toEqual([false, false, false, true])
  return listing
}

// Only where folder times are reliable at all.
const isHere = keepsTimes(tmpdir())

it.skipIf(isHere)('has a file system here with reliable times', ({ skip }) => {
  skip('temporary folders are on another file system: reusing a listing was not tested')
})

describe.skipIf(!isHere)("git's earlier listing", () => {
  beforeEach(() => {
    // As if nothing had been touched for an hour: a recently changed folder is not trusted anyway.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  const path = fc.constantFrom(
    'a',
    'new',
    'd/e',
    'd/new',
    'd/sub/f',
    'd/sub/g',
    'd/x.log',
    'empty/h',
    'empty/within/i',
    'built/o',
  )
  const folderName = fc.constantFrom('d', 'd/sub', 'empty', 'empty/within', 'built', 'other')
  const rules = fc.constantFrom('.gitignore', 'd/.gitignore', 'empty/.gitignore', '.git/info/exclude')
  const operation = fc.oneof(
    { weight: 5, arbitrary: path.map((to) => `printf more >> '${to}'`) },
    { weight: 2, arbitrary: path.map((to) => `printf other > '${to}'`) },
    { weight: 2, arbitrary: path.map((to) => `rm -rf '${to}'`) },
    { weight: 2, arbitrary: fc.tuple(path, path).map(([from, to]) => `mv '${from}' '${to}'`) },
    { weight: 1, arbitrary: fc.tuple(folderName, folderName).map(([from, to]) => `mv -T '${from}' '${to}'`) },
    { weight: 1, arbitrary: folderName.map((to) => `mkdir -p '${to}'`) },
    { weight: 1, arbitrary: folderName.map((to) => `rm -rf '${to}'; ln -s d '${to}'`) },
    { weight: 1, arbitrary: folderName.map((to) => `chmod 700 '${to}'; touch '${to}'`) },
    { weight: 1, arbitrary: folderName.map((to) => `git init -q '${to}'; touch '${to}/in'`) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(rules, fc.constantFrom('new', '*.log', '/empty/', '!x.log', ''))
        .map(([to, rule]) => `echo '${rule}' >> '${to}'`),
    },
    { weight: 1, arbitrary: rules.map((to) => `: > '${to}'`) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'git add -A',
        'git add -A; git commit -qm all',
        'git reset -q',
        'git stash -qu',
        'git stash pop -q',
        'git checkout -q .',
        'git rm -rq --cached d',
        'git commit -qm staged',
        'git reset -q --soft HEAD~1',
        'git update-ref HEAD HEAD@{1}',
        'git config core.excludesFile "$PWD/a"',
      ),
    },
  )

  it('equals what a snapshot without it finds, whatever happened in between', {
    timeout: LONG_MS,
  }, async () => {
    let spared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 10 }), async (operations) => {
        const folder = scratch()
        try {
          const listing = await ready(folder)
          for (const command of operations) {
            nextStamp()
            folder.sh(`( ${command} ) 2>/dev/null || true`)
            expect(said(await look(folder.path, listing))).toEqual(said(await look(folder.path)))
          }
          spared += listing.spared.slice(4).filter(Boolean).length
        } finally {
          folder.dispose()
        }
      }),
      { numRuns: 40 },
    )
    expect(spared).toBeGreaterThan(0)
  })

  it('is reused while an honest agent edits existing files, and each edit is seen', async () => {
    const folder = scratch()
    const listing = await ready(folder)
    folder.sh('echo more >> a; echo more >> new; echo more >> d/sub/f')
    const { dirty } = await look(folder.path, listing)
    expect([...dirty.keys()].sort()).toEqual(['a', 'd/new', 'd/sub/f', 'new'])
    expect(listing.spared.at(-1)).toBe(true)
    folder.dispose()
  })

  it.each([
    [
      'adds a file and restores the folder’s time',
      'touch -r d /tmp/pulseward-ref-$$; echo x > d/added; touch -r /tmp/pulseward-ref-$$ d; rm /tmp/pulseward-ref-$$',
      'd/added',
    ],
    ['fills an empty folder', 'echo x > empty/within/added', 'empty/within/added'],
    [
      'replaces a folder with another',
      'cp -a d copy; echo x > copy/added; mv d /tmp/pulseward-old-$$; mv copy d; rm -r /tmp/pulseward-old-$$',
      'd/added',
    ],
    ['stops ignoring existing files', 'sed -i /log/d .gitignore', 'd/x.log'],
    [
      'stops ignoring files by editing the rules in place',
      'cat .gitignore > /tmp/pulseward-rules-$$; grep -v log /tmp/pulseward-rules-$$ > .gitignore; rm /tmp/pulseward-rules-$$',
      'd/x.log',
    ],
    ['removes a file from the index', 'git rm -q --cached d/e', 'd/e'],
  ])('hides nothing from a snapshot after someone %s', async (_, script, path) => {
    const folder = scratch()
    const listing = await ready(folder)
    nextStamp()
    folder.sh(script)
    expect((await look(folder.path, listing)).dirty.has(path)).toBe(true)
    folder.dispose()
  })

  it.each([
    [
      'lacks a file that was removed from the index',
      'git add new; git commit -qm new; git rm -q --cached new',
      'git reset -q --soft HEAD~1',
    ],
    [
      'has a file that was untracked',
      'git add new; git commit -qm new; git reset -q HEAD~1',
      'git reset -q --soft ORIG_HEAD',
    ],
  ])('notices when only HEAD moves, to a commit that %s', async (_, script, move) => {
    const folder = scratch()
    folder.sh(script)
    const listing = await ready(folder)
    folder.sh(move)
    expect(said(await look(folder.path, listing))).toEqual(said(await look(folder.path)))
    expect(listing.spared.at(-1)).toBe(true)
    folder.sh('echo more >> new')
    expect(said(await look(folder.path, listing))).toEqual(said(await look(folder.path)))
    folder.dispose()
  })

  it('depends on the rules above the workspace, too', async () => {
    const folder = scratch()
    folder.write('d/sub/g.tmp', 'untracked')
    const directory = join(folder.path, 'd/sub')
    const listing = await ready(folder, directory)
    nextStamp()
    folder.write('d/.gitignore', '*.tmp\n')
    expect([...(await look(directory, listing)).dirty.keys()]).toEqual([])
    folder.dispose()
  })

  it.each([
    ['does not exist yet', 'rm .git/index; git update-ref -d HEAD'],
    ['is split', 'git update-index --split-index'],
  ])('is requested from git once per snapshot after a first try if the index %s', async (_, script) => {
    const folder = scratch()
    folder.sh(script)
    nextStamp()
    const listing = new WatchedListing()
    for (let looks = 0; looks < 9; looks += 1)
      expect(said(await look(folder.path, listing))).toEqual(said(await look(folder.path)))
    expect(listing.spared.filter(Boolean).length).toBeLessThan(2)
    folder.dispose()
  })

  it('is not trusted for a folder that had changed just before git listed it', async () => {
    vi.useRealTimers()
    const folder = scratch()
    const listing = new WatchedListing()
    for (let looks = 0; looks < 4; looks += 1) await look(folder.path, listing)
    for (let looks = 0; looks < 2; looks += 1) {
      folder.write(`d/added ${looks}`, '')
      await look(folder.path, listing)
      await look(folder.path, listing)
      expect(listing.spared.splice(4)).toEqual([false, false])
    }
    folder.dispose()
  })
})
