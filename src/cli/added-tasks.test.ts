import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { agentScript, attemptsOf } from './testing/rigged-run.ts'

/* Added tasks cost attempts. Some agents add thousands that the operator never wanted; others were asked to write a plan. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const LONG_MS = 120_000

/** Runs the agent once, for all open tasks. */
async function workspace(act: string, added = ''): Promise<void> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] plan | Write the plan | verify: exists("plan.md")\n${added}`,
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[heartbeat]\nsession = "cycle"\n[interventions]\nenabled = false\n',
    'agent.sh': agentScript(`echo plan > plan.md\n${act}`, { task_id: 'plan', status: 'done' }),
  })
  await cli.run(['trust', 'p'])
}

const adds = (count: number) =>
  `[ -e added ] || { seq ${count} | sed 's/.*/- [ ] t& | More work | verify: exists("t&")/' >> HEARTBEAT.md; touch added; }`

const named = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `t${from + index}`)

const heartbeat = () => attemptsOf(cli, 'p', [])

async function notices(): Promise<readonly { code: string; message: string }[]> {
  const { stdout } = await cli.run(['status', '--json', '--workspace', 'p'])
  return JSON.parse(stdout).notices
}

const leftOut = async () => (await notices()).filter(({ code }) => code === 'tasks-left-out')

describe('an agent', { timeout: LONG_MS }, () => {
  test('that adds a hundred tasks gets twenty of them tried per heartbeat, in turn, and the operator is notified', async () => {
    await workspace(adds(100))
    await heartbeat()
    const first = await heartbeat()
    expect(first.map(({ taskId }) => taskId)).toEqual(['plan', ...named(1, 20)])
    const second = await heartbeat()
    expect(second.map(({ taskId }) => taskId)).toEqual(['plan', ...named(21, 40)])
    expect(
      [...first, ...second].filter(({ taskId }) => taskId !== 'plan').every(({ points }) => points <= 0),
    ).toBe(true)
    expect(await leftOut()).toMatchObject([
      { message: expect.stringMatching(/^100 tasks that agents added/) },
    ])
    // The operator's answer ends it.
    await writeFile(
      join(cli.root, 'p/HEARTBEAT.md'),
      '## Tasks\n- [ ] plan | Write it | verify: exists("plan.md")\n',
    )
    expect(await heartbeat()).toHaveLength(1)
    expect(await leftOut()).toEqual([])
  })

  test('that adds thousands does not stop heartbeats: none of them counts, and the operator is notified', async () => {
    await workspace(adds(3_000))
    await heartbeat()
    expect((await heartbeat()).map(({ taskId }) => taskId)).toEqual(['plan'])
    expect(await leftOut()).toMatchObject([
      { message: expect.stringMatching(/^3000 tasks that agents added/) },
    ])
  })

  test('that plans five gets them all tried, with no notification about excess tasks', async () => {
    await workspace(adds(5))
    await heartbeat()
    expect(await heartbeat()).toHaveLength(6)
    expect(await leftOut()).toEqual([])
  })
})

test('an operator has as many tasks as they like', { timeout: LONG_MS }, async () => {
  const own = Array.from(
    { length: 60 },
    (_, index) => `- [ ] own${index} | Work | verify: exists("plan.md")\n`,
  )
  await workspace('', own.slice(0, 30).join(''))
  expect(await heartbeat()).toHaveLength(31)
  const contract = join(cli.root, 'p/HEARTBEAT.md')
  await writeFile(contract, (await readFile(contract, 'utf8')) + own.slice(30).join(''))
  expect(await heartbeat()).toHaveLength(61)
  expect(await leftOut()).toEqual([])
})

test('an operator whose contract is too large to be recorded gets a readable error', {
  timeout: LONG_MS,
}, async () => {
  const own = Array.from(
    { length: 9_000 },
    (_, index) => `- [ ] own${index} | Work | verify: exists("plan.md")\n`,
  )
  await workspace('', own.join(''))
  const { exitCode, stderr } = await cli.run(['run', '--once', '--workspace', 'p'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('HEARTBEAT.md asks for more than one heartbeat can record: 9001 tasks')
})
