import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { untilFilesAreLater } from '../testing/later-files.ts'
import { type Attempt, agentScript, firstAttempt } from '../testing/rigged-run.ts'

/* An agent without a sandbox can rig the checks of another workspace between that workspace's heartbeats. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  // One supervisor for both, which is realistic if one agent can reach the other's files.
  await cli.serve()
})
afterEach(() => cli.close())

const BROKEN = 'echo $(($1 - $2))\n'
const TEST = '[ "$(sh add.sh 1 2)" = 3 ]\n'

async function workspace(name: string, agent: string): Promise<void> {
  await cli.write({
    [`${name}/HEARTBEAT.md`]:
      '## Tasks\n- [ ] sum | Fix the sum | required | verify: succeeds("sh check.sh") | max_attempts: 9\n',
    [`${name}/pulseward.toml`]: `[agent]\ncommand = ["sh", "../${name}.sh"]\nsandbox = "off"\n[verification]\ncommands = ["sh check.sh"]\n`,
    [`${name}/add.sh`]: BROKEN,
    [`${name}/check.sh`]: 'set -e\nfor f in tests/*.sh; do . "./$f"; done\n',
    [`${name}/tests/sum.sh`]: TEST,
  })
  await agentOf(name, agent)
  await cli.run(['add', name, '--trust'])
}

const agentOf = (name: string, lines: string, status = 'done') =>
  cli.write({
    [`${name}.sh`]: agentScript(lines, { task_id: 'sum', status }),
  })

const heartbeat = (name: string): Promise<Attempt> => firstAttempt(cli, name, [])

async function bothBegun(): Promise<void> {
  await workspace('w', 'true')
  await agentOf('w', 'true', 'failed')
  await heartbeat('w')
  await workspace('v', 'true')
}

const notices = async (): Promise<string> => (await cli.run(['status', '--json', '--workspace', 'w'])).stdout
const FIX = `printf 'echo $(($1 + $2))\\n' > add.sh`

describe('a test changed by an agent of another workspace', () => {
  test('does not become the baseline: an attempt that passes with it is held, and its agent not accused', async () => {
    await bothBegun()
    await agentOf('v', 'echo true > ../w/tests/sum.sh')
    await heartbeat('v')
    await agentOf('w', 'date > work.txt')
    const attempt = await heartbeat('w')
    expect(attempt).toMatchObject({ verdict: 'unclear', points: 0, held: { files: ['tests/sum.sh'] } })
    expect(attempt.interventions.filter(({ severity }) => severity === 'critical')).toEqual([])
    expect(await notices()).toContain("while another workspace's agent was running")
  })

  test('does not affect an attempt that fixes the sum, because that passes with both', async () => {
    await bothBegun()
    await agentOf('v', 'echo true > ../w/tests/sum.sh')
    await heartbeat('v')
    await agentOf('w', FIX)
    expect(await heartbeat('w')).toMatchObject({ verdict: 'verified', points: 10, held: null })
  })

  test('counts once the operator approves it', async () => {
    await bothBegun()
    await agentOf('v', `echo '[ "$(sh add.sh 1 2)" = -1 ]' > ../w/tests/sum.sh`)
    await heartbeat('v')
    expect((await cli.run(['trust', 'w'])).exitCode).toBe(0)
    await agentOf('w', 'date > work.txt')
    expect(await heartbeat('w')).toMatchObject({ verdict: 'verified', held: null })
  })
})

test('a test that the operator changed afterwards becomes the baseline', async () => {
  await bothBegun()
  await heartbeat('v')
  await untilFilesAreLater(cli.root)
  await writeFile(join(cli.root, 'w/tests/sum.sh'), '[ "$(sh add.sh 1 2)" = -1 ]\n')
  await agentOf('w', 'date > work.txt')
  expect(await heartbeat('w')).toMatchObject({ verdict: 'verified', held: null })
})
