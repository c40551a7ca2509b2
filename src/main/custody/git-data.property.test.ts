import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, cp, mkdir, mkdtemp, readFile, realpath, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GIT_RULES } from '../../core/custody/git-view.ts'
import { checkEnvironment } from '../process/check-environment.ts'
import { childEnvironment } from '../process/child-environment.ts'
import { lookAtIndex } from './git-view.ts'

/*
 * Whatever an agent does to a file below `.git`, a check that uses git gets the same answer as before, or the cause is detected: it is on
 * the list of rules, in the listing of the index, a ref or HEAD (which a snapshot compares), or git does not answer at all.
 */

let base: string
let top: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-git-data-')))
  top = join(base, 'repo')
  await mkdir(join(top, 'src'), { recursive: true })
  await writeFile(join(top, 'src/a.txt'), 'one\n')
  await writeFile(join(top, 'src/b.txt'), 'two\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'start')
  await writeFile(join(top, 'src/a.txt'), 'changed, and not committed\n')
  await writeFile(join(top, 'new.txt'), 'new\n')
})
afterEach(() => rm(base, { recursive: true, force: true }))

function git(...words: readonly string[]): string {
  const own = ['-c', 'user.name=o', '-c', 'user.email=o@example.invalid', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...own, ...words], {
    cwd: top,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** Each command ends the script if git refuses, which exit codes from 128 on mean. */
const QUESTIONS = [
  'diff --quiet HEAD',
  'status --porcelain',
  'ls-files',
  'grep -c o',
  'log --format=%H%P%T',
].map((words) => `git ${words}; code=$?; echo $code; [ $code -lt 128 ] || exit 1`)

/** Returns what git answers a check; `null`: git refuses. */
function answer(steered = false): string | null {
  const env = childEnvironment(steered ? {} : checkEnvironment({}))
  try {
    return execFileSync('sh', ['-c', QUESTIONS.join('\n')], {
      cwd: top,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return null
  }
}

/** Returns a hash of everything that reveals a change. */
async function noticed(): Promise<string> {
  const hash = createHash('sha256')
  for (const path of GIT_RULES) {
    const bytes = await readFile(join(top, path)).catch(() => null)
    hash.update(`${path} ${bytes?.toString('base64')}\0`)
  }
  const contents: Buffer[] = []
  const store = { keep: async (bytes: Buffer) => `${contents.push(bytes)}` } as never
  const listing = await lookAtIndex({ top, index: join(top, '.git/index') }, undefined, store)
  hash.update(`${listing === null} ${contents.map(String).join()}\0`)
  for (const path of [
    'HEAD',
    'packed-refs',
    ...filesBelow('refs').filter((one) => !one.startsWith('refs/replace/')),
  ])
    hash.update(`${path} ${await readFile(join(top, '.git', path)).catch(() => '')}\0`)
  return hash.digest('hex')
}

function filesBelow(folder: string): string[] {
  const path = join(top, '.git', folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(top, '.git').length + 1))
    .sort()
}

/** Returns whether an answer changed without a visible cause. */
async function isUnnoticed(change: () => Promise<unknown> | unknown): Promise<boolean> {
  const [before, seenBefore] = [answer(), await noticed()]
  await change()
  const after = answer()
  return after !== null && after !== before && (await noticed()) === seenBefore
}

describe('objects that replace others', () => {
  /** Returns a tree with the current work, built with a separate index. */
  const workTree = (): string => {
    const words = [
      '-c',
      'cp .git/index ../index; GIT_INDEX_FILE=../index git add -u; GIT_INDEX_FILE=../index git write-tree',
    ]
    return execFileSync('sh', words, { cwd: top, encoding: 'utf8' }).trim()
  }
  const replaceTree = (): string => git('replace', git('rev-parse', 'HEAD^{tree}').trim(), workTree())
  const replaceCommit = (): string =>
    git('replace', git('rev-parse', 'HEAD').trim(), git('commit-tree', '-m', 'x', workTree()).trim())

  it.each([
    ['a tree', replaceTree],
    ['a commit', replaceCommit],
  ])('%s: plain git reports no change, but a check gets the true answer', (_what, change) => {
    const before = answer()
    change()
    expect(answer(true)).toMatch(/^0\n/)
    expect(answer()).toBe(before)
    expect(before).toMatch(/^1\n/)
  })

  it.each([
    ['grafts', '.git/info/grafts', () => `${git('rev-parse', 'HEAD').trim()}\n`],
    ['names that are ignored', '.git/info/exclude', () => 'new.txt\n'],
    ['attributes', '.git/info/attributes', () => '*.txt binary\n'],
    ['a shallow history', '.git/shallow', () => `${git('rev-parse', 'HEAD').trim()}\n`],
    ['alternate objects', '.git/objects/info/alternates', () => `${base}\n`],
    ['work tree settings', '.git/config.worktree', () => '[core]\n\tbare = true\n'],
  ])('detects %s', async (_what, path, text) => {
    const before = await noticed()
    await mkdir(dirname(join(top, path)), { recursive: true })
    await appendFile(join(top, path), text())
    expect(await noticed()).not.toBe(before)
  })
})

it('no file below .git can be deleted, truncated, written or swapped so that an answer changes unnoticed', async () => {
  await cp(top, join(base, 'kept'), { recursive: true, preserveTimestamps: true })
  const files = filesBelow('')
  expect(files.length).toBeGreaterThan(10)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.constantFrom('delete', 'cut', 'append', 'swap'),
      fc.constantFrom(...files),
      async (name, how, other) => {
        await rm(top, { recursive: true })
        await cp(join(base, 'kept'), top, { recursive: true, preserveTimestamps: true })
        const path = join(top, '.git', name)
        const unnoticed = await isUnnoticed(async () => {
          await rm(`${path}.lock`, { force: true })
          if (how === 'delete') await rm(path)
          else {
            const bytes = how === 'swap' ? await readFile(join(top, '.git', other)) : await readFile(path)
            // Objects are read-only.
            await rm(path)
            await writeFile(path, bytes)
            if (how === 'cut') await truncate(path, Math.floor(bytes.length / 2))
            if (how === 'append') await appendFile(path, '\nnew.txt\n')
          }
        })
        expect(unnoticed).toBe(false)
      },
    ),
    { numRuns: 20 },
  )
}, 300_000)
