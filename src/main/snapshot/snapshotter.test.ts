import { chmodSync, renameSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../core/verification/types.ts'
import { createSnapshotter } from './snapshotter.ts'
import {
  createScratchFolder,
  differenceMadeBy,
  type ScratchFolder,
  silentLog,
} from './testing/scratch-folder.ts'

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
})
afterEach(() => folder.dispose())

const inside = (name: string): string => join(folder.path, name)
const ODD_NAMES = [
  'with space',
  '-dash',
  '"quoted"',
  "it's",
  'new\nline',
  'ünï',
  '日本',
  ':colon',
  'a*b',
  'tab\t',
  '\\back',
]

/** What an agent may do to files, and which changes count; the same in every kind of folder. */
const cases: [name: string, act: () => void, expected: Partial<FileDifference>][] = [
  ['nothing', () => {}, {}],
  ['a new file', () => folder.write('sub/new.txt', 'new'), { added: ['sub/new.txt'] }],
  ['an empty new file', () => folder.write('empty', ''), { added: ['empty'] }],
  ['changed content', () => folder.write('a.txt', 'other'), { modified: ['a.txt'] }],
  [
    'new content with the same length and times',
    () => {
      folder.write('a.txt', 'ALPHA')
      utimesSync(inside('a.txt'), 1000, 1000)
    },
    { modified: ['a.txt'] },
  ],
  ['the same content written again', () => folder.write('a.txt', 'alpha'), {}],
  ['a touched file', () => utimesSync(inside('a.txt'), new Date(), new Date()), {}],
  [
    'content changed and restored',
    () => {
      folder.write('a.txt', 'other')
      folder.write('a.txt', 'alpha')
    },
    {},
  ],
  [
    'an executable bit',
    () => chmodSync(inside('a.txt'), 0o755),
    { otherwiseChanged: ['a.txt'], executable: ['a.txt'] },
  ],
  [
    'an executable bit on a file that is renamed',
    () => folder.sh('mv a.txt z.txt && chmod +x z.txt'),
    { renamed: [{ from: 'a.txt', to: 'z.txt' }] },
  ],
  ['an executable bit set and removed', () => folder.sh('chmod +x a.txt; sleep 0; chmod -x a.txt'), {}],
  ['a deleted file', () => folder.remove('a.txt'), { deleted: ['a.txt'] }],
  ['a deleted folder', () => folder.remove('dir'), { deleted: ['dir/b.txt', 'dir/c.txt'] }],
  ['an empty folder', () => folder.sh('mkdir -p some/where'), {}],
  [
    'a renamed file',
    () => renameSync(inside('a.txt'), inside('dir/z.txt')),
    { renamed: [{ from: 'a.txt', to: 'dir/z.txt' }] },
  ],
  [
    'a renamed folder, file by file',
    () => renameSync(inside('dir'), inside('moved')),
    {
      renamed: [
        { from: 'dir/b.txt', to: 'moved/b.txt' },
        { from: 'dir/c.txt', to: 'moved/c.txt' },
      ],
    },
  ],
  ['a copy', () => folder.sh('cp a.txt copy.txt'), { added: ['copy.txt'] }],
  [
    'a file renamed and changed',
    () => {
      renameSync(inside('a.txt'), inside('z.txt'))
      folder.write('z.txt', 'other')
    },
    { deleted: ['a.txt'], added: ['z.txt'] },
  ],
  [
    'two files swapped',
    () => folder.sh('mv a.txt x && mv dir/b.txt a.txt && mv x dir/b.txt'),
    { modified: ['a.txt', 'dir/b.txt'] },
  ],
  [
    'a file that becomes a folder',
    () => folder.sh('rm a.txt && mkdir a.txt && echo x > a.txt/x'),
    { deleted: ['a.txt'], added: ['a.txt/x'] },
  ],
  [
    'a folder that becomes a file',
    () => folder.sh('rm -r dir && echo x > dir'),
    { added: ['dir'], deleted: ['dir/b.txt', 'dir/c.txt'] },
  ],
  ['a link made', () => folder.link('l2', 'a.txt'), { added: ['l2'] }],
  ['a link to a folder, which is not followed', () => folder.link('l2', 'dir'), { added: ['l2'] }],
  ['a link that leads nowhere', () => folder.link('l2', '/no/where'), { added: ['l2'] }],
  ['a link that leads elsewhere', () => folder.sh('ln -sfn dir link'), { modified: ['link'] }],
  [
    'a file replaced by a link to the same bytes',
    () => folder.sh('ln -sfn alpha a.txt'),
    { modified: ['a.txt'] },
  ],
  ['a change behind a link', () => folder.write('link', 'other'), { modified: ['a.txt'] }],
  ['a pipe', () => folder.sh('mkfifo pipe'), {}],
  ['a file replaced by a pipe', () => folder.sh('rm a.txt && mkfifo a.txt'), { deleted: ['a.txt'] }],
  [
    'odd names',
    () => {
      for (const name of ODD_NAMES) folder.write(name, name)
    },
    { added: [...ODD_NAMES].sort() },
  ],
  [
    'odd names changed',
    () => folder.sh('echo x >> "odd\tname"; rm -- "-odd \'name"'),
    {
      modified: ['odd\tname'],
      deleted: ["-odd 'name"],
    },
  ],
  ['a name that is not UTF-8', () => folder.write(Buffer.from([0x66, 0xff]), 'x'), { added: ['f\ufffd'] }],
  ['a file of the supervisor', () => folder.write('data/ledger/1.jsonl', 'x'), {}],
  ['a file next to the supervisor’s files', () => folder.write('database', 'x'), { added: ['database'] }],
]

const FILES = {
  'a.txt': 'alpha',
  'dir/b.txt': 'bravo',
  'dir/c.txt': 'charlie',
  'odd\tname': 'o',
  "-odd 'name": 'p',
}

function writeFiles(): void {
  for (const [name, content] of Object.entries(FILES)) folder.write(name, content)
  folder.link('link', 'a.txt')
}

const settings: [name: string, setUp: () => void][] = [
  ['a plain folder', writeFiles],
  [
    'a repository, all committed',
    () => {
      folder.makeRepository()
      writeFiles()
      folder.commitAll()
    },
  ],
  [
    'a repository, nothing committed',
    () => {
      folder.makeRepository()
      writeFiles()
    },
  ],
  [
    'a repository, all staged',
    () => {
      folder.makeRepository()
      writeFiles()
      folder.git('add', '--all')
    },
  ],
  [
    'a repository, all changed since the commit',
    () => {
      folder.makeRepository()
      writeFiles()
      folder.commitAll()
      folder.sh('for f in a.txt dir/b.txt; do mv $f $f.old; echo committed > $f; done; git commit -qam other')
      folder.sh('for f in a.txt dir/b.txt; do mv $f.old $f; done')
    },
  ],
]

describe.each(settings)('in %s the difference shows', (_setting, setUp) => {
  it.each(cases)('%s', async (_name, act, expected) => {
    setUp()
    const difference = await differenceMadeBy(act, folder.path, [inside('data')])
    expect(difference).toEqual({ ...EMPTY_DIFFERENCE, ...expected })
  })
})

describe.each([
  ['a plain folder', () => {}],
  ['a repository', () => folder.makeRepository({ 'a.txt': 'alpha' })],
])('in %s', (_setting, setUp) => {
  it('compares a file too large to read by size and samples, and says so if it was touched', async () => {
    setUp()
    folder.write('large', '')
    truncateSync(inside('large'), 65 * 1024 * 1024)
    const write = (options: string): void =>
      folder.sh(`printf x | dd of=large conv=notrunc status=none ${options}`)
    const made = (act: () => void) => differenceMadeBy(act, folder.path)
    expect(await made(() => {})).toEqual(EMPTY_DIFFERENCE)
    const modified = { ...EMPTY_DIFFERENCE, modified: ['large'] }
    expect(await made(() => write(''))).toEqual(modified)
    expect(await made(() => write('seek=68157439 bs=1'))).toEqual(modified)
    expect(await made(() => folder.sh('echo x >> large'))).toEqual(modified)
    const unsure = { ...EMPTY_DIFFERENCE, unsure: ['large'] }
    expect(await made(() => folder.sh('touch large'))).toEqual(unsure)
    expect(await made(() => write('seek=200000 bs=1'))).toEqual(unsure)
  })

  it('one snapshotter sees every one of many changes, with or without cached hashes', async () => {
    setUp()
    const snapshotter = createSnapshotter({ log: silentLog })
    let before = await snapshotter.take(folder.path)
    for (let round = 0; round < 20; round++) {
      folder.write('same.txt', `round ${String(round).padStart(2)}`)
      const after = await snapshotter.take(folder.path)
      const expected = round === 0 ? { added: ['same.txt'] } : { modified: ['same.txt'] }
      expect(await snapshotter.difference(before, after)).toEqual({ ...EMPTY_DIFFERENCE, ...expected })
      before = after
    }
  })

  it('leaves out nothing if the folder is inside a folder of the supervisor', async () => {
    setUp()
    const difference = await differenceMadeBy(() => folder.write('new', 'x'), folder.path, [
      join(folder.path, '..'),
    ])
    expect(difference).toEqual({ ...EMPTY_DIFFERENCE, added: ['new'] })
  })
})

describe('the current tree', () => {
  it.each([
    ['a program wrote a file', 'x', true, true],
    ['Pulseward restored the contract', 'HEARTBEAT.md', false, true],
    ['an unrelated program wrote a file, which the next look sees', 'x', false, false],
  ])('is read again where it may have changed: %s', async (_name, file, hasRun, isSeen) => {
    const snapshotter = createSnapshotter({ log: silentLog })
    folder.makeRepository({ a: 'a' })
    await snapshotter.take(folder.path)
    const before = await snapshotter.treeNow(folder.path, false)
    expect(before).toMatchObject({ isDirty: false })
    folder.write(file, 'new')
    expect((await snapshotter.treeNow(folder.path, hasRun))?.tree !== before?.tree).toBe(isSeen)
    await snapshotter.done()
    expect((await snapshotter.treeNow(folder.path, false))?.tree).not.toBe(before?.tree)
  })
})
