import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { finishMove, type Moved, moveTarget } from './move-target.ts'
import { findTarget, openRepository, type Repository } from './repository.ts'
import { landingRepository } from './testing/landing-repository.ts'

/* Moving a branch that the operator has checked out: the files follow, and nothing of the operator's is lost. */

const at = landingRepository()

async function repository(): Promise<Repository> {
  const found = await openRepository(at.top)
  if ('reason' in found) throw new Error(found.reason)
  return found
}

async function move(to: string, checkpoint: () => void = () => {}): Promise<Moved> {
  const opened = await repository()
  const from = at.git('rev-parse', 'main')
  return moveTarget(opened, await findTarget(opened, 'main'), { from, to }, async () => checkpoint())
}

async function finish(from: string, to: string): Promise<readonly string[]> {
  const opened = await repository()
  return finishMove(opened, await findTarget(opened, 'main'), { from, to })
}

const read = (path: string): string => readFileSync(join(at.top, path), 'utf8')
const lock = (): string => join(at.top, '.git/index.lock')

describe('an untracked file at a path that the work writes', () => {
  test.each([
    ['is ignored', { 'app.local': 'mine\n' }, { 'app.local': 'landed\n' }, 'app.local'],
    ['is untracked', { 'notes.txt': 'mine\n' }, { 'notes.txt': 'landed\n' }, 'notes.txt'],
    ['is in an ignored folder', { 'build/out.txt': 'mine\n' }, { build: 'landed\n' }, 'build/out.txt'],
    [
      'has the path of a folder in the work',
      { 'app.local': 'mine\n' },
      { 'app.local/a.txt': 'landed\n' },
      'app.local',
    ],
  ])('that %s stays, and the branch does not move', async (_name, mine, work, path) => {
    at.write(mine)
    const before = at.git('rev-parse', 'main')
    expect(await move(at.commitOf(work))).toMatchObject({
      kind: 'waits',
      for: 'clean-tree',
      because: expect.stringContaining('would be overwritten'),
    })
    expect(read(path)).toBe('mine\n')
    expect(at.git('rev-parse', 'main')).toBe(before)
  })

  test('stays even if it appears while the branch moves', async () => {
    const before = at.git('rev-parse', 'main')
    const moved = await move(at.commitOf({ 'app.local': 'landed\n' }), () =>
      at.write({ 'app.local': 'mine\n' }),
    )
    expect(moved).toMatchObject({ kind: 'waits', for: 'clean-tree' })
    expect(read('app.local')).toBe('mine\n')
    expect(at.git('rev-parse', 'main')).toBe(before)
    expect(existsSync(lock())).toBe(false)
  })
})

describe('a branch that the operator rebases', () => {
  const begin = (top: string, branch = 'main'): void => {
    const git = (...args: readonly string[]): unknown =>
      execFileSync('git', args, { cwd: top, stdio: 'pipe' })
    git('checkout', '--quiet', '--detach')
    writeFileSync(join(top, 'one.txt'), 'upstream\n')
    git('commit', '--quiet', '--all', '--message', 'Upstream')
    const upstream = String(git('rev-parse', 'HEAD')).trim()
    git('checkout', '--quiet', branch)
    writeFileSync(join(top, 'one.txt'), 'mine\n')
    git('commit', '--quiet', '--all', '--message', 'Mine')
    expect(() => git('rebase', '--quiet', upstream)).toThrow()
  }

  test('does not move until the rebase is over', async () => {
    begin(at.top)
    const before = at.git('rev-parse', 'main')
    const to = at.git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Land')
    expect(await move(to)).toEqual({
      kind: 'waits',
      for: 'clean-tree',
      because: 'main is being rebased: finish or abort the rebase',
    })
    expect(at.git('rev-parse', 'main')).toBe(before)
    at.git('rebase', '--abort')
    expect(await move(to)).toEqual({ kind: 'moved' })
  })

  test('in another work tree does not move, and another branch does', async () => {
    const tree = join(at.root, 'tree')
    at.git('branch', 'side')
    at.git('worktree', 'add', '--quiet', tree, 'side')
    begin(tree, 'side')
    const opened = await repository()
    const side = await findTarget(opened, 'side')
    const from = at.git('rev-parse', 'side')
    const to = at.git('commit-tree', 'side^{tree}', '-p', 'side', '-m', 'Land')
    expect(await moveTarget(opened, side, { from, to }, async () => {})).toMatchObject({ kind: 'waits' })
    expect(await move(at.commitOf({ 'two.txt': 'landed\n' }))).toEqual({ kind: 'moved' })
    rmSync(tree, { recursive: true })
    expect(await moveTarget(opened, side, { from, to }, async () => {})).toEqual({ kind: 'moved' })
  })
})

/** Puts a git first on PATH that runs this shell line before the real one. Undone before the next test. */
function wrapGit(line: string): void {
  const bin = join(at.root, 'bin')
  mkdirSync(bin)
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${line}\nexec ${real} "$@"\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
}

const PATCHES = '*"apply --index"*'
const REPLACES = '*"read-tree -m -u"*'

describe('an update of the work tree that fails halfway', () => {
  /** Keeps these kinds of work tree updates from writing large files. */
  function limitWrites(...updates: readonly string[]): void {
    wrapGit(`case "$*" in ${updates.join('|')}) ulimit -f 8;; esac`)
  }

  const long = '\u00e9a line of the landed file\n'.repeat(10_000)

  test('leaves the files unchanged', async () => {
    at.write({ 'big.txt': 'small\n', 'gone.txt': 'here\n', thing: 'a file\n', 'z.txt': 'z\n' })
    at.git('add', '--all')
    at.git('commit', '--quiet', '--message', 'More')
    const before = at.git('rev-parse', 'main')
    limitWrites(PATCHES, REPLACES)
    const to = at.commitOf({
      'a/b/new.txt': 'landed\n',
      'big.txt': long,
      'gone.txt': null,
      'one.txt': null,
      thing: null,
      'thing/in.txt': long,
      'z.txt': 'y\n',
    })
    expect(await move(to)).toMatchObject({ kind: 'waits', for: 'clean-tree' })
    expect(at.git('rev-parse', 'main')).toBe(before)
    expect(at.git('status', '--porcelain', '--ignored')).toBe('')
    expect(read('big.txt')).toBe('small\n')
    expect([existsSync(join(at.top, 'a')), existsSync(lock())]).toEqual([false, false])
    // Once there is room again, it moves.
    vi.unstubAllEnvs()
    expect(await move(to)).toEqual({ kind: 'moved' })
    expect(at.git('status', '--porcelain')).toBe('')
  })

  test('keeps what the operator writes while their branch moves', async () => {
    at.write({ 'big.txt': 'small\n' })
    at.git('add', '--all')
    at.git('commit', '--quiet', '--message', 'More')
    limitWrites(PATCHES, REPLACES)
    const to = at.commitOf({ 'big.txt': long, 'one.txt': 'two\n' })
    expect(await move(to, () => at.write({ 'big.txt': '' }))).toMatchObject({ kind: 'waits' })
    expect([read('big.txt'), read('one.txt')]).toEqual(['', 'one\n'])
  })

  test('is finished by git, file by file, if only the patch fails', async () => {
    limitWrites(PATCHES)
    expect(await move(at.commitOf({ 'a/new.txt': long, 'one.txt': 'two\n' }))).toEqual({ kind: 'moved' })
    expect([read('a/new.txt'), read('one.txt'), at.git('status', '--porcelain')]).toEqual([long, 'two\n', ''])
  })
})

describe('the files of the work tree', () => {
  test.each([
    ['by a patch', {}, { patches: true }],
    ['by git, file by file, if attributes change', { '.gitattributes': '*.bin -diff\n' }, { patches: false }],
  ])('match those of a checkout: %s', async (_name, more, { patches }) => {
    at.git('config', 'core.autocrlf', 'true')
    at.write({
      'gone.txt': 'x\n',
      thing: 'a file\n',
      'run.sh': 'true\n',
      'folder/in.txt': 'in\n',
      'a "b"\t\u00e9.txt': '1\n',
    })
    symlinkSync('one.txt', join(at.top, 'link'))
    at.git('add', '--all')
    at.git('commit', '--quiet', '--message', 'More')
    at.git('rm', '--quiet', '--cached', '-r', '.')
    at.git('reset', '--quiet', '--hard')
    const to = at.commitOf({
      'a "b"\t\u00e9.txt': '2\n',
      'deep/er/new.txt': 'no line end',
      'empty.txt': '',
      'data.bin': '\0\u0001binary\r\n',
      'folder/in.txt': null,
      folder: 'a file now\n',
      'gone.txt': null,
      link: '-> gone.txt',
      'one.txt': '  two \n\tlines\n\n\n',
      'run.sh': '-> one.txt',
      thing: null,
      'thing/in.txt': 'in\n',
      ...more,
    })
    const log = join(at.root, 'calls')
    wrapGit(`echo "$*" >> '${log}'`)
    expect(await move(to)).toEqual({ kind: 'moved' })
    const calls = readFileSync(log, 'utf8')
    expect([calls.includes('apply --index'), calls.includes('read-tree')]).toEqual([patches, !patches])
    vi.unstubAllEnvs()
    expect(at.git('status', '--porcelain', '--ignored')).toBe('')
    const checkout = join(at.root, 'checkout')
    at.git('worktree', 'add', '--quiet', '--detach', checkout, to)
    execFileSync('diff', ['-r', '--no-dereference', '--exclude=.git', at.top, checkout])
    expect([read('one.txt'), readlinkSync(join(at.top, 'link'))]).toEqual([
      '  two \r\n\tlines\r\n\r\n\r\n',
      'gone.txt',
    ])
  })

  test('stay if the operator writes the same content at this moment', async () => {
    const to = at.commitOf({ 'one.txt': 'two\n', 'new.txt': 'new\n' })
    expect(await move(to, () => at.write({ 'one.txt': 'two\n' }))).toMatchObject({ kind: 'waits' })
    expect([read('one.txt'), existsSync(join(at.top, 'new.txt'))]).toEqual(['two\n', false])
  })

  test.each(['--assume-unchanged', '--skip-worktree'])(
    'stay if the operator hid a change from git (%s), and the branch never moves',
    async (mark) => {
      at.git('update-index', mark, 'one.txt')
      at.write({ 'one.txt': 'mine\n' })
      let steps = 0
      const moved = await move(at.commitOf({ 'one.txt': 'two\n' }), () => {
        steps += 1
      })
      expect(moved).toMatchObject({ kind: 'waits', because: expect.stringContaining('one.txt') })
      expect([read('one.txt'), steps]).toEqual(['mine\n', 0])
    },
  )

  test('are not written if a sparse checkout leaves them out', async () => {
    at.write({ 'src/a.txt': 'a\n', 'docs/a.txt': 'a\n' })
    at.git('add', '--all')
    at.git('commit', '--quiet', '--message', 'More')
    const to = at.commitOf({ 'src/a.txt': 'b\n', 'src/new.txt': 'new\n', 'docs/a.txt': 'b\n' })
    at.git('sparse-checkout', 'set', '--cone', 'docs')
    expect(await move(to)).toEqual({ kind: 'moved' })
    expect([read('docs/a.txt'), existsSync(join(at.top, 'src'))]).toEqual(['b\n', false])
    expect(at.git('status', '--porcelain')).toBe('')
  })
})

test('ignored files that the work does not touch do not keep the branch from moving', async () => {
  at.write({ 'app.local': 'mine\n', 'build/out.txt': 'mine\n' })
  mkdirSync(join(at.top, 'src'))
  expect(await move(at.commitOf({ 'src/a.txt': 'landed\n', 'one.txt': null }))).toEqual({ kind: 'moved' })
  expect(at.git('status', '--porcelain')).toBe('')
  expect([read('app.local'), read('build/out.txt'), read('src/a.txt')]).toEqual([
    'mine\n',
    'mine\n',
    'landed\n',
  ])
})

test('does not write through a link instead of a folder', async () => {
  const outside = join(at.root, 'outside')
  mkdirSync(outside)
  at.git('config', 'core.excludesFile', join(at.root, 'ignored'))
  writeFileSync(join(at.root, 'ignored'), 'linked\n')
  symlinkSync(outside, join(at.top, 'linked'))
  expect(await move(at.commitOf({ 'linked/a.txt': 'landed\n' }))).toMatchObject({ kind: 'waits' })
  expect(existsSync(join(outside, 'a.txt'))).toBe(false)
})

describe('after a crash between the branch and its files', () => {
  /** Moves the branch, but leaves the index and the files as they were. */
  function crashed(work: Readonly<Record<string, string | null>>): [from: string, to: string] {
    const from = at.git('rev-parse', 'main')
    const to = at.commitOf(work)
    at.git('update-ref', 'refs/heads/main', to)
    return [from, to]
  }

  test('takes over half-written files and a lock that is ours', async () => {
    const long = 'a line of the landed file\n'.repeat(1000)
    const moved = crashed({
      'new.txt': 'landed\n',
      'cut.txt': long,
      'one.txt': 'two\n',
      'link.txt': '-> one.txt',
    })
    at.write({ 'new.txt': 'landed\n', 'cut.txt': long.slice(0, 4096) })
    rmSync(join(at.top, 'one.txt'))
    writeFileSync(lock(), 'pulseward\n')
    expect(await finish(...moved)).toEqual([])
    expect(at.git('status', '--porcelain')).toBe('')
    expect([read('new.txt'), read('cut.txt'), read('one.txt')]).toEqual(['landed\n', long, 'two\n'])
    expect(existsSync(lock())).toBe(false)
  })

  test('keeps and reports what the operator has written in the meantime', async () => {
    const moved = crashed({ 'one.txt': 'two\n' })
    at.write({ 'one.txt': 'mine\n' })
    expect(await finish(...moved)).toEqual([expect.stringContaining(at.top)])
    expect(read('one.txt')).toBe('mine\n')
  })

  test('does not touch files that may be incomplete while another file of the operator’s is in the way', async () => {
    at.write({ 'old.txt': 'a\n', 'two.txt': 'a\n' })
    at.git('add', '--all')
    at.git('commit', '--quiet', '--message', 'More')
    // The old contents are the beginning of the new ones.
    const moved = crashed({
      'cut.txt': 'a\nb\n',
      'old.txt': 'a\nb\n',
      'one.txt': 'two\n',
      'two.txt': 'a\nb\n',
    })
    at.write({ 'cut.txt': 'a\n', 'one.txt': 'mine\n', 'two.txt': 'a\nb' })
    expect(await finish(...moved)).toEqual([expect.stringContaining('one.txt')])
    expect([read('cut.txt'), read('old.txt'), read('one.txt'), read('two.txt')]).toEqual([
      'a\n',
      'a\n',
      'mine\n',
      'a\nb',
    ])
    at.write({ 'one.txt': 'one\n' })
    expect(await finish(...moved)).toEqual([])
    expect(at.git('status', '--porcelain')).toBe('')
    expect([read('cut.txt'), read('old.txt'), read('two.txt')]).toEqual(['a\nb\n', 'a\nb\n', 'a\nb\n'])
  })

  test('the operator’s commit on top stays unchanged, even if it reverts the work', async () => {
    const moved = crashed({ 'one.txt': 'two\n' })
    at.git('reset', '--quiet', '--hard')
    at.write({ 'one.txt': 'one\n' })
    at.git('commit', '--quiet', '--all', '--message', 'Take it back')
    expect(await finish(...moved)).toEqual([])
    expect(at.git('status', '--porcelain')).toBe('')
    expect(read('one.txt')).toBe('one\n')
  })

  test('leaves another git’s lock alone', async () => {
    const moved = crashed({ 'one.txt': 'two\n' })
    writeFileSync(lock(), 'DIRC')
    expect(await finish(...moved)).toEqual([expect.stringContaining('another git process')])
    expect(readFileSync(lock(), 'utf8')).toBe('DIRC')
  })
})
