import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import {
  type Attempt,
  agentScript,
  commitAll,
  firstAttempt,
  HELD,
  PAID,
  REFUTED,
} from './testing/rigged-run.ts'

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

describe('a gate whose script the agent takes away is run as it was', () => {
  const rig = async (lines: string, sandbox: string): Promise<Attempt> => {
    await cli.write({
      'p/HEARTBEAT.md': '## Tasks\n- [ ] a | Do it | verify: changed("a.txt") | max_attempts: 1\n',
      'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "${sandbox}"\n[gates]\ncommands = [["./check.sh"]]\n`,
      'agent.sh': agentScript(lines, { task_id: 'a', status: 'done' }),
      'p/a.txt': 'one\n',
      'p/check.sh': '#!/bin/sh\n! grep -q bad a.txt\n',
    })
    chmodSync(join(cli.root, 'p/check.sh'), 0o755)
    commitAll(join(cli.root, 'p'))
    return firstAttempt(cli)
  }

  it.each(
    ['auto', 'off'].flatMap((sandbox) => [
      ['deleted, with broken work', sandbox, 'echo bad >> a.txt; rm check.sh', HELD],
      ['not executable, with broken work', sandbox, 'echo bad >> a.txt; chmod -x check.sh', HELD],
      ['deleted, with good work', sandbox, 'echo two >> a.txt; rm check.sh', PAID],
    ]),
  )('%s (sandbox: %s)', async (_name, sandbox, lines, expected) => {
    expect(await rig(String(lines), String(sandbox))).toMatchObject(
      expected === HELD ? { ...HELD, held: { cleanRoom: { verdict: 'not_verified' } } } : expected,
    )
  })
})
