import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BlockedTask } from '../../core/read-model/blocked-task.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { agentScript, firstAttempt } from '../testing/rigged-run.ts'

/* Blocked tasks are measured again without an agent. A check that passes only because an agent changed it does not count as done. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.serve()
})
afterEach(() => cli.close())

/** Returns the new measurement of a task that an agent attempted once, did not finish, and that has been blocked since. */
async function sweptAfter(
  agent: string,
  { fields = '', ofOperator = {} }: { fields?: string; ofOperator?: Record<string, string> } = {},
): Promise<BlockedTask['swept']> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks
- [ ] sum | Write the sum | verify: exists("out.txt") | max_attempts: 1${fields}
  - [ ] which is right | verify: wrong == 0
`,
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[probes.wrong]\ncommand = ["sh", "check.sh"]\nparse = "number"\n',
    'p/check.sh': 'grep -c -v "^3$" out.txt\ntrue\n',
    'p/out.txt': '2\n',
    'agent.sh': agentScript(agent, { task_id: 'sum', status: 'failed' }),
  })
  await cli.run(['add', 'p', '--trust'])
  await firstAttempt(cli, 'p', [])
  await cli.write(ofOperator)
  const { stdout } = await cli.run(['blocked', '--suggest', '--json', '--workspace', 'p'])
  const { tasks } = JSON.parse(stdout) as { tasks: readonly BlockedTask[] }
  return tasks[0]?.swept ?? null
}

test('a criterion that passes because the agent replaced its check is not done', async () => {
  expect(await sweptAfter('echo "echo 0" > check.sh')).toMatchObject({
    holds: false,
    reason: '`exists("out.txt")` and `wrong == 0` pass only because an attempt changed the check: check.sh',
  })
})

test('a criterion that passes because of the agent’s work is done', async () => {
  expect(await sweptAfter('echo 3 > out.txt')).toMatchObject({ holds: true })
})

test('a criterion that passes with a check which the task may change is done', async () => {
  const swept = await sweptAfter('echo "echo 0" > check.sh', { fields: ' | may_change: check.sh' })
  expect(swept).toMatchObject({ holds: true })
})

test('a criterion that passes with a check which the operator has since corrected is done', async () => {
  const swept = await sweptAfter('true', { ofOperator: { 'p/check.sh': 'echo 0\n' } })
  expect(swept).toMatchObject({ holds: true })
})

test('a criterion that fails although the agent changed its check is reported as failing', async () => {
  expect(await sweptAfter('echo "echo 1" > check.sh')).toMatchObject({
    holds: false,
    reason: 'criterion "which is right": `wrong == 0` fails',
  })
})
