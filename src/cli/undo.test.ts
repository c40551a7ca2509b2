import { execFileSync } from 'node:child_process'
import { chmod, lstat, readFile, readlink, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AttemptDetail, RunReport, UndoAnswer } from '../core/read-model/attempt.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* Undoing an attempt: restores what it changed, and touches no one else's changes. */

let cli: CliFixture

const CONFIGURATION = '[agent]\ncommand = ["sh", "../agent.sh"]\n'
const CONTRACT = '## Tasks\n- [ ] work | Do the work | required | verify: exists("made.txt")\n'
/** Rewrites committed, uncommitted and binary files; deletes, adds, links and commits. */
const AGENT = `printf changed > committed.txt
printf changed > untracked.txt
printf '\\000\\002' > binary.bin
rm removed.txt
chmod -x program.sh
mkdir -p new/folder; printf new > new/folder/made.txt
ln -sf untracked.txt link
printf made > made.txt
echo 'EXIT_SIGNAL: true'
`

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({
    'p/HEARTBEAT.md': CONTRACT,
    'p/pulseward.toml': CONFIGURATION,
    'p/committed.txt': 'committed\r\nas it was\n',
    'p/removed.txt': 'removed\n',
    'p/program.sh': '#!/bin/sh\n',
    'p/.gitignore': 'ignored.txt\n',
    'p/ignored.txt': 'ignored\n',
    'agent.sh': AGENT,
  })
  await symlink('committed.txt', join(cli.root, 'p/link'))
  await chmod(join(cli.root, 'p/program.sh'), 0o755)
})
afterEach(() => cli.close())

const path = (name: string): string => join(cli.root, 'p', name)
const text = (name: string): Promise<string | null> => readFile(path(name), 'latin1').catch(() => null)
const isThere = (name: string): Promise<boolean> =>
  lstat(path(name)).then(
    () => true,
    () => false,
  )
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: path('.') })

async function json<Answer>(...words: string[]): Promise<Answer> {
  const { stdout, stderr } = await cli.run([...words, '--json', '--workspace', 'p'])
  return JSON.parse(stdout === '' ? stderr : stdout)
}

async function runOnce(): Promise<string> {
  const { attempts } = await json<RunReport>('run', '--once', '--trust')
  return attempts[0]?.attemptId ?? ''
}

async function state(): Promise<unknown> {
  return {
    committed: await text('committed.txt'),
    untracked: await text('untracked.txt'),
    binary: await text('binary.bin'),
    removed: await text('removed.txt'),
    program: ((await stat(path('program.sh'))).mode & 0o100) !== 0,
    link: await readlink(path('link')),
    made: await isThere('made.txt'),
    folder: await isThere('new'),
  }
}
const BEFORE = {
  committed: 'committed\r\nas it was\n',
  untracked: 'untracked\n',
  binary: '\u0000\u0001\u00ff',
  removed: 'removed\n',
  program: true,
  link: 'committed.txt',
  made: false,
  folder: false,
}
const CHANGED = ['binary.bin', 'committed.txt', 'link', 'made.txt', 'new/folder/made.txt', 'program.sh']

async function leaveUncommitted(): Promise<void> {
  await cli.write({ 'p/untracked.txt': 'untracked\n' })
  execFileSync('sh', ['-c', `printf '\\000\\001\\377' > binary.bin`], { cwd: path('.') })
}

describe.each(['in a repository', 'in a folder without one'])('an attempt %s', (where) => {
  beforeEach(async () => {
    if (where === 'in a repository') {
      git('init', '-q')
      git('add', '-A')
      git('commit', '-qm', 'as it was')
    }
    await leaveUncommitted()
  })

  test('is undone byte for byte, including untracked and binary files, links and permissions, and can be redone', async () => {
    const attemptId = await runOnce()
    const left = await state()
    const points = await json<{ score: number }>('score')
    const answer = await json<UndoAnswer>('undo', attemptId)
    expect(answer).toMatchObject({ attemptId, leftAlone: [] })
    expect(answer.putBack).toEqual([...CHANGED, 'removed.txt', 'untracked.txt'])
    expect(await state()).toEqual(BEFORE)
    expect(await text('ignored.txt')).toBe('ignored\n')
    expect(await json('score')).toMatchObject({ score: points.score })
    expect((await json<AttemptDetail>('attempt', attemptId)).undo).toMatchObject({ isUndone: true })
    expect(await json<UndoAnswer>('undo', attemptId, '--redo')).toMatchObject({ leftAlone: [] })
    expect(await state()).toEqual(left)
    expect((await cli.run(['undo', attemptId, '--redo', '--workspace', 'p'])).stderr).toContain(
      'have not been undone',
    )
  })

  test('is undone except for files that anyone changed since, which are listed', async () => {
    const attemptId = await runOnce()
    await cli.write({
      'p/untracked.txt': 'mine\n',
      'p/removed.txt': 'mine too\n',
      'p/new/mine.txt': 'mine\n',
    })
    const { leftAlone, putBack } = await json<UndoAnswer>('undo', attemptId)
    expect(leftAlone).toEqual([
      { path: 'untracked.txt', reason: 'it has been changed since' },
      { path: 'removed.txt', reason: 'it has been changed since' },
    ])
    expect(putBack).toEqual(CHANGED)
    expect(await text('untracked.txt')).toBe('mine\n')
    expect(await text('removed.txt')).toBe('mine too\n')
    expect(await text('new/mine.txt')).toBe('mine\n')
    expect(await isThere('new/folder')).toBe(false)
  })
})

test('does not remove an ignored file that became visible, and does not restore a filtered one by guessing', async () => {
  await cli.write({ 'p/.gitattributes': '*.dat filter=lfs\n', 'p/large.dat': 'pointer\n' })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'as it was')
  // Longer than any file system's time resolution.
  execFileSync('sh', ['-c', 'sleep 2.2'])
  await cli.write({
    'agent.sh': `printf '' > .gitignore; echo other > large.dat; echo made > made.txt; echo 'EXIT_SIGNAL: true'\n`,
  })
  const attemptId = await runOnce()
  const { leftAlone } = await json<UndoAnswer>('undo', attemptId)
  expect(leftAlone.map(({ path: one }) => one).toSorted()).toEqual(['ignored.txt', 'large.dat'])
  expect(await text('ignored.txt')).toBe('ignored\n')
})

test('restores nothing if everything was changed since, and can be undone again later', async () => {
  await cli.write({ 'agent.sh': `printf made > made.txt; echo 'EXIT_SIGNAL: true'\n` })
  const attemptId = await runOnce()
  await cli.write({ 'p/made.txt': 'mine\n' })
  for (const _time of [1, 2]) {
    const { exitCode, stdout } = await cli.run(['undo', attemptId, '--workspace', 'p'])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(/^Restored: 0 files[^\n]*\n[^\n]*made\.txt stays as it is: [^\n]*\n$/),
    })
  }
  const shown = await json<AttemptDetail>('attempt', attemptId)
  expect(shown).not.toHaveProperty('undone')
  expect(shown.undo).toMatchObject({ isUndone: false })
  expect((await cli.run(['undo', attemptId, '--redo', '--workspace', 'p'])).stderr).toContain(
    'have not been undone',
  )
  await cli.write({ 'p/made.txt': 'made' })
  expect(await json<UndoAnswer>('undo', attemptId)).toMatchObject({ putBack: ['made.txt'], leftAlone: [] })
  expect(await isThere('made.txt')).toBe(false)
})

test('restored files count for no attempt: claiming them again is a contradiction', async () => {
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'as it was')
  await cli.write({
    'p/HEARTBEAT.md':
      '## Tasks\n- [ ] work | Write the report | required | verify: exists("committed.txt")\n',
    'agent.sh': `echo better > committed.txt; echo '\`\`\`heartbeat-report
{"task_id":"work","status":"done","files":["committed.txt"],"exit_signal":true}
\`\`\`'\n`,
  })
  const attemptId = await runOnce()
  await json('undo', attemptId)
  await cli.write({
    'agent.sh': `echo '\`\`\`heartbeat-report
{"task_id":"work","status":"done","files":["committed.txt"],"exit_signal":true}
\`\`\`'\n`,
  })
  const { attempts } = await json<RunReport>('run', '--once')
  expect(attempts[0]).toMatchObject({ verdict: 'not_verified', groundTruthContradiction: true })
})

test('undoing a later attempt does not make tests that an earlier one weakened the baseline', async () => {
  const strict = `import assert from 'node:assert'
import { test } from 'node:test'
test('is three', () => assert.equal(1, 3))
`
  await cli.write({
    'p/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: succeeds("node --test")\n',
    'p/pulseward.toml': `${CONFIGURATION}[verification]\ncommands = ["node --test"]\n`,
    'p/one.test.mjs': strict,
    'agent.sh': `sed -i 's/1, 3/2, 3/' one.test.mjs; echo 'EXIT_SIGNAL: true'\n`,
  })
  await runOnce()
  await cli.write({ 'agent.sh': `sed -i 's/2, 3/9, 3/' one.test.mjs; echo 'EXIT_SIGNAL: true'\n` })
  const second = await runOnce()
  expect(await json<UndoAnswer>('undo', second)).toMatchObject({ putBack: ['one.test.mjs'], leftAlone: [] })
  expect(await text('one.test.mjs')).toContain('2, 3')
  await cli.write({ 'agent.sh': `sed -i 's/2, 3/3, 3/' one.test.mjs; echo 'EXIT_SIGNAL: true'\n` })
  const { attempts } = await json<RunReport>('run', '--once')
  expect(attempts[0]).toMatchObject({ held: { because: 'clean-room', files: ['one.test.mjs'] } })
})

test('says why an attempt that changed nothing, or does not exist, can’t be undone', async () => {
  await cli.write({ 'agent.sh': 'echo "EXIT_SIGNAL: false"\n' })
  const attemptId = await runOnce()
  expect((await cli.run(['undo', attemptId, '--workspace', 'p'])).stderr).toContain('it changed no file')
  const unknown = await cli.run(['undo', '../nothing', '--workspace', 'p'])
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('There is no attempt') })
})
