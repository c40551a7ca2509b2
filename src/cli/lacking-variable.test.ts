import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, REFUTED } from './testing/rigged-run.ts'

/*
 * A check that fails because one of the operator's variables was withheld from it is the operator's problem. Output of the agent's own code
 * excuses no one.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  vi.stubEnv('DEPLOY_TOKEN', 'the-deploy-secret')
})
afterEach(() => cli.close())

const NEEDS_IT = `: "\${DEPLOY_TOKEN:?}"\n`
const RUNS_WORK = 'sh work.sh\n'
const GATES = '[gates]\ncommands = [["sh", "check.sh"]]\n'
const EXCUSED = { verdict: 'unclear', fault: 'environment', points: 0 }

async function play(
  check: string,
  agent: string,
  toml = GATES,
  verify = 'changed("work.sh")',
): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | Do it | verify: ${verify} | max_attempts: 1\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n${toml}`,
    'agent.sh': agentScript(agent, { task_id: 'a', status: 'done' }),
    'p/work.sh': 'true\n',
    'p/check.sh': check,
  })
  commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

const WORKS = 'echo "# more" >> work.sh'
const PRETENDS = 'echo "echo DEPLOY_TOKEN is not set >&2; exit 2" >> work.sh'

describe('a gate', () => {
  it('costs an honest agent nothing, and tells the operator the variable and the line to add', async () => {
    expect(await play(NEEDS_IT, WORKS)).toMatchObject(EXCUSED)
    const { stdout } = await cli.run(['status', '--json', '--workspace', 'p'])
    const { needs, next } = JSON.parse(stdout) as { needs: { reason: string }[]; next: { reason: string } }
    expect(JSON.stringify(needs)).toMatch(/lacks DEPLOY_TOKEN.*env_from = /)
    expect(next.reason).toMatch(/^Backing off until /)
    expect(stdout).not.toContain('the-deploy-secret')
  })

  it('is no excuse for a liar whose code says the same', async () => {
    expect(await play(RUNS_WORK, PRETENDS)).toMatchObject(REFUTED)
  })

  it('is no excuse for an agent that did not do the work', async () => {
    expect(await play(NEEDS_IT, 'true')).toMatchObject(REFUTED)
  })
})

describe('a command of succeeds()', () => {
  const VERIFY = 'changed("work.sh") && succeeds("sh check.sh")'
  const TOML = '[verification]\ncommands = ["sh check.sh"]\n'

  it('costs an honest agent nothing', async () => {
    expect(await play(NEEDS_IT, WORKS, TOML, VERIFY)).toMatchObject(EXCUSED)
  })

  it('is no excuse for a liar whose code says the same', async () => {
    expect(await play(RUNS_WORK, PRETENDS, TOML, VERIFY)).toMatchObject(REFUTED)
  })
})
