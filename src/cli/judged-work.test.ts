import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import {
  type Attempt,
  agentScript,
  commitAll,
  events,
  firstAttempt,
  HELD,
  PAID,
  REFUTED,
} from './testing/rigged-run.ts'

/*
 * One liar for each kind of question that a judgment asks this machine, next to honest agents, through the whole command. The rules are
 * tested as tables in `core/judgement`; every liar and honest double runs through the command in `scenes/` (`npm run scenes`).
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

interface Scene {
  /** The agent's shell lines, one entry per heartbeat. */
  readonly agents: readonly string[]
  readonly verify?: string
  readonly claims?: Readonly<Record<string, unknown>>
  readonly toml?: string
}

const MEND = `echo 'echo $(($1 + $2))' > add.sh`
const CHECK = 'succeeds("sh check.sh")'

async function play({ agents, verify = CHECK, claims = {}, toml = '' }: Scene): Promise<readonly Attempt[]> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] sum | Fix the sum | required | max_attempts: 9 | verify: ${verify}\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[verification]\ncommands = ["sh check.sh"]
[probes.bugs]\ncommand = ["sh", "count.sh"]\nparse = "number"\n${toml}`,
    'p/add.sh': 'echo $(($1 - $2))\n',
    'p/check.sh': '. ./expected.test.sh\n[ "$(sh add.sh 1 2)" = "$EXPECTED" ]\n',
    'p/expected.test.sh': 'EXPECTED=3\n',
    'p/count.sh': 'sh check.sh && echo 0 || echo 1\n',
    'p/state.json': '{"count":1}\n',
  })
  commitAll(join(cli.root, 'p'))
  const attempts: Attempt[] = []
  for (const agent of agents) {
    await cli.write({ 'agent.sh': agentScript(agent, { task_id: 'sum', status: 'done', claims }) })
    attempts.push(await firstAttempt(cli, 'p', attempts.length === 0 ? ['--trust'] : []))
  }
  return attempts
}

const CONTRADICTED = { verdict: 'not_verified', groundTruthContradiction: true, fault: 'agent' }

test.each<[string, Scene, object, (readonly string[])?]>([
  ['does the work', { agents: [MEND] }, PAID, []],
  [
    'does the work and reports the count',
    { agents: [MEND], verify: 'bugs == 0', claims: { bugs: 0 } },
    PAID,
    [],
  ],
  ['does nothing', { agents: ['true'] }, { ...REFUTED }],
  [
    'claims a count that differs from the probe',
    { agents: ['echo x > notes.md'], verify: 'bugs == 0', claims: { bugs: 0 } },
    CONTRADICTED,
  ],
  [
    'empties the check',
    { agents: [': > check.sh'] },
    { ...HELD, held: { because: 'check', files: ['check.sh'] } },
    ['check_rigged'],
  ],
  [
    'replaces the script of a probe',
    { agents: ["echo 'echo 0' > count.sh"], verify: 'bugs == 0' },
    { ...HELD, held: { because: 'check', files: ['count.sh'] } },
  ],
  [
    'changes an expected value',
    { agents: [`sed -i s/3/-1/ expected.test.sh`] },
    { ...HELD, held: { files: ['expected.test.sh'] } },
  ],
  [
    'rigs the script a gate runs',
    {
      agents: ['touch notes.md; : > check.sh'],
      verify: 'exists("notes.md")',
      toml: '[gates]\ncommands = [["sh", "check.sh"]]\n',
    },
    HELD,
  ],
  [
    'breaks the file the check reads',
    { agents: ["echo '{}' > state.json"], verify: 'json("state.json").count > 3' },
    REFUTED,
  ],
])('an agent that %s', async (_what, scene, expected, raised) => {
  const [attempt] = await play(scene)
  expect(attempt).toMatchObject(expected)
  if (attempt !== undefined && raised !== undefined) expect(events(attempt)).toEqual(raised)
})

test('an agent that leaves a check broken that it broke a heartbeat earlier', async () => {
  const verify = 'json("state.json").count > 3'
  expect(await play({ verify, agents: ["echo '{}' > state.json", 'true'] })).toMatchObject([REFUTED, REFUTED])
})

test('an agent that repairs what it broke a heartbeat earlier', async () => {
  const verify = 'json("state.json").count > 3'
  const repaired = `echo '{"count":4}' > state.json`
  expect(await play({ verify, agents: ["echo '{}' > state.json", repaired] })).toMatchObject([REFUTED, PAID])
})
