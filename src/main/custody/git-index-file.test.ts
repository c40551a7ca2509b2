import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gitIndexOf, gitIndexWith, parseGitIndex, shownNames } from './git-index-file.ts'

/* Compares reading and writing an index with git itself. */

let top: string
const git = async (...words: string[]) =>
  (await promisify(execFile)('git', words, { cwd: top })).stdout.split('\n').filter(Boolean)

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'pulseward-index-'))
})
afterEach(() => rm(top, { recursive: true, force: true }))

const NAMES = ['a.sh', 'ä b', 'deep.', 'deep.txt', 'deep0', 'link', 'x'.repeat(300)]

async function makeRepository(format: string): Promise<void> {
  await git('init', '-q', `--object-format=${format}`)
  for (const name of NAMES.filter((each) => each !== 'link' && each.length < 300))
    await writeFile(join(top, name), name)
  await chmod(join(top, 'a.sh'), 0o755)
  await symlink('a.sh', join(top, 'link'))
  await git('add', '.')
}

const NAMED = NAMES.filter((name) => name.length < 300)
const index = () => join(top, '.git', 'index')
const read = async () => {
  const parsed = parseGitIndex(await readFile(index()))
  if (parsed === null) throw new Error('not read')
  return parsed
}

describe.each([
  ['2', 'sha1'],
  ['4', 'sha1'],
  ['2', 'sha256'],
  ['4', 'sha256'],
])('an index of version %s with %s', (version, format) => {
  beforeEach(async () => {
    await makeRepository(format)
    await git('update-index', '--index-version', version)
  })

  test('shows what git lists, without flagged files', async () => {
    expect([...shownNames(await read())].sort()).toEqual([...NAMED].sort())
    await git('update-index', '--assume-unchanged', 'a.sh')
    await git('update-index', '--skip-worktree', 'deep.txt')
    expect([...shownNames(await read())].sort()).toEqual(
      NAMED.filter((name) => !['a.sh', 'deep.txt'].includes(name)).sort(),
    )
  })

  test('equals what git would have written after names are restored', async () => {
    const before = await git('ls-files', '--stage')
    await git('rm', '-q', '--cached', 'a.sh', 'link', 'ä b')
    await git('update-index', '--skip-worktree', 'deep.txt')
    await writeFile(index(), gitIndexWith(await read(), top, ['a.sh', 'link', 'ä b', 'gone', 'deep.txt']))
    expect(await git('ls-files', '--stage')).toEqual(before)
    expect(await git('ls-files', '-v')).toEqual(expect.arrayContaining(['H deep.txt']))
    expect(await git('diff', '--name-only')).toEqual([])
  })

  test('can be read by git if it has only some names', async () => {
    await writeFile(index(), gitIndexOf(await read(), new Set(['deep0'])))
    expect(await git('ls-files')).toEqual(['deep0'])
  })
})

test.each([
  ['an empty file', Buffer.alloc(0)],
  ['other content', Buffer.from('no index of anybody’s, and long enough for all that')],
  ['only a header', Buffer.concat([Buffer.from('DIRC\0\0\0\x02\0\0\0\x05'), Buffer.alloc(20)])],
])('rejects %s as an index', (_name, bytes) => {
  expect(parseGitIndex(bytes)).toBeNull()
})

test('does not read a split index', async () => {
  await makeRepository('sha1')
  await git('update-index', '--split-index')
  expect(parseGitIndex(await readFile(index()))).toBeNull()
})

test('creates an index that git can read if there was none', async () => {
  await makeRepository('sha1')
  await writeFile(index(), gitIndexWith(null, top, ['a.sh']))
  expect(await git('ls-files', '--stage')).toEqual([expect.stringMatching(/^100755 \S+ 0\ta\.sh$/)])
})
