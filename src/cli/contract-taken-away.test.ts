import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * A missing contract: if an agent removed it, its tasks stay, run and are shown until the operator has answered; if the operator did, there
 * are none.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const CONTRACT = '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt") | max_attempts: 9\n'

async function workspace(does: string): Promise<void> {
  await cli.write({
    'w/HEARTBEAT.md': CONTRACT,
    'w/agent.sh': `cat > /dev/null\n${does}\nprintf '%s\\n' '\`\`\`heartbeat-report' '{"task_id":"fix","status":"done"}' '\`\`\`'\n`,
    'w/pulseward.toml': '[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "off"\n',
  })
  await cli.run(['trust', 'w'])
}

const heartbeat = (...options: string[]) =>
  cli.run(['run', '--once', ...options, '--json', '--workspace', 'w'])

/** Returns from `status` what needs attention, the open tasks and the findings. */
async function shown(): Promise<{ needs: unknown[]; tasks: string[]; findings: string[] }> {
  const { needs, open, notices } = JSON.parse(
    (await cli.run(['status', '--json', '--workspace', 'w'])).stdout,
  ) as { needs: { kind: string }[]; open: { id: string }[]; notices: { code: string }[] }
  for (const need of needs) expect(Object.keys(need)).toEqual(['kind', 'workspace', 'id', 'reason', 'action'])
  return {
    needs: needs.map(({ kind }) => kind),
    tasks: open.map(({ id }) => id),
    findings: notices.map(({ code }) => code),
  }
}

describe('a contract that the agent removed', () => {
  it.each([
    ['deleted', 'rm HEARTBEAT.md'],
    ['replaced with a folder', 'rm -r HEARTBEAT.md; mkdir HEARTBEAT.md'],
    [
      'left out of a recreated folder',
      'cp -r ../w ../kept; rm -rf ../w; mkdir ../w; rm ../kept/HEARTBEAT.md; cp ../kept/* ../w',
    ],
  ])('and %s: its tasks run and are shown, whether approved again or not', async (_how, does) => {
    await workspace(does)
    await heartbeat()
    expect(await shown()).toEqual({ needs: ['proposal'], tasks: ['fix'], findings: [] })
    for (const options of [[], ['--trust']])
      expect(JSON.parse((await heartbeat(...options)).stdout)).toMatchObject({
        attempts: [{ taskId: 'fix', verdict: 'not_verified' }],
      })
  })
})

it('a whole folder that vanished while the agent ran is no proposal, and works as before once it is restored', async () => {
  await workspace('echo done > fixed.txt; cp -r ../w ../kept; rm -rf ../w')
  await heartbeat()
  expect((await shown()).needs).toEqual(['contract-unreadable'])
  const { proposals } = JSON.parse((await cli.run(['proposals', '--json', '--workspace', 'w'])).stdout)
  expect(proposals).toEqual([])
  await rename(join(cli.root, 'kept'), join(cli.root, 'w'))
  expect(await shown()).toMatchObject({ needs: [], tasks: ['fix'] })
})

describe('a contract that the operator removed', () => {
  it('is reported as missing: nothing runs, and the message says where to write one', async () => {
    await workspace('echo done > fixed.txt')
    await heartbeat()
    await rm(join(cli.root, 'w/HEARTBEAT.md'))
    expect(await shown()).toEqual({
      needs: ['contract-unreadable'],
      tasks: [],
      findings: ['contract-unreadable'],
    })
    expect(await heartbeat('--trust')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^pulseward: There is no .*HEARTBEAT\.md\. Write your tasks there/),
    })
  })
})
