import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Landing, landOnce } from './testing/land-once.ts'

/* The queue, killed by SIGKILL at each of its steps: it continues or repeats that step, and lands once. */

const ENTRY = fileURLToPath(new URL('./testing/land-and-die.ts', import.meta.url))
let root: string
let base: string
let tree: string

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: join(root, 'p'), encoding: 'utf8' }).trim()
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-queue-')))
  mkdirSync(join(root, 'p'))
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Operator')
  git('config', 'user.email', 'o@example.org')
  write('one.txt', 'one\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
  base = git('rev-parse', 'HEAD')
  write('work.txt', 'work\n')
  git('add', '--all')
  tree = git('write-tree')
  git('reset', '--quiet', '--hard')
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', 'remote.git'], { cwd: root })
  git('remote', 'add', 'origin', '../remote.git')
  git('push', '--quiet', 'origin', 'main')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  writeFileSync(join(root, 'p', path), text)
}

/** Moves the tip of the target, so that a combination lands. */
function moveTarget(target: string): void {
  write('two.txt', 'two\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Meanwhile')
  if (target === 'origin/main') git('push', '--quiet', 'origin', 'main')
}

function landing(target: string, work?: Landing['work']): Landing {
  const places = { directory: join(root, 'p'), ledgerDirectory: join(root, 'ledger') }
  return { ...places, target, ...(work && { work }) }
}

function killAt(step: string, one: Landing): NodeJS.Signals | null {
  const words = ['--disable-warning=ExperimentalWarning', ENTRY, step, JSON.stringify(one)]
  return spawnSync(process.execPath, words, { encoding: 'utf8' }).signal
}

const locks = (): string[] =>
  readdirSync(join(root, 'p/.git'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.lock'),
  )

/** In the order in which they are reached. */
const STEPS = ['ref-kept', 'judging', 'judged', 'committed', 'recorded', 'ref-moved', 'moved', 'landed']

const KILLS = [
  ...STEPS.map((step) => ['main', step] as const),
  // Only these steps differ for a remote target.
  ...['recorded', 'ref-moved', 'moved'].map((step) => ['origin/main', step] as const),
]

describe('a landing', () => {
  test.each(KILLS)(
    'on %s killed at the step %s lands once, and leaves nothing behind',
    async (target, step) => {
      moveTarget(target)
      const work = { tree, base, attemptId: '1-1-abcd' }
      expect(killAt(step, landing(target, work))).toBe('SIGKILL')
      const entry = await landOnce(landing(target, step === 'ref-kept' ? work : undefined))
      expect(entry).toMatchObject({ state: 'landed', candidate: null, differs: false })
      const there = (): string =>
        git('ls-remote', target === 'main' ? '.' : 'origin', 'refs/heads/main').split('\t')[0] ?? ''
      const tip = there()
      expect(entry?.commit).toBe(tip)
      expect(git('log', '--format=%H', '--grep=Pulseward-Attempt: 1-1-abcd', tip).split('\n')).toEqual([tip])
      expect(git('ls-tree', '--name-only', tip).split('\n')).toEqual(['one.txt', 'two.txt', 'work.txt'])
      expect(git('rev-parse', `${tip}^{tree}`)).toBe(entry?.tree)
      expect(git('status', '--porcelain')).toBe('')
      expect(locks()).toEqual([])
      // Running it once more changes nothing.
      await landOnce(landing(target))
      expect(there()).toBe(tip)
    },
  )
})

test('does not bring back old commits of a target that someone rewrote', async () => {
  write('old.txt', 'old\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Will go')
  const gone = git('rev-parse', 'HEAD')
  write('work.txt', 'work\n')
  git('add', '--all')
  const onIt = git('write-tree')
  git('reset', '--quiet', '--hard', base)
  const work = { tree: onIt, base: gone, attemptId: '1-1-abcd' }
  expect(await landOnce(landing('main', work))).toMatchObject({ state: 'landed' })
  expect(git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['one.txt', 'work.txt'])
})

describe('a target that disappears at the last moment', () => {
  test.each(['committed', 'recorded'])('at the step %s is not created by the landing', async (step) => {
    const work = { tree, base, attemptId: '1-1-abcd' }
    const here = landing('main', work)
    const entry = await landOnce(here, async (at) => {
      if (at === step) git('update-ref', '-d', 'refs/heads/main')
    })
    expect(entry).toMatchObject({ state: 'waiting', because: expect.stringContaining('main does not exist') })
    expect(git('for-each-ref', 'refs/heads')).toBe('')
    git('update-ref', 'refs/heads/main', base)
    expect(await landOnce(landing('main'))).toMatchObject({ state: 'landed', candidate: null })
    expect(git('log', '--format=%H', '--grep=Pulseward-Attempt', 'main').split('\n')).toHaveLength(1)
    expect(git('status', '--porcelain')).toBe('')
  })

  test('and comes back with an unrelated history gets the work alone', async () => {
    write('other.txt', 'other\n')
    git('add', '--all')
    const unrelated = git('commit-tree', git('write-tree'), '-m', 'Unrelated')
    git('reset', '--quiet', '--hard', base)
    let isMoved = false
    const entry = await landOnce(landing('main', { tree, base, attemptId: '1-1-abcd' }), async (at) => {
      if (at !== 'recorded' || isMoved) return
      isMoved = true
      git('reset', '--quiet', '--hard', unrelated)
    })
    expect(entry).toMatchObject({ state: 'landed' })
    expect(git('rev-parse', 'main^')).toBe(unrelated)
    expect(git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['one.txt', 'other.txt', 'work.txt'])
    expect(git('rev-parse', 'main^{tree}')).toBe(entry?.tree)
    expect(git('status', '--porcelain')).toBe('')
  })
})

test('does not overwrite an untracked file in the way, but waits', async () => {
  write('work.txt', 'mine\n')
  expect(await landOnce(landing('main', { tree, base, attemptId: '1-1-abcd' }))).toMatchObject({
    state: 'waiting',
    waitsFor: 'clean-tree',
    because: expect.stringContaining('would be overwritten'),
  })
  expect(git('rev-parse', 'main')).toBe(base)
})

test.each([
  [
    'a program that fails',
    { 'gpg.program': '/bin/false' },
    /^Its commit could not be signed \(gpg failed to sign/,
  ],
  [
    'an ssh key that is not there',
    { 'gpg.format': 'ssh', 'user.signingkey': '/nowhere/key' },
    /^Its commit could not be signed \(.*\/nowhere\/key/,
  ],
])(
  'work whose commit should be signed by %s waits, and lands once it can be',
  async (_what, settings, because) => {
    git('config', 'commit.gpgsign', 'true')
    for (const [name, value] of Object.entries(settings)) git('config', name, value)
    expect(await landOnce(landing('main', { tree, base, attemptId: '1-1-abcd' }))).toMatchObject({
      state: 'waiting',
      waitsFor: 'checks',
      because: expect.stringMatching(because),
    })
    expect(git('rev-parse', 'main')).toBe(base)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(root, 'key')])
    git('config', 'gpg.format', 'ssh')
    git('config', 'user.signingkey', join(root, 'key'))
    expect(await landOnce(landing('main'))).toMatchObject({ state: 'landed' })
    expect(git('cat-file', 'commit', 'main')).toContain('gpgsig')
  },
)

describe('shared work', () => {
  const work = (): Landing['work'] => ({ tree, base, attemptId: '1-1-abcd' })
  const landedByAnother = (...trailers: string[]): void => {
    write('theirs.txt', 'theirs\n')
    git('add', '--all')
    git('commit', '--quiet', '--message', `Do it\n\nPulseward-Attempt: 9-9-ffff\n${trailers.join('\n')}`)
  }

  test('whose task another host has landed since is dropped, and lands too only if you say so', async () => {
    landedByAnother('Pulseward-Task: task', 'Pulseward-Shared: org/it')
    const tip = git('rev-parse', 'main')
    expect(await landOnce({ ...landing('main', work()), lease: 'org/it' })).toMatchObject({
      state: 'dropped',
      verified: true,
      because: expect.stringContaining('Another host took org/it over and landed task on main'),
    })
    expect(git('rev-parse', 'main')).toBe(tip)
    expect(git('rev-parse', 'refs/pulseward/attempts/1-1-abcd^{tree}')).toBe(tree)
  })

  test.each([
    ['another task', ['Pulseward-Task: other', 'Pulseward-Shared: org/it'], 'org/it'],
    [
      'a task of the same name in other shared work',
      ['Pulseward-Task: task', 'Pulseward-Shared: org/its'],
      'org/it',
    ],
    ['a task of the same name that is not shared', ['Pulseward-Task: task'], 'org/it'],
    [
      'the same task if this one is not shared',
      ['Pulseward-Task: task', 'Pulseward-Shared: org/it'],
      undefined,
    ],
  ])('lands in addition to %s', async (_name, trailers, lease) => {
    landedByAnother(...trailers)
    expect(await landOnce({ ...landing('main', work()), ...(lease && { lease }) })).toMatchObject({
      state: 'landed',
    })
    expect(git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['one.txt', 'theirs.txt', 'work.txt'])
  })

  test('is landed repeatedly by the same host', async () => {
    const lease = 'org/it'
    await landOnce({ ...landing('main', work()), lease })
    expect(git('log', '-1', '--format=%(trailers:key=Pulseward-Shared,valueonly)').trim()).toBe(lease)
    write('next.txt', 'next\n')
    git('add', '--all')
    const next = git('write-tree')
    git('reset', '--quiet', '--hard')
    // Started before the first one landed.
    const again = { tree: next, base: git('rev-parse', 'main~1'), attemptId: '2-1-abcd' }
    expect(await landOnce({ ...landing('main', again), lease })).toMatchObject({ state: 'landed' })
  })
})
