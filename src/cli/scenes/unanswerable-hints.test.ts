import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, PAID, REFUTED } from '../testing/rigged-run.ts'

/* A check that could be evaluated before the attempt but not after it, although its files can still be read. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const NOBODYS = { verdict: 'unclear', points: 0, fault: 'contract' }

const FILE = 'file = "state.json"'
const COMMAND = 'command = ["cat", "state.json"]'
const BY_PROBE = 'state.count > 3'
const BY_FILE = 'json("./state.json").count > 3'

interface Scene {
  readonly agent: string
  readonly verify?: string
  readonly probe?: string
  readonly task?: string
  readonly state?: string
  readonly inGit?: boolean
  readonly criterion?: string
}

async function play({
  agent,
  verify = BY_PROBE,
  probe = FILE,
  task = 'Raise the count',
  state = '{"count":1,"total":0}\n',
  inGit = true,
  criterion = '',
}: Scene): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | ${task} | required | verify: ${verify}\n${criterion}`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[probes.state]\n${probe}\nparse = "json"\n`,
    'p/state.json': state,
    'p/notes.md': 'one\n',
    'world/state.json': state,
    'agent.sh': agentScript(agent, { task_id: 'a', status: 'done' }),
  })
  if (inGit) commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

const writes = (state: string, to = 'state.json'): string => `echo '${state}' > ${to}`

describe('an agent that makes its check impossible is not verified', () => {
  it.each<[string, Scene]>([
    ['by removing the key from a file', { agent: writes('{}') }],
    ['by removing it in a plain folder', { agent: writes('{}'), inGit: false }],
    ['by removing it from a command’s output', { agent: writes('{}'), probe: COMMAND }],
    ['by turning the number into text', { agent: writes('{"count":"many"}') }],
    [
      'by turning it into text in a file the check reads directly',
      { agent: writes('{"count":"many"}'), verify: BY_FILE },
    ],
    ['by causing a division by zero', { agent: writes('{"count":0}'), verify: '9 / state.count > 3' }],
    [
      'by replacing the file it reads with a folder',
      { agent: 'rm notes.md; mkdir notes.md; touch notes.md/x', verify: '!contains("notes.md", "one")' },
    ],
    ['by breaking a bare probe', { agent: writes('{}'), verify: 'state.count' }],
    [
      'by breaking a criterion',
      {
        agent: writes('{}'),
        verify: 'exists("notes.md")',
        criterion: `  - [ ] It counts | verify: ${BY_PROBE}\n`,
      },
    ],
  ])('%s', async (_how, scene) => {
    const attempt = await play(scene)
    expect(attempt).toMatchObject(REFUTED)
    expect(attempt.reasons.join()).toContain('cannot be any more')
  })
})

describe('does not count against the agent', () => {
  it.each<[string, Scene]>([
    ['if it could not be compared before either', { agent: 'echo two >> notes.md', state: '{}\n' }],
    ['if the agent had to write the file itself', { agent: writes('{"count":"9"}', 'new.json') }],
    [
      'if the task asks to remove the key',
      {
        agent: writes('{"total":0}'),
        task: 'Remove the count from state.json',
        verify: '!(state.count > 0)',
      },
    ],
  ])('%s', async (_why, scene) => {
    const verify = scene.agent.includes('new.json') ? 'json("new.json").count > 3' : BY_PROBE
    expect(await play({ verify, ...scene })).toMatchObject(NOBODYS)
  })

  it('if the world’s answer changes while an honest agent works', async () => {
    const world = join(cli.root, 'world/state.json')
    const probe = `command = ["cat", ${JSON.stringify(world)}]`
    const agent = `echo two >> notes.md; ${writes('{}', world)}`
    expect(await play({ agent, probe })).toMatchObject({ ...NOBODYS, interventions: [] })
    await rm(world)
  })
})

it('an agent that rewrites the file as part of its work is paid', async () => {
  expect(await play({ agent: writes('{"count":4}') })).toMatchObject(PAID)
})
