import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { LandingEntry } from '../../core/record/state.ts'
import { type Git, type GitResult, gitAt } from './git.ts'
import { causeIn, type Repository, tipOf, tryRemotesAgain } from './repository.ts'
import { landingRepository } from './testing/landing-repository.ts'
import { WorkCommits } from './work-commits.ts'

const at = landingRepository()

const DONE: GitResult = { ok: true, exitCode: 0, timedOut: false, stdout: 'id\n', error: '' }
const SILENT: GitResult = {
  ok: false,
  exitCode: null,
  timedOut: true,
  stdout: '',
  error: 'It did not end within 2 min',
}

/** Returns a program that never ends, and a function that tells whether one of its processes is still running. */
function hanging(): { readonly program: string; readonly runs: () => boolean } {
  const [program, noted] = [join(at.root, 'hang'), join(at.root, 'pids')]
  writeFileSync(program, `#!/bin/sh\nsleep 900 & echo $$ $! > ${noted}\nwait\n`, { mode: 0o755 })
  const isRunning = (pid: string): boolean => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid.trim()}/status`, 'utf8'))
    } catch {
      return false
    }
  }
  return { program, runs: () => readFileSync(noted, 'utf8').split(' ').some(isRunning) }
}

const isLinux = process.platform === 'linux'

test.runIf(isLinux)('git that does not end is killed with the program that it waits for', async () => {
  const { program, runs } = hanging()
  const git = gitAt({ directory: at.top })
  const result = await git(['-c', `alias.hang=!${program}`, 'hang'], { timeoutMs: 1500 })
  expect(result).toMatchObject({ ok: false, timedOut: true, error: 'It did not end within 1.5 s' })
  await vi.waitFor(() => expect(runs()).toBe(false))
})

test.runIf(isLinux)('a signature that does not end stops when it is canceled', async () => {
  const { program, runs } = hanging()
  at.git('config', 'gpg.program', program)
  const cancel = new AbortController()
  const made = gitAt({ directory: at.top })(['commit-tree', 'HEAD^{tree}', '-S', '-m', 'x'], {
    signal: cancel.signal,
  })
  await vi.waitFor(() => expect(runs()).toBe(true), { timeout: 20_000 })
  cancel.abort()
  expect(await made).toMatchObject({ ok: false, timedOut: false, error: 'It was canceled' })
  await vi.waitFor(() => expect(runs()).toBe(false))
})

test('after a signature that did not end, other work waits without asking for one, until the next pass', async () => {
  const repository: Repository = {
    top: at.top,
    common: join(at.top, '.git'),
    prefix: '',
    algorithm: 'sha1',
    isShallow: false,
    git: vi.fn<Git>(async ([verb]) => (verb === 'commit-tree' ? SILENT : DONE)),
  }
  const commits = new WorkCommits({ config: () => null, recordHead: async () => 'head' })
  const { signal } = new AbortController()
  const commit = (attemptId: string, isSigned: boolean) => {
    const entry = { attemptId, taskId: 'task', description: 'Do it' } as LandingEntry
    return commits.commit(
      entry,
      repository,
      { tip: 't', tree: 'r' },
      { record: 'h', author: null, isSigned },
      signal,
    )
  }
  const asked = () => vi.mocked(repository.git).mock.calls.filter(([[verb]]) => verb === 'commit-tree').length
  const reason = 'Its commit could not be signed (It did not end within 2 min). It lands once your key signs'
  await expect(commit('1', true)).rejects.toThrow(reason)
  await expect(commit('2', true)).rejects.toThrow(reason)
  expect(asked()).toBe(1)
  // Without a signature it is another problem.
  await expect(commit('3', false)).rejects.toThrow('git commit-tree failed')
  commits.tryAgain()
  await expect(commit('2', true)).rejects.toThrow(reason)
  expect(asked()).toBe(3)
})

test.each([
  ['that does not answer in time is asked again once the operator asks', SILENT, 1],
  ['that refuses is asked again', { ...SILENT, timedOut: false, error: 'fatal: no access' }, 2],
  ['that answers is asked again', DONE, 2],
])('a remote %s', async (name, answer, expected) => {
  const git = vi.fn<Git>(async ([verb]) => (verb === 'fetch' ? answer : DONE))
  const target = { name: 'o/main', branch: 'main', ref: 'refs/remotes/o/main', remote: 'o' }
  const [first, second] = [
    await tipOf({ git, common: name }, target),
    await tipOf({ git, common: name }, target),
  ]
  expect(git.mock.calls.filter(([[verb]]) => verb === 'fetch')).toHaveLength(expected)
  expect(second).toEqual(first)
  tryRemotesAgain()
  await tipOf({ git, common: name }, target)
  expect(git.mock.calls.filter(([[verb]]) => verb === 'fetch')).toHaveLength(expected + 1)
})

test.each([
  [
    "fatal: update_ref failed for ref 'refs/heads/main': cannot lock ref 'refs/heads/main': Unable to create '/p/.git/refs/heads/main.lock': File exists.\n\nAnother git process seems to be running in this repository, e.g.\nan editor opened by 'git commit'. Please make sure all processes\nare terminated then try again. If it still fails, a git process\nmay have crashed in this repository earlier:\nremove the file manually to continue.",
    /^fatal: update_ref failed .*main\.lock': File exists\.$/,
  ],
  [
    'ssh: connect to host x port 22: Connection refused\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.',
    /^ssh: connect to host x port 22: Connection refused$/,
  ],
  ['fatal: Could not read from remote repository.', /^fatal: Could not read/],
  ['\n error: cannot do it \n', /^error: cannot do it$/],
  ['', /^$/],
])('names the cause in what git prints, not its advice', (text, cause) => {
  expect(causeIn(text)).toMatch(cause)
})
