import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, REFUTED } from './testing/rigged-run.ts'

/* A gate that cannot be started on this machine is the operator's problem; the agent is not blamed for it. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

async function play(lines: string): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': '## Tasks\n- [ ] a | Do it | verify: changed("a.txt") | max_attempts: 1\n',
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[gates]\ncommands = [["no-such-gate"]]\n',
    'agent.sh': agentScript(lines, { task_id: 'a', status: 'done' }),
    'p/a.txt': 'one\n',
  })
  commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

it('costs an honest agent nothing, and tells the operator once why nothing runs', async () => {
  expect(await play('echo two >> a.txt')).toMatchObject({
    verdict: 'unclear',
    fault: 'environment',
    points: 0,
  })
  const { stdout } = await cli.run(['status', '--json', '--workspace', 'p'])
  const { needs, next, open } = JSON.parse(stdout) as {
    needs: { reason: string }[]
    next: { reason: string }
    open: unknown[]
  }
  const trouble = 'the gate `no-such-gate` could not run: no-such-gate was not found on PATH.'
  expect(needs.map(({ reason }) => reason)).toEqual([trouble.replace('the', 'The')])
  expect(next.reason).toMatch(/^Backing off until /)
  expect(next.reason).toContain(trouble)
  expect(open).toMatchObject([{ id: 'a', attempts: 0 }])
})

it('still rejects a false claim', async () => {
  expect(await play('true')).toMatchObject(REFUTED)
})
