import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { takeGit } from './git-snapshot.ts'
import { type KnownTree, treeOfLook, treeOfWork } from './tree-of-work.ts'

it.each(['sha1', 'sha256'])('names the tree that git would commit, with %s', async (algorithm) => {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-tree-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const author = ['-c', 'user.name=O', '-c', 'user.email=o@example.invalid']
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder }).toString().trim()
  git('init', '--quiet', `--object-format=${algorithm}`)
  expect(await treeOfWork(folder)).toBeNull()
  writeFileSync(join(folder, 'kept'), 'a')
  writeFileSync(join(folder, '.gitignore'), 'ignored\n')
  git('add', '.')
  git(...author, 'commit', '--quiet', '-m', 'Start')
  const commit = git('rev-parse', 'HEAD')
  expect(await treeOfWork(folder)).toEqual({ commit, tree: git('rev-parse', 'HEAD^{tree}'), isDirty: false })
  writeFileSync(join(folder, 'ignored'), '')
  writeFileSync(join(folder, 'new'), '')
  chmodSync(join(folder, 'kept'), 0o755)
  symlinkSync('kept', join(folder, 'link'))
  const seen = await treeOfWork(folder)
  expect(git('count-objects')).toMatch(/^4 /)
  git('add', '.')
  expect(seen).toEqual({ commit, tree: git('write-tree'), isDirty: true })
})

const OPERATOR = ['-c', 'user.name=O', '-c', 'user.email=o@example.invalid']

interface Workshop {
  readonly folder: string
  readonly git: (...words: string[]) => string
  /** Writes files by their paths, with the folders they need. */
  readonly write: (files: Readonly<Record<string, string>>) => void
}

function makeWorkshop(attributes: string | null = null): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-tree-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder }).toString().trim()
  const write: Workshop['write'] = (files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  git('init', '--quiet')
  write({
    a: 'a\n',
    'lib/b': 'b\n',
    'lib/c': 'c\n',
    '.gitignore': 'ignored\n',
    ...(attributes !== null && { '.gitattributes': attributes }),
  })
  git('add', '.')
  git(...OPERATOR, 'commit', '--quiet', '-m', 'Start')
  return { folder, git, write }
}

async function lookOf(folder: string, known: KnownTree | null = null): Promise<KnownTree | null> {
  const look = await takeGit(folder, [], new Map())
  if (look.kind !== 'git') throw new Error(look.reason)
  return treeOfLook(look, known)
}

type Change = (workshop: Workshop) => void

const CHANGES: readonly [string, Change][] = [
  ['nothing', () => {}],
  ['an edit', ({ write }) => write({ a: 'A\n' })],
  ['an edit of the same size in the second of the commit', ({ write }) => write({ 'lib/b': 'B\n' })],
  ['new files, one in a new folder, one ignored', ({ write }) => write({ 'n/e/w': 'w', ignored: '', x: '' })],
  ['a deleted file', ({ folder }) => rmSync(join(folder, 'lib/b'))],
  ['a deleted folder', ({ folder }) => rmSync(join(folder, 'lib'), { recursive: true })],
  ['a renamed folder', ({ folder }) => renameSync(join(folder, 'lib'), join(folder, 'src'))],
  [
    'a file that became a folder',
    ({ folder, write }) => {
      rmSync(join(folder, 'a'))
      write({ 'a/deep/er': 'e' })
    },
  ],
  [
    'a folder that became a file',
    ({ folder, write }) => {
      rmSync(join(folder, 'lib'), { recursive: true })
      write({ lib: 'l' })
    },
  ],
  ['an executable', ({ folder }) => chmodSync(join(folder, 'a'), 0o755)],
  ['a link', ({ folder }) => symlinkSync('/nowhere', join(folder, 'link'))],
  ['line ends that git converts', ({ write }) => write({ 'crlf.txt': 'one\r\ntwo\r\n' })],
  [
    'a staged edit that was edited again',
    ({ git, write }) => {
      write({ a: 'staged\n', new: 'staged\n' })
      git('add', '.')
      write({ a: 'later\n' })
    },
  ],
  [
    'a file that was staged and deleted',
    ({ folder, git, write }) => {
      write({ new: 'staged\n' })
      git('add', '.')
      rmSync(join(folder, 'new'))
    },
  ],
  ['a file that left the index', ({ git }) => git('rm', '--quiet', '--cached', 'lib/b')],
  [
    'a file that git is told to add later',
    ({ git, write }) => {
      write({ new: '' })
      git('add', '-N', 'new')
    },
  ],
  ['names with spaces, line ends and bytes above 127', ({ write }) => write({ 'ä ö\n"x': '', '-- x': '' })],
]

describe.each([
  ['by the contents that it saw', null],
  ['through git, which may convert files', '*.txt text\n'],
])('finds the same tree after a look %s', (_way, attributes) => {
  it.each(CHANGES)('%s', async (_name, change) => {
    const workshop = makeWorkshop(attributes)
    change(workshop)
    const seen = await lookOf(workshop.folder)
    const asked = await treeOfWork(workshop.folder)
    expect(seen?.state).toEqual(asked)
    expect(await lookOf(workshop.folder, seen)).toBe(seen)
    workshop.git('add', '--all')
    expect(asked?.tree).toBe(workshop.git('write-tree'))
  })
})

it.each<[string, (workshop: Workshop) => void]>([
  ['a setting', ({ git }) => void git('config', 'core.autocrlf', 'input')],
  ["the repository's own attributes", ({ write }) => write({ '.git/info/attributes': '*.txt text\n' })],
  ['attributes that the attempt adds', ({ write }) => write({ 'lib/.gitattributes': '*.txt text\n' })],
])('lets git convert files because of %s', async (_name, arrange) => {
  const workshop = makeWorkshop()
  arrange(workshop)
  workshop.write({ 'lib/crlf.txt': 'one\r\n' })
  expect((await lookOf(workshop.folder))?.state).toEqual(await treeOfWork(workshop.folder))
})

it('finds the same tree after a look at a folder that became a link', async () => {
  const [plain, converting] = [makeWorkshop(), makeWorkshop('*.txt text\n')]
  for (const { folder } of [plain, converting]) {
    rmSync(join(folder, 'lib'), { recursive: true })
    symlinkSync('.', join(folder, 'lib'))
  }
  expect((await lookOf(plain.folder))?.state).toEqual(await treeOfWork(plain.folder))
  // Git takes no path that leads through a link.
  expect(await lookOf(converting.folder)).toBeNull()
})

it.each<[string, Change]>([
  [
    'an embedded repository',
    ({ folder }) => void execFileSync('git', ['init', '--quiet', 'inner'], { cwd: folder }),
  ],
  [
    'a file that git assumes to be unchanged',
    ({ git, write }) => {
      git('update-index', '--assume-unchanged', 'a')
      write({ a: 'A\n' })
    },
  ],
])('does not trust a look that may be incomplete: %s', async (_name, change) => {
  const workshop = makeWorkshop()
  change(workshop)
  expect(await lookOf(workshop.folder)).toBeNull()
})

it('does not trust a look at a part of the work tree', async () => {
  const { folder, write } = makeWorkshop()
  write({ a: 'A\n' })
  expect(await lookOf(join(folder, 'lib'))).toBeNull()
})

it('notices different content, a different commit and a different tree', async () => {
  const { folder, git, write } = makeWorkshop()
  write({ a: 'A\n' })
  const first = await lookOf(folder)
  write({ a: 'B\n' })
  const second = await lookOf(folder, first)
  expect(second?.state).toEqual(await treeOfWork(folder))
  git(...OPERATOR, 'commit', '--quiet', '--all', '-m', 'Work')
  const third = await lookOf(folder, second)
  expect(third?.state).toEqual({ commit: git('rev-parse', 'HEAD'), tree: second?.state.tree, isDirty: false })
})

it("leaves out what the user's own rules ignore", async () => {
  const { folder, git, write } = makeWorkshop()
  write({ '.git/rules': '*.mine\n', 'x.mine': '' })
  const rules = join(folder, '.git/rules')
  git('config', 'core.excludesFile', rules)
  expect(await treeOfWork(folder)).toMatchObject({ isDirty: false })
})
