import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * Runs commands one after the other as an operator would, each with a separate host over the same folders.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})

afterEach(() => cli.close())

/** Stores its prompt, hangs while a file `slow` exists, and does nothing that it claims. */
const AGENT = `
prompt=$(cat)
printf '%s' "$prompt" > ../prompt.txt
if [ -e slow ]; then sleep 60; fi
for id in draw_chart write_note; do
  case "$prompt" in *"## Task $id"*) break ;; esac
done
printf '\`\`\`heartbeat-report\\n{"task_id": "%s", "status": "%s", "files": ["%s.txt"]}\\n\`\`\`\\n' "$id" "$(cat status)" "$id"
`

async function writeWorkspace(tasks: string, toml: string, status: string): Promise<void> {
  await cli.write({
    'w/HEARTBEAT.md': `## Tasks\n${tasks}`,
    'w/agent.sh': AGENT,
    'w/status': status,
    'w/pulseward.toml': `[agent]\nid = "sh"\ncommand = ["sh", "agent.sh"]\n${toml}`,
  })
}

/** Runs a command about the workspace, and returns its exit code and JSON document. */
async function ask(...args: string[]) {
  const { exitCode, stdout, stderr } = await cli.run([...args, '--json', '--workspace', 'w'])
  return { exitCode, stderr, document: stdout === '' ? null : JSON.parse(stdout) }
}

it('a task blocked by its timeout is listed with a suggestion, unblocked, and tried with the given timeout', async () => {
  await writeWorkspace(
    '- [ ] draw_chart | Draw the Chart | verify: exists("chart.svg") | max_attempts: 1\n',
    '[adaptive_timeout]\ncomplexity_scaling = false\nmode_timeout = 1\nmin_timeout = 1\n',
    'failed',
  )
  await cli.write({ 'w/slow': '' })
  expect((await ask('run', '--once', '--trust')).exitCode).toBe(1)
  await rm(join(cli.root, 'w/slow'))

  const { document: listed } = await ask('blocked', '--suggest')
  expect(listed.tasks).toMatchObject([
    {
      taskId: 'draw_chart',
      level: 'ui_heavy',
      attempts: 1,
      maxAttempts: 1,
      history: [{ kind: 'attempt', outcome: 'timeout', timeoutSeconds: 1 }],
      suggestion: { kind: 'increase_timeout', timeoutSeconds: 2 },
    },
  ])
  expect((await ask('status')).document).toMatchObject({
    suspended: null,
    open: [],
    blocked: [{ id: 'draw_chart', timeoutSeconds: 1, timeoutReason: '1 s × 1.5 after 1 timeout' }],
  })
  expect((await ask('run', '--once')).document.attempts).toEqual([])

  expect(
    await ask('unblock', 'draw_chart', '--timeout', '77', '--reason', 'it is a large chart'),
  ).toMatchObject({
    exitCode: 0,
    document: { unblocked: [{ taskId: 'draw_chart', timeoutSeconds: 77 }] },
  })
  expect((await ask('unblock', 'draw_chart')).exitCode).toBe(2)
  expect((await ask('run', '--once')).document.attempts).toMatchObject([
    { taskId: 'draw_chart', outcome: 'completed', verdict: 'not_verified', timeoutSeconds: 77 },
  ])
  expect((await ask('blocked')).document.tasks[0].history).toMatchObject([
    { kind: 'attempt', timeoutSeconds: 77 },
    { kind: 'unblock', by: 'operator', reason: 'it is a large chart', timeoutSeconds: 77 },
    { kind: 'attempt', outcome: 'timeout' },
  ])

  await cli.write({ 'w/chart.svg': '<svg/>' })
  expect((await ask('blocked', '--suggest')).document.tasks).toMatchObject([
    { suggestion: { kind: 'already_done' }, swept: { holds: true } },
  ])
  expect(await ask('retry-blocked', '--max-attempts', '2')).toMatchObject({
    exitCode: 0,
    document: { unblocked: [{ taskId: 'draw_chart', maxAttempts: 2 }], refused: [] },
  })
  expect((await ask('blocked')).document).toEqual({ tasks: [] })
})

it('an agent that keeps making false claims is suspended until the operator resumes', async () => {
  await writeWorkspace(
    '- [ ] write_note | Write the note | verify: exists("n") | max_attempts: 9\n',
    '',
    'done',
  )
  await ask('run', '--once', '--trust')
  expect((await ask('interventions')).document.events).toMatchObject([
    { event_type: 'no_files_detected', severity: 'critical', iteration: 1, task_id: 'write_note' },
    { event_type: 'evidence_validation_failed', severity: 'warning' },
    { event_type: 'false_completion_detected', severity: 'critical', remediation: 'pending' },
  ])
  let runs = 1
  while ((await ask('status')).document.suspended === null) {
    expect(++runs).toBeLessThan(6)
    await ask('run', '--once')
  }
  const refused = await ask('run', '--once')
  expect(refused).toMatchObject({ exitCode: 2, document: { error: { code: 'CONFLICT' } } })
  expect(refused.stderr).toContain('pulseward resume')
  expect((await ask('profile', '--agent', 'sh')).document).toMatchObject({
    agent_id: 'sh',
    total_iterations: runs,
    no_files_count: runs,
    false_completion_count: runs,
    intervention_threshold_exceeded: true,
  })
  const { stdout } = await cli.run(['profile', '--workspace', 'w'])
  expect(stdout).toMatch(/The circuit breaker has tripped \(.+\): the workspace waits for your review\./)
  expect(stdout).toMatch(/intervention history: the last 5 of \d+\n +\S.*cycle \d+ +\w+ +write_note/)
  expect(stdout).not.toContain('[object')
  const { document: metrics } = await ask('metrics')
  expect(metrics.interventions_by_type).toMatchObject({ no_files_detected: runs })
  expect(metrics.total_interventions).toBe((await ask('interventions')).document.events.length)

  expect((await ask('resume', '--reason', 'Looked at it')).document).toMatchObject({
    lifted: ['suspension'],
    suspended: null,
  })
  expect((await ask('run', '--once')).document.cycle).toBe(runs + 1)
  const { document: after } = await ask('interventions', '--last', '1', '--reset')
  expect(after.events).toEqual([])
  expect((await ask('interventions', '--last', '1', '--restore')).document.events).toHaveLength(1)
  await ask('interventions', '--reset')
  expect((await ask('profile')).document).toMatchObject({ agent_id: 'sh', total_iterations: 0 })
})

it('a task that waits because its check can’t be run is open again after unblocking', async () => {
  await writeWorkspace('- [ ] count | Count the mails | verify: mails > 3\n', '', 'done')
  for (let times = 0; times < 3; times += 1)
    expect((await ask('run', '--once', '--trust')).document.attempts).toMatchObject([
      { verdict: 'unclear', fault: 'contract', points: 0 },
    ])
  expect((await ask('run', '--once')).document.attempts).toEqual([])
  expect((await ask('blocked')).document.tasks).toEqual([])
  expect(await ask('unblock', 'count')).toMatchObject({
    exitCode: 0,
    document: { unblocked: [{ taskId: 'count', maxAttempts: 3 }] },
  })
  expect((await ask('run', '--once')).document.attempts).toMatchObject([{ taskId: 'count' }])
})

it('a timeout above the configured limit is warned about, and needs --force', async () => {
  await writeWorkspace('- [ ] a | Make a | verify: exists("a") | max_attempts: 1\n', '', 'failed')
  await ask('run', '--once', '--trust')
  const refused = await ask('unblock', 'a', '--timeout', '3601')
  expect(refused).toMatchObject({ exitCode: 2, document: { error: { code: 'BAD_REQUEST' } } })
  expect((await ask('blocked')).document.tasks).toMatchObject([{ taskId: 'a' }])
  const forced = await cli.run(['unblock', 'a', '--timeout', '3601', '--force', '--workspace', 'w'])
  expect(forced).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('longer than max_timeout (1 h)'),
  })
})
