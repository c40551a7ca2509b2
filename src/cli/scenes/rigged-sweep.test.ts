import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BlockedTask } from '../../core/read-model/blocked-task.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { agentScript, firstAttempt } from '../testing/rigged-run.ts'

/* A blocked task is measured again without an agent: what passes only by what an agent did to the check is not done. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.serve()
})
afterEach(() => cli.close())

/** The finding of a task that an agent worked at once, did not finish, and is blocked since. */
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

test('a criterion that passes by a check which the agent replaced is not done', async () => {
  expect(await sweptAfter('echo "echo 0" > check.sh')).toMatchObject({
    holds: false,
    reason: '`exists("out.txt")` and `wrong == 0` pass only because an attempt changed the check: check.sh',
  })
})

test('one that the agent’s work makes pass is done', async () => {
  expect(await sweptAfter('echo 3 > out.txt')).toMatchObject({ holds: true })
})

test('one that passes by a check which the task may change is done', async () => {
  const swept = await sweptAfter('echo "echo 0" > check.sh', { fields: ' | may_change: check.sh' })
  expect(swept).toMatchObject({ holds: true })
})

test('one that passes by a check which the operator corrected since is done', async () => {
  const swept = await sweptAfter('true', { ofOperator: { 'p/check.sh': 'echo 0\n' } })
  expect(swept).toMatchObject({ holds: true })
})

test('one that fails, though the agent changed its check, is open for what it measures', async () => {
  expect(await sweptAfter('echo "echo 1" > check.sh')).toMatchObject({
    holds: false,
    reason: 'criterion "which is right": `wrong == 0` fails',
  })
})
