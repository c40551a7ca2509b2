import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { agentScript, firstAttempt } from '../testing/rigged-run.ts'

/* When a measurement decides not to run an agent, a check that an agent tampered with does not justify skipping it. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

/** `agent`: the agent's shell lines; its report says `failed`. */
async function heartbeat(agent: string): Promise<void> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] sum | Fix the sum | required | verify: succeeds("sh check.sh") | max_attempts: 1\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[verification]\ncommands = ["sh check.sh"]\n`,
    'p/add.sh': 'echo $(($1 - $2))\n',
    'p/check.sh': 'set -e\n[ "$(sh add.sh 1 2)" = 3 ]\n',
    'agent.sh': agentScript(agent, { task_id: 'sum', status: 'failed' }),
  })
  expect(await firstAttempt(cli)).toMatchObject({ verdict: 'not_verified' })
}

const FIX = "printf 'echo $(($1 + $2))\\n' > add.sh"

test('does not offer a blocked task as done if an agent emptied its check', async () => {
  await heartbeat("printf 'true\\n' > check.sh")
  const { stdout } = await cli.run(['blocked', '--suggest', '--workspace', 'p'])
  expect(stdout).not.toContain('already_done')
  expect(stdout).toContain('sum')
})

test('offers a blocked task as done if it was fixed after all, with a stricter check', async () => {
  await heartbeat(`${FIX}; echo '[ "$(sh add.sh 2 2)" = 4 ]' >> check.sh`)
  const { stdout } = await cli.run(['blocked', '--suggest', '--workspace', 'p'])
  expect(stdout).toContain('already_done')
})
