import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlockedTask } from '../../core/read-model/blocked-task.ts'
import { systemClock } from '../host/system-clock.ts'
import { createHost, type Host } from '../host.ts'

/*
 * The complete sequence, with a real host and a real agent program: tasks get blocked, checked by a sweep, unblocked and tried again.
 */

/** Does no work: hangs at the chart while a file `slow` exists, and reports failure for everything else. */
const AGENT = `
prompt=$(cat)
for id in draw_chart check_mail read_notes tidy; do
  case "$prompt" in *"$id"*) break ;; esac
done
if [ "$id" = draw_chart ] && [ -e slow ]; then sleep 60; fi
printf '\`\`\`heartbeat-report\\n{"task_id": "%s", "status": "failed"}\\n\`\`\`\\n' "$id"
`

const CONTRACT = `## Tasks
- [ ] draw_chart | Draw the Chart | required | verify: exists("chart.svg") | max_attempts: 1
- [ ] check_mail | Fix the mail | required | verify: exists("mail.txt") | max_attempts: 1
- [ ] read_notes | Read the notes | required | verify: exists("notes.txt") | max_attempts: 1
- [ ] tidy | Tidy up | optional | verify: exists("tidy.txt")
`

const CONFIG = `[agent]
command = ["sh", "agent.sh"]

[adaptive_timeout]
complexity_scaling = false
mode_timeout = 2
min_timeout = 1
`

describe('blocked tasks', () => {
  let root: string
  let directory: string
  let host: Host
  const blockedIds = async (): Promise<string[]> =>
    (await host.client.tasks.blocked({})).map(({ taskId }) => taskId)
  const find = async (taskId: string): Promise<BlockedTask | undefined> =>
    (await host.client.tasks.blocked({})).find((task) => task.taskId === taskId)

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'pulseward-blocked-'))
    directory = join(root, 'workspace')
    await mkdir(directory)
    await writeFile(join(directory, 'agent.sh'), AGENT)
    await writeFile(join(directory, 'HEARTBEAT.md'), CONTRACT)
    await writeFile(join(directory, 'pulseward.toml'), CONFIG)
    await writeFile(join(directory, 'slow'), '')
    host = await createHost({
      dataDirectory: join(root, 'data'),
      version: '0.0.0',
      clock: systemClock,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      notifier: { notify: () => {} },
      pageDirectory: null,
      sampleDirectory: root,
      port: 0,
      scheduled: false,
    })
    await host.client.workspaces.add({ path: directory, trust: true })
    await host.client.heartbeat.run({ wait: true })
    await rm(join(directory, 'slow'))
  })
  afterAll(async () => {
    await host?.stop()
    await rm(root, { recursive: true, force: true })
  })

  it('are listed with their reason, their history and what to do', async () => {
    expect(await blockedIds()).toEqual(['draw_chart', 'check_mail', 'read_notes'])
    expect(await find('draw_chart')).toMatchObject({
      description: 'Draw the Chart',
      level: 'ui_heavy',
      reason: '1 of 1 attempts failed: 1 timeout (2 s)',
      attempts: 1,
      maxAttempts: 1,
      history: [{ kind: 'attempt', outcome: 'timeout', verdict: 'not_verified', timeoutSeconds: 2 }],
      suggestion: { kind: 'increase_timeout', timeoutSeconds: 3 },
      swept: null,
      nextTimeoutSeconds: 3,
      nextTimeoutReason: '2 s × 1.5 after 1 timeout',
      autoUnblocks: 0,
    })
    expect(await find('check_mail')).toMatchObject({
      level: 'simple',
      reason: '1 of 1 attempts failed: 1 not verified',
      suggestion: { kind: 'manual_review', timeoutSeconds: null },
    })
    expect(await host.client.tasks.list({})).toMatchObject([
      { id: 'draw_chart', blocked: true, timeoutSeconds: 3, complexity: 'ui_heavy' },
      { id: 'check_mail', blocked: true, timeoutSeconds: 2 },
      { id: 'read_notes', blocked: true },
      { id: 'tidy', blocked: false, status: 'failed' },
    ])
  })

  it('are listed without suggestions if those are not requested', async () => {
    for (const task of await host.client.tasks.blocked({ suggest: false })) expect(task.suggestion).toBeNull()
  })

  it('whose check passes now are found by a sweep, and offered for unblocking', async () => {
    await writeFile(join(directory, 'mail.txt'), 'here')
    expect(await host.client.tasks.sweep({})).toEqual([
      { taskId: 'draw_chart', holds: false, reason: '`exists("chart.svg")` fails' },
      { taskId: 'check_mail', holds: true, reason: '`exists("mail.txt")` passes now' },
      { taskId: 'read_notes', holds: false, reason: '`exists("notes.txt")` fails' },
    ])
    expect(await find('check_mail')).toMatchObject({
      swept: { holds: true },
      suggestion: { kind: 'already_done' },
    })
  })

  it.each([
    [
      'tidy',
      'CONFLICT',
      /^tidy is not blocked: it is failed with 1 of 3 attempts used\. Blocked are draw_chart/,
    ],
    ['nothing', 'NOT_FOUND', /^The last heartbeat had no task "nothing"\./],
    ['__proto__', 'NOT_FOUND', /__proto__/],
  ])('are the only ones that can be unblocked: %s is refused', async (taskId, code, message) => {
    await expect(host.client.tasks.unblock({ id: taskId })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })

  it('are unblocked one by one, with reason and timeout, and are open afterwards', async () => {
    const answer = await host.client.tasks.unblock({
      id: 'check_mail',
      reason: 'It is there',
      timeoutSeconds: 30,
    })
    expect(answer).toMatchObject({
      taskId: 'check_mail',
      level: 'simple',
      timeoutSeconds: 30,
      maxAttempts: 1,
    })
    expect(await find('check_mail')).toBeUndefined()
    const tasks = await host.client.tasks.list({})
    expect(tasks[1]).toMatchObject({ status: 'pending', attempts: 0, blocked: false, timeoutSeconds: 30 })
    await expect(host.client.tasks.unblock({ id: 'check_mail' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^check_mail is not blocked: it is pending\./),
    })
  })

  it('are unblocked by complexity level, each with a multiple of its planned timeout', async () => {
    expect(await host.client.tasks.unblockLevel({ filter: 'complex' })).toEqual({
      unblocked: [],
      refused: [],
    })
    expect(await host.client.tasks.unblockLevel({ filter: 'medium', timeoutMultiplier: 2.5 })).toMatchObject({
      unblocked: [{ taskId: 'read_notes', timeoutSeconds: 5 }],
    })
    expect(await blockedIds()).toHaveLength(1)
  })

  it('are tried again in the next cycle, and those that fail are blocked again with their history', async () => {
    const report = await host.client.heartbeat.run({ wait: true })
    expect(report?.attempts).toMatchObject([
      { taskId: 'check_mail', timeoutSeconds: 30 },
      { taskId: 'read_notes', timeoutSeconds: 5 },
      { taskId: 'tidy', timeoutSeconds: 2 },
    ])
    expect(await find('check_mail')).toMatchObject({
      reason: '1 of 1 attempts failed: 1 not verified',
      history: [
        { kind: 'attempt' },
        { kind: 'unblock', by: 'operator', reason: 'It is there', timeoutSeconds: 30 },
        { kind: 'attempt' },
      ],
      nextTimeoutSeconds: 2,
    })
  })

  it('are retried together once each, and refused with the reason after that', async () => {
    const retried = await host.client.tasks.retryBlocked({ maxAttempts: 2 })
    expect(retried).toMatchObject({
      unblocked: [{ taskId: 'draw_chart' }, { taskId: 'check_mail' }, { taskId: 'read_notes' }],
      refused: [],
    })
    await host.client.heartbeat.run({ wait: true })
    expect(await blockedIds()).toEqual(['tidy'])
    await host.client.heartbeat.run({ wait: true })
    expect(await find('read_notes')).toMatchObject({ attempts: 2, maxAttempts: 2, autoUnblocks: 1 })

    const refused = await host.client.tasks.retryBlocked({})
    expect(refused.unblocked.map(({ taskId }) => taskId)).toEqual(['tidy'])
    expect(refused.refused).toEqual(
      ['draw_chart', 'check_mail', 'read_notes'].map((taskId) => ({
        taskId,
        reason: expect.stringMatching(/^It has been retried once already \(max_auto_unblock_attempts = 1\)/),
      })),
    )
  })

  it('are in the progress document unchanged', async () => {
    const [workspace] = await host.client.workspaces.list()
    const file = join(root, 'data', 'workspaces', workspace?.id ?? '', 'heartbeat-progress.json')
    await expect
      .poll(async () => JSON.parse(await readFile(file, 'utf8')).tasks.read_notes)
      .toMatchObject({ status: 'failed', attempts: 2, maxAttempts: 2 })
  })

  it('are unblocked one by one with a multiple of the planned timeout, or by level with one timeout for all', async () => {
    expect(await find('draw_chart')).toMatchObject({ nextTimeoutSeconds: 3 })
    expect(await host.client.tasks.unblock({ id: 'draw_chart', timeoutMultiplier: 2.5 })).toMatchObject({
      taskId: 'draw_chart',
      timeoutSeconds: 7,
    })
    expect(await host.client.tasks.unblockLevel({ filter: 'medium', timeoutSeconds: 44 })).toMatchObject({
      unblocked: [{ taskId: 'read_notes', timeoutSeconds: 44 }],
    })
    expect(await host.client.tasks.list({})).toMatchObject([
      { id: 'draw_chart', status: 'pending', timeoutSeconds: 7 },
      { id: 'check_mail', blocked: true },
      { id: 'read_notes', status: 'pending', timeoutSeconds: 44 },
      {},
    ])
  })
})
