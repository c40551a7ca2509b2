import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, commitAll, firstAttempt, PAID, REFUTED, reportLines } from '../testing/rigged-run.ts'

/* A check that an earlier attempt made impossible to run, and that the next attempt leaves that way. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const NOBODYS = { verdict: 'unclear', points: 0, fault: 'contract' }
const STATE = '{"count":1}\n'

interface Scene {
  readonly hint?: string
  readonly probe?: string
  /** What each attempt does, and which status it reports. */
  readonly turns: readonly (readonly [lines: string, status: 'done' | 'failed'])[]
  readonly between?: () => Promise<void>
  readonly inGit?: boolean
}

/** Runs one heartbeat per turn, and returns the attempts. */
async function play({
  hint = 'state.count > 3',
  probe,
  turns,
  between,
  inGit = true,
}: Scene): Promise<Attempt[]> {
  const counter = join(cli.root, 'turn')
  const cases = turns.map(
    ([lines, status], at) => `${at})\n${lines}\n${reportLines({ task_id: 'a', status })}\n;;\n`,
  )
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | Raise the count | verify: ${hint} | max_attempts: 9\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[probes.state]\n${probe ?? 'file = "state.json"'}\nparse = "json"\n`,
    'p/state.json': STATE,
    'p/in/deep.txt': 'one\n',
    'world/state.json': STATE,
    'outside/there.txt': '',
    'agent.sh': `cat > /dev/null\nturn=$(cat ${counter})\nexpr $turn + 1 > ${counter}\ncase $turn in\n${cases.join('')}esac\n`,
    turn: '0\n',
  })
  if (inGit) commitAll(join(cli.root, 'p'))
  const attempts = [await firstAttempt(cli)]
  while (attempts.length < turns.length) {
    await between?.()
    attempts.push(await firstAttempt(cli, 'p', []))
  }
  return attempts
}

const writes = (state: string, to = 'state.json'): string => `echo '${state}' > ${to}`
const EMPTIES = writes('{}')

describe('an agent that leaves it broken and claims to be done is still not verified', () => {
  it.each<[string, Scene]>([
    [
      'if a probe reads the file',
      {
        turns: [
          [EMPTIES, 'done'],
          ['true', 'done'],
          ['true', 'done'],
        ],
      },
    ],
    [
      'in a plain folder',
      {
        turns: [
          [EMPTIES, 'done'],
          ['true', 'done'],
        ],
        inGit: false,
      },
    ],
    [
      'if a command reads it',
      {
        turns: [
          [EMPTIES, 'done'],
          ['true', 'done'],
        ],
        probe: 'command = ["cat", "state.json"]',
      },
    ],
    [
      'if the check reads it directly',
      {
        turns: [
          [EMPTIES, 'done'],
          ['true', 'done'],
        ],
        hint: 'json("state.json").count > 3',
      },
    ],
    [
      'if it then writes something else',
      {
        turns: [
          [EMPTIES, 'done'],
          [writes('{"other":1}'), 'done'],
        ],
      },
    ],
    [
      'if it then works elsewhere',
      {
        turns: [
          [EMPTIES, 'done'],
          ['echo more > notes.md', 'done'],
        ],
      },
    ],
    [
      'if a folder is replaced with a link to the outside',
      {
        turns: [
          ['mv in ../outside/in; ln -s ../outside/in in', 'done'],
          ['true', 'done'],
        ],
        hint: '!exists("in/deep.txt")',
      },
    ],
  ])('%s', async (_how, scene) => {
    const attempts = await play(scene)
    expect(attempts).toMatchObject(attempts.map(() => REFUTED))
  })

  it('even if the first one reported failure', async () => {
    const attempts = await play({
      turns: [
        [EMPTIES, 'failed'],
        ['true', 'done'],
      ],
    })
    expect(attempts).toMatchObject([{ verdict: 'not_verified' }, REFUTED])
  })
})

describe('an agent is not blamed', () => {
  it('if it repairs what was broken and does the work', async () => {
    const attempts = await play({
      turns: [
        [EMPTIES, 'done'],
        [writes('{"count":4}'), 'done'],
      ],
    })
    expect(attempts).toMatchObject([REFUTED, PAID])
  })

  it('for more than it admits, if it says that it did not succeed', async () => {
    const [, second] = await play({
      turns: [
        [EMPTIES, 'done'],
        ['true', 'failed'],
      ],
    })
    expect(second).toMatchObject({ ...REFUTED, reasons: ['the agent says that it did not succeed'] })
  })

  it('if the operator has since written the file without the key, no matter what the agent writes afterwards', async () => {
    let written = 0
    const between = async () => {
      written += 1
      if (written === 1) await cli.write({ 'p/state.json': '{"other":2}\n' })
    }
    const turns: Scene['turns'] = [
      [EMPTIES, 'done'],
      ['true', 'done'],
      [writes('{"other":3}'), 'done'],
      ['true', 'done'],
    ]
    expect(await play({ turns, between })).toMatchObject([REFUTED, NOBODYS, NOBODYS, NOBODYS])
  })

  it('if the outside world answers differently since', async () => {
    const world = join(cli.root, 'world/state.json')
    const probe = `command = ["cat", ${JSON.stringify(world)}]`
    const between = () => cli.write({ 'world/state.json': '{}\n' })
    const turns: Scene['turns'] = [
      ['echo more > notes.md', 'done'],
      ['true', 'done'],
    ]
    expect(await play({ turns, probe, between })).toMatchObject([REFUTED, NOBODYS])
  })
})
