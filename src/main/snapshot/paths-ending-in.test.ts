import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRecordingLog } from '../api/testing/recording-log.ts'
import { createSnapshotter } from './snapshotter.ts'

let folder: string

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'ending-in-')))
})
afterEach(() => rm(folder, { recursive: true }))

async function write(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), `${path}\n`)
  }
}

function git(...args: string[]): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid']
  execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'ignore' })
}

const endingIn = (...ends: string[]) => endingInWithout([], ...ends)

async function endingInWithout(exclude: readonly string[], ...ends: string[]) {
  const snapshotter = createSnapshotter({ log: createRecordingLog(), exclude })
  const found = await snapshotter.endingIn(await snapshotter.take(folder), ends)
  return found === 'too many' ? found : new Map([...found].map(([end, paths]) => [end, [...paths].sort()]))
}

/**
 * Creates files of all kinds: in the index, changed, deleted, new, ignored by name or with their folder, never searched, with
 * names in bytes.
 */
async function makeWork(): Promise<void> {
  await write('app/src/kept.ts', 'app/src/gone.ts', 'app/src/moved.ts', 'lib/src/kept.ts', 'lib/ü/ö.md')
  await write('.gitignore')
  await writeFile(join(folder, '.gitignore'), 'dist/\n*.log\nnode_modules/\n')
  git('init', '--quiet')
  git('add', '-A')
  git('commit', '--quiet', '-m', 'start')
  await rm(join(folder, 'app/src/gone.ts'))
  git('mv', 'app/src/moved.ts', 'app/src/here.ts')
  await write('app/src/new.ts', 'app/dist/deep/bundle.js', 'app/run.log', 'staged/one.ts')
  await write('app/node_modules/left/pad.js', 'app/dist/node_modules/pad.js')
  git('add', 'staged')
  await mkdir(join(folder, 'app/empty'))
  await symlink(join(folder, 'lib'), join(folder, 'app/linked.d'))
}

const ENDS = [
  ...['kept.ts', 'src/kept.ts', 'app/src/kept.ts', 'gone.ts', 'moved.ts', 'here.ts', 'new.ts', 'one.ts'],
  ...['bundle.js', 'deep/bundle.js', 'run.log', 'pad.js', 'ö.md', 'ü/ö.md', 'summary.md', 'nowhere/kept.ts'],
  ...['src', 'deep', 'dist', 'empty', 'ü', 'linked.d', 'ept.ts'],
]

describe('paths with a given ending', () => {
  test('are those of the work tree, within the search limits', async () => {
    await makeWork()
    const found = await endingIn(...ENDS)
    expect(found).toEqual(
      new Map([
        ['kept.ts', ['app/src/kept.ts', 'lib/src/kept.ts']],
        ['src/kept.ts', ['app/src/kept.ts', 'lib/src/kept.ts']],
        ['here.ts', ['app/src/here.ts']],
        ['new.ts', ['app/src/new.ts']],
        ['one.ts', ['staged/one.ts']],
        ['bundle.js', ['app/dist/deep/bundle.js']],
        ['deep/bundle.js', ['app/dist/deep/bundle.js']],
        ['run.log', ['app/run.log']],
        ['ö.md', ['lib/ü/ö.md']],
        ['ü/ö.md', ['lib/ü/ö.md']],
        ['src', ['app/src', 'lib/src']],
        ['deep', ['app/dist/deep']],
        ['dist', ['app/dist']],
        ['empty', ['app/empty']],
        ['ü', ['lib/ü']],
        ['linked.d', ['app/linked.d']],
      ]),
    )
  })

  test("are the same from git's names, from a walk's names, and from a new walk", async () => {
    await makeWork()
    const each = async (...exclude: string[]) =>
      Promise.all(ENDS.map(async (end) => [end, await endingInWithout(exclude, end)] as const))
    const named = await each()
    await rm(join(folder, '.git'), { recursive: true })
    expect(await each()).toEqual(named)
    expect(await each(join(folder, 'not/there'))).toEqual(named)
  })

  test.each(['repository', 'folder'])('are those at the time of the snapshot in a %s', async (where) => {
    await makeWork()
    if (where === 'folder') await rm(join(folder, '.git'), { recursive: true })
    const snapshotter = createSnapshotter({ log: createRecordingLog() })
    const snapshot = await snapshotter.take(folder)
    await rm(join(folder, 'app'), { recursive: true })
    expect(await snapshotter.endingIn(snapshot, ['here.ts', 'run.log', 'gone.ts'])).toEqual(
      new Map([
        ['here.ts', ['app/src/here.ts']],
        ['run.log', ['app/run.log']],
      ]),
    )
  })

  test('include those in nested repositories', async () => {
    await makeWork()
    await write('within/src/inside.ts')
    execFileSync('git', ['init', '--quiet'], { cwd: join(folder, 'within'), stdio: 'ignore' })
    expect(await endingIn('inside.ts')).toEqual(new Map([['inside.ts', ['within/src/inside.ts']]]))
  })

  test('are relative to a workspace that is a folder of its repository', async () => {
    await makeWork()
    const snapshotter = createSnapshotter({ log: createRecordingLog() })
    const snapshot = await snapshotter.take(join(folder, 'app'))
    expect(await snapshotter.endingIn(snapshot, ['kept.ts', 'bundle.js', 'run.log', 'ö.md'])).toEqual(
      new Map([
        ['kept.ts', ['src/kept.ts']],
        ['bundle.js', ['dist/deep/bundle.js']],
      ]),
    )
  })
})
