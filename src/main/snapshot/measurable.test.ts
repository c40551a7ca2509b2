import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../core/verification/types.ts'
import { createSnapshotter } from './snapshotter.ts'
import { createScratchFolder, type ScratchFolder, silentLog } from './testing/scratch-folder.ts'

let folder: ScratchFolder
let outside: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
  outside = createScratchFolder()
})
afterEach(() => {
  folder.dispose()
  outside.dispose()
})

function ask(
  paths: readonly string[],
  directory = folder.path,
  difference: FileDifference = EMPTY_DIFFERENCE,
): Promise<readonly (true | string)[]> {
  return createSnapshotter({ log: silentLog, exclude: [join(folder.path, 'data')] }).measurable(
    directory,
    paths,
    difference,
  )
}

/** Checked in every kind of folder. */
const cases: [name: string, path: () => string, answer: true | RegExp][] = [
  ['a file', () => 'a.txt', true],
  ['a missing file', () => 'no/such/file.txt', true],
  ['a folder', () => 'dir/', true],
  ['an absolute path inside', () => join(folder.path, 'dir/b.txt'), true],
  ['a path that leads out and back in', () => `../${folder.path.split('/').at(-1)}/a.txt`, true],
  ['dots that stay inside', () => './dir/../a.txt', true],
  ['a name made of dots', () => '...', true],
  ['a name that begins with two dots', () => '..a', true],
  ['a name that looks like pathspec magic', () => ':(exclude)a', true],
  ['a name that looks like an option', () => '--stdin', true],
  ['a name with a newline', () => 'a\nb', true],
  ['a link itself', () => 'link-out', true],
  ['a path above the workspace', () => '../x', /outside the workspace/],
  ['an absolute path elsewhere', () => '/etc/passwd', /outside the workspace/],
  [
    'a folder whose name starts with the workspace’s name',
    () => `${folder.path}-other/x`,
    /outside the workspace/,
  ],
  ['a path behind a link that leads out', () => 'link-out/x', /link-out is a link that leads outside/],
  ['a path behind a broken link', () => 'link-nowhere/x', /link-nowhere is a link/],
  ['a path behind a link that stays inside', () => 'link-in/b.txt', /link-in is a link/],
  ['git’s own data', () => '.git/config', /\.git, which is not searched/],
  ['the supervisor’s own files', () => 'data/x/y', /Pulseward's own/],
  ['an empty folder', () => 'empty/', /empty folder/],
  ['a folder of empty folders', () => 'empty', /empty folder/],
  ['a folder with a file deep inside', () => 'deep', true],
  ['a pipe', () => 'pipe', /a pipe, a socket or a device/],
  ['a Windows path', () => 'dir\\b.txt', true],
  ['a Windows path that leads out', () => '..\\x', /outside the workspace/],
  ['an invalid path', () => 'a\0b', /not a valid path/],
]

describe.each([
  ['a plain folder', () => {}],
  ['a repository', () => folder.makeRepository()],
])('in %s', (_setting, setUp) => {
  it.each(cases)('%s', async (_name, path, answer) => {
    setUp()
    folder.write('a.txt', 'a')
    folder.write('dir/b.txt', 'b')
    folder.link('link-out', outside.path)
    folder.link('link-in', 'dir')
    folder.link('link-nowhere', 'gone')
    folder.write('deep/er/still/c.txt', 'c')
    folder.sh('mkdir -p empty/more/yet && mkfifo pipe')
    const [said] = await ask([path()])
    if (answer === true) expect(said).toBe(true)
    else expect(said).toMatch(answer)
  })
})

describe('in a repository', () => {
  beforeEach(() => folder.makeRepository({ '.gitignore': '*.log\nbuild/\n', 'kept.log': 'x' }))

  it('cannot measure what git ignores, unless it is tracked', async () => {
    folder.git('add', '--force', 'kept.log')
    expect(await ask(['x.log', 'a.txt', 'build/out', 'dir/y.log', 'kept.log'])).toEqual([
      'git ignores it',
      true,
      'git ignores it',
      'git ignores it',
      true,
    ])
  })

  it('cannot measure a deleted folder that git ignored, written with or without a slash', async () => {
    expect(await ask(['build/', 'build', 'build\\out.js', 'built', 'builds/'])).toEqual([
      'git ignores it',
      'git ignores it',
      'git ignores it',
      true,
      true,
    ])
  })

  it('can measure what a difference shows, even if it is ignored by now', async () => {
    const difference = { ...EMPTY_DIFFERENCE, added: ['a.txt'], deleted: ['old.log'] }
    const paths = ['./a.txt', 'old.log', 'x.log', '/etc/passwd']
    expect(await ask(paths, folder.path, difference)).toEqual([
      true,
      true,
      'git ignores it',
      'it is outside the workspace',
    ])
    expect(await ask(['old.log', '../x'], folder.path, difference)).toEqual([
      true,
      'it is outside the workspace',
    ])
  })

  it('can measure a file that has the name of an ignored folder', async () => {
    folder.write('build', 'x')
    expect(await ask(['build'])).toEqual([true])
  })

  it('takes paths relative to the workspace if that is a folder of the repository', async () => {
    folder.write('dir/b.txt', 'b')
    expect(await ask(['x.log', 'b.txt', '../a.txt'], join(folder.path, 'dir'))).toEqual([
      'git ignores it',
      true,
      'it is outside the workspace',
    ])
  })

  it('asks a submodule or nested repository about its own files', async () => {
    outside.makeRepository({ 'a.txt': 'a', '.gitignore': 'out/\n' })
    folder.git('submodule', '--quiet', 'add', outside.path, 'sub')
    folder.git('clone', '--quiet', outside.path, 'own')
    const paths = ['a.txt', 'sub', 'sub/a.txt', 'sub/out/x', 'own/a.txt', 'own/out/x', 'x.log']
    const ignored = 'git ignores it'
    expect(await ask(paths)).toEqual([true, true, true, ignored, true, ignored, ignored])
  })

  it('cannot answer for files in a broken repository, and still answers for the others', async () => {
    outside.makeRepository({ 'a.txt': 'a' })
    folder.git('submodule', '--quiet', 'add', outside.path, 'sub')
    folder.write('sub/.git', 'gitdir: ../gone\n')
    expect(await ask(['a.txt', 'sub/a.txt'])).toEqual([true, expect.stringMatching(/can.t tell/)])
  })
})

it('does not look at what package managers unpack in a plain folder', async () => {
  expect(await ask(['lib/node_modules/x/index.js'])).toEqual(['it is in node_modules, which is not searched'])
})

it('answers for a missing folder', async () => {
  expect(await ask(['a.txt', '/etc/passwd'], join(folder.path, 'gone'))).toEqual([true, expect.any(String)])
})

it('returns nothing if no path is asked about', async () => {
  expect(await ask([])).toEqual([])
})

it('after the repository broke, can measure claimed missing files, but not ignored ones', async () => {
  const broken = createScratchFolder()
  try {
    broken.makeRepository({ 'a.txt': 'alpha', '.gitignore': 'dist/\n' })
    const snapshotter = createSnapshotter({ log: silentLog })
    const before = await snapshotter.take(broken.path)
    broken.sh('rm -rf .git; mkdir dist; echo x > dist/out.js; echo y > a.txt')
    const difference = await snapshotter.difference(before, await snapshotter.take(broken.path))
    expect(
      await snapshotter.measurable(broken.path, ['missing.txt', 'a.txt', 'dist/out.js'], difference),
    ).toEqual([true, true, 'git ignores it'])
  } finally {
    broken.dispose()
  }
})

it('asks about a path once per attempt, and again for the next one', async () => {
  folder.makeRepository({ 'a.txt': 'a\n' })
  const snapshotter = createSnapshotter({ log: silentLog })
  const left = { ...EMPTY_DIFFERENCE }
  expect(await snapshotter.measurable(folder.path, ['new.log'], left)).toEqual([true])
  folder.write('.gitignore', '*.log\n')
  expect(await snapshotter.measurable(folder.path, ['other.log', 'new.log'], left)).toEqual([
    'git ignores it',
    true,
  ])
  expect(await snapshotter.measurable(folder.path, ['new.log'], { ...left })).toEqual(['git ignores it'])
})
