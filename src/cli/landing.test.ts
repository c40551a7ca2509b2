import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunReport } from '../core/read-model/attempt.ts'
import type { LandingView } from '../core/read-model/landing.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* Isolated attempts through the command: what lands, what does not, and what of the operator's stays as it was. */

let cli: CliFixture

const IDENTITY = ['-c', 'user.name=Operator', '-c', 'user.email=o@example.org']

function git(...args: readonly string[]): string {
  return execFileSync('git', [...IDENTITY, ...args], { cwd: join(cli.root, 'p'), encoding: 'utf8' }).trim()
}

async function json(...words: string[]): Promise<unknown> {
  const { stdout, stderr } = await cli.run([...words, '--json', '--workspace', 'p'])
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`${words.join(' ')}: ${stdout}${stderr}`)
  }
}

const run = () => json('run', '--once', '--trust') as Promise<RunReport>
const landing = async () => ((await json('landing')) as { landing: LandingView[] }).landing

/** The configuration of an isolated workspace whose agent is a script beside it. */
function configuration(landingLines = '', workspaceLines = '', rest = ''): string {
  return `[agent]\ncommand = ["sh", "../agent.sh"]\n[workspace]\nisolation = "worktree"\n${workspaceLines}\n[landing]\n${landingLines}\n${rest}`
}

const TASK =
  '## Tasks\n- [ ] greet | Write a greeting | required | verify: contains("greeting.txt", "hello")\n'
const DONE = `echo 'EXIT_SIGNAL: true'\n`

async function begin(files: Readonly<Record<string, string>>): Promise<void> {
  await cli.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text])))
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
}

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

describe('an isolated attempt', () => {
  test('lands by itself in mode auto: one commit with trailers, and the checked-out tree follows', async () => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "auto"'),
      'p/notes.txt': 'mine\n',
      'agent.sh': `echo hello > greeting.txt; ${DONE}`,
    })
    const before = git('rev-parse', 'HEAD')
    const report = await run()
    expect(report.attempts[0]).toMatchObject({ verdict: 'verified' })
    const [entry] = await landing()
    expect(entry).toMatchObject({ taskId: 'greet', state: 'landed', target: 'main' })
    expect(git('rev-parse', 'main')).toBe(entry?.commit)
    expect(git('rev-parse', 'main^{tree}')).toBe(entry?.tree)
    expect(git('rev-parse', 'main^')).toBe(before)
    expect(git('show', '-s', '--format=%(trailers:key=Pulseward-Attempt,valueonly)', 'main')).toBe(
      entry?.attemptId,
    )
    expect(git('status', '--porcelain')).toBe('')
    expect(await readFile(join(cli.root, 'p/greeting.txt'), 'utf8')).toBe('hello\n')
    expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  })
})
