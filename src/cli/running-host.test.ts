import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({
    'three/HEARTBEAT.md': '## Tasks\n\n- [ ] a | A\n',
    'three/pulseward.toml': '[agent]\ncommand = ["true"]\n',
  })
})

afterEach(() => cli.close())

const parse = (stdout: string) => JSON.parse(stdout)

describe('a command with a host running', () => {
  it.each([
    [['score'], { workspace: expect.stringMatching(/^one-/), score: 10, target: 50 }],
    [['history'], { history: [], targetFloor: 50, today: { score: 10 } }],
    [['feedback', 'up'], { delta: 3, score: 13 }],
    [['feedback', 'down', '--attempt', 'a-1', '--note', 'why'], { delta: -10, score: 0 }],
    [['list'], { workspaces: [{ name: 'one', path: expect.stringMatching(/\/one$/) }] }],
    [['add', 'three', '--trust'], { name: 'three', trust: 'approved' }],
    [['trust', 'one'], { state: 'approved' }],
    [['remove', 'one'], { removed: expect.stringMatching(/^one-/) }],
    [
      ['pause', '--until', '2099-03-02T18:00:00Z'],
      {
        name: 'one',
        paused: { until: expect.stringMatching(/^2099-03-0[123]T\d\d:\d\d:00\.000(Z|[+-]\d\d:\d\d)$/) },
      },
    ],
    [['pause'], { name: 'one', paused: { until: null } }],
    [['resume'], { name: 'one', paused: null }],
    [
      ['status'],
      {
        standing: { penalty: 'warning', reward: 'none' },
        open: [{ id: 'check_email', timeoutSeconds: 180 }],
        blocked: [{ id: 'draw_chart' }],
      },
    ],
    [['resume'], { name: 'one', lifted: [] }],
    [['blocked'], { tasks: [{ taskId: 'draw_chart', attempts: 1, maxAttempts: 1, history: { length: 3 } }] }],
    [
      ['blocked', '--suggest'],
      { tasks: [{ suggestion: { kind: 'increase_timeout', timeoutSeconds: 810 } }] },
    ],
    [
      ['unblock', 'draw_chart', '--timeout', '1800', '--reason', 'it needs more time'],
      { unblocked: [{ taskId: 'draw_chart', timeoutSeconds: 1800, maxAttempts: 1 }], refused: [] },
    ],
    [['unblock', 'draw_chart', '--timeout', '7200', '--force'], { unblocked: [{ timeoutSeconds: 7200 }] }],
    [['unblock', 'draw_chart', '--timeout-multiplier', '2'], { unblocked: [{ timeoutSeconds: 1620 }] }],
    [
      ['unblock', '--filter', 'ui_heavy', '--timeout-multiplier', '1.5'],
      { unblocked: [{ timeoutSeconds: 1215 }] },
    ],
    [['unblock', '--filter', 'ui_heavy', '--timeout', '900'], { unblocked: [{ timeoutSeconds: 900 }] }],
    [['unblock', '--filter', 'simple'], { unblocked: [], refused: [] }],
    [['retry-blocked'], { unblocked: [{ taskId: 'draw_chart' }], refused: [] }],
    [['interventions'], { events: [{ id: '4-0' }, { id: '8-0' }] }],
    [['interventions', '--last', '1'], { events: [{ id: '8-0' }] }],
    [['interventions', '--last', '1', '--reset'], { events: [] }],
    [
      ['note', 'Use tabs.', '--task', 'draw_chart'],
      { text: 'Use tabs.', taskId: 'draw_chart', deliveredIn: null },
    ],
    [
      ['profile', '--agent', 'agent'],
      { agent_id: 'agent', intervention_threshold_exceeded: expect.any(Boolean) },
    ],
    [['profile'], { agent_id: 'agent', total_iterations: expect.any(Number) }],
    [['metrics'], { total_interventions: expect.any(Number), interventions_by_type: expect.any(Object) }],
    [['token'], { token: expect.stringMatching(/^[\w-]{43}$/), pid: process.pid }],
  ])('%j asks the host and prints its answer', async (args, expected) => {
    await cli.serve('one')
    const { exitCode, stdout, stderr } = await cli.run([...args, '--json'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(parse(stdout)).toMatchObject(expected)
  })

  it.each([
    [['score'], /Score 10 of 50 \(warning\): 1 verified/],
    [['history'], /\d{4}-\d\d-\d\d {2}\+10 {2}of 50/],
    [['feedback', 'up'], /^\+3: the score is 13\.$/m],
    [['list'], /^one-\w+ {2}\/.*\/one /m],
    [['add', 'three'], /^Added \/.*three/],
    [['trust', 'one'], /^Approved \/.*\/one\/pulseward\.toml\.$/m],
    [['remove', 'one'], /no longer supervised/],
    [['pause'], /one is paused\./],
    [['resume'], /^one was neither paused nor suspended\./],
    [['status'], /check_email {2}attempt 0 of 3 {2}timeout 3 min \(2 min × 1\.5 for medium\)/],
    [['blocked'], /^draw_chart {2}1 of 1 attempts failed: /m],
    [['blocked'], /^ {2}\d\d:\d\d {2}timeout {4}6 min of 6 min {2}the agent ran into its timeout/m],
    [['blocked'], /^ {2}\d\d:\d\d {2}unblocked {2,}by operator: Try again$/m],
    [['blocked'], /^ {2}next timeout 13 min 30 s \(2 min × 3 for ui_heavy × 2\.25 after 2 timeouts\)$/m],
    [['blocked', '--suggest'], /increase_timeout: .*\n {2}pulseward unblock draw_chart --timeout 810$/],
    [
      ['unblock', 'draw_chart'],
      /^draw_chart is open again: 1 attempt, the next with timeout 13 min 30 s \(2 min/,
    ],
    [['unblock', '--filter', 'simple'], /^No simple task is blocked\.$/],
    [['retry-blocked'], /^draw_chart is open again/],
    [['interventions', '--last', '1'], /^\d\d:\d\d {2}cycle \d+ {2}[a-z_]+ {2}draw_chart/],
    [['profile'], /^agent\n[\s\S]* no files count +\d/],
    [['metrics'], /^\d+ interventions, [\d.]+ in 100 cycles/],
    [['token'], /^[\w-]{43}$/],
  ])('%j prints a readable answer', async (args, words) => {
    await cli.serve('one')
    const { exitCode, stdout } = await cli.run(args)
    expect(exitCode).toBe(0)
    expect(stdout.trimEnd()).toMatch(words)
  })

  it.each([
    [['score'], /There are several workspaces: name one with --workspace DIR\. Known: \/.*\/one, \/.*\/two/],
    [['score', '--workspace', 'three'], /three is no workspace\. Known/],
    [['remove', 'three'], /three is no workspace\. Known/],
    [
      ['overrule', 'zzz', '--verdict', 'verified', '--reason', 'x', '--workspace', 'one'],
      /There is no attempt "zzz"/,
    ],
    [['add', 'missing'], /There is no folder/],
    [['unblock', 'check_email', '--workspace', 'one'], /check_email is not blocked/],
    [['unblock', 'nothing', '--workspace', 'one'], /had no task "nothing"/],
    [
      ['unblock', 'draw_chart', '--timeout', '86401', '--workspace', 'one'],
      /^pulseward: --timeout is "86401"; expected a whole number from 1 to 86,400/,
    ],
    [
      ['unblock', 'draw_chart', '--timeout', '7200', '--workspace', 'one'],
      /2 h is longer than max_timeout allows \(1 h\).*--force/,
    ],
    [
      ['unblock', '--filter', 'ui_heavy', '--timeout-multiplier', '99', '--workspace', 'one'],
      /longer than max_timeout allows/,
    ],
    [['profile', '--agent', 'other', '--workspace', 'one'], /No agent "other"/],
    ...['soon', '5', '-1', '2099', '18:00', '2000-01-01T00:00:00Z', '2099-02-31T00:00Z'].map(
      (until): [string[], RegExp] => [
        ['pause', `--until=${until}`, '--workspace', 'one'],
        /: until is "[^"]+"; expected a time to come in ISO 8601/,
      ],
    ),
  ])('%j exits with 2 and the host’s message if it refuses', async (args, words) => {
    await cli.serve('one', 'two')
    const { exitCode, stdout, stderr } = await cli.run(args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/^pulseward: [^\n]+\n$/)
    expect(stderr).toMatch(words)
  })

  it('retry exits with 1 if the task may not be retried', async () => {
    const host = await cli.serve('one')
    await host.client.tasks.retryBlocked({})
    await host.client.heartbeat.run({})
    const { exitCode, stdout } = await cli.run(['retry-blocked', '--max-attempts', '5'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^draw_chart stays blocked\. It has been retried once already/)
  })

  it('resume ends a suspension or a pause, and says which', async () => {
    await cli.serve('held')
    expect((await cli.run(['status'])).stdout).toMatch(/^Suspended since .*: \S/m)
    expect(parse((await cli.run(['status', '--json'])).stdout).suspended).toMatchObject({
      reason: expect.any(String),
    })
    await cli.run(['pause'])
    const { exitCode, stdout } = await cli.run(['resume', '--reason', 'Looked at it'])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^held resumed: ended the suspension and the pause\./),
    })
    expect(parse((await cli.run(['resume', '--json'])).stdout)).toMatchObject({
      lifted: [],
      suspended: null,
      paused: null,
    })
  })

  it('finds no workspace if there is none', async () => {
    await cli.serve()
    expect(await cli.run(['score'])).toMatchObject({
      exitCode: 2,
      stderr: 'pulseward: There is no workspace yet. Add a folder with `pulseward add DIR`.\n',
    })
    expect((await cli.run(['list'])).stdout).toContain('No workspace yet')
  })

  it('run waits for the heartbeat’s report', async () => {
    await cli.serve('one')
    const { exitCode, stdout } = await cli.run(['run', '--once', '--json'])
    expect(exitCode).toBe(1)
    expect(parse(stdout)).toMatchObject({ cycle: 3, attempts: [{ taskId: 'check_email' }] })
  })

  it('run can be interrupted, and the host’s heartbeat continues', async () => {
    const host = await cli.serve('slow')
    const interrupted = new AbortController()
    const running = cli.run(['run', '--once'], { signal: interrupted.signal })
    const isRunning = async () => (await host.client.workspaces.list())[0]?.running !== null
    await expect.poll(isRunning).toBe(true)
    interrupted.abort()
    expect(await running).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('Interrupted') })
    expect(await isRunning()).toBe(true)
  })
})

describe('serve', () => {
  it('names the other host that owns the data folder, and its address', async () => {
    const owner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    try {
      await mkdir(cli.dataDirectory)
      await writeFile(
        join(cli.dataDirectory, 'lock'),
        JSON.stringify({ pid: owner.pid, start: null, nonce: 'another' }),
      )
      const { exitCode, stderr } = await cli.run(['serve'])
      expect(exitCode).toBe(3)
      expect(stderr).toContain(`process ${owner.pid}`)
    } finally {
      owner.kill('SIGKILL')
    }
  })
})
