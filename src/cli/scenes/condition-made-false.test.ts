import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, attemptsOf, commitAll, PAID, REFUTED, reportLines } from '../testing/rigged-run.ts'

/* A task's `when:` that an attempt at the task made false: finished work stays skipped, and unfinished work does not disappear. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

interface Scene {
  readonly agent: string
  readonly probe?: string
  readonly when?: string
  readonly status?: 'done' | 'failed'
  readonly between?: () => Promise<void>
}

const BY_SCRIPT = 'command = ["sh", "count.sh"]'
const TAKES_AWAY = 'rm -f inbox/*.txt'

/** Returns the attempts of two heartbeats. */
async function play({
  agent,
  probe = BY_SCRIPT,
  when = 'mails > 0',
  status = 'done',
  between = async () => {},
}: Scene): Promise<readonly (readonly Attempt[])[]> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | Answer the mail | verify: exists("answers.md") | when: ${when} | max_attempts: 9\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[probes.mails]\n${probe}\nparse = "number"\n`,
    'p/count.sh': 'ls inbox | grep -c txt || true\n',
    'p/count.txt': '1\n',
    'p/inbox/one.txt': 'Dear all\n',
    'p/inbox/keep': '',
    'agent.sh': `cat > /dev/null\n${agent}\n${reportLines({ task_id: 'a', status })}\n`,
  })
  commitAll(join(cli.root, 'p'))
  const first = await attemptsOf(cli)
  await between()
  return [first, await attemptsOf(cli, 'p', [])]
}

describe('an agent that said done without doing the work still has to do it', () => {
  it.each<[string, Scene]>([
    ['after removing what it had to work on', { agent: TAKES_AWAY }],
    ['after emptying the file a probe reads', { agent: 'echo 0 > count.txt', probe: 'file = "count.txt"' }],
    [
      'after deleting the file that the condition names',
      { agent: 'rm -f inbox/one.txt', when: 'exists("inbox/one.txt")' },
    ],
    ['after tampering with the counting script', { agent: 'echo echo 0 > count.sh' }],
  ])('%s', async (_how, scene) => {
    expect(await play(scene)).toMatchObject([[REFUTED], [REFUTED]])
  })
})

it('the task does not vanish if an agent that reports failure tampered with the counting script', async () => {
  const scene: Scene = { agent: 'echo echo 0 > count.sh', status: 'failed' }
  expect(await play(scene)).toMatchObject([[{ verdict: 'not_verified' }], [{ verdict: 'not_verified' }]])
})

describe('it rests', () => {
  it('if the work that made it false was done', async () => {
    expect(await play({ agent: `cat inbox/*.txt > answers.md; ${TAKES_AWAY}` })).toMatchObject([[PAID], []])
  })

  it('if the agent says that it could not do it', async () => {
    const [first, second] = await play({ agent: TAKES_AWAY, status: 'failed' })
    expect(first).toMatchObject([{ verdict: 'not_verified' }])
    expect(second).toEqual([])
  })

  it('if the operator removed what had to be done', async () => {
    const between = () => rm(join(cli.root, 'p/inbox/one.txt'))
    expect(await play({ agent: 'true', between })).toMatchObject([[REFUTED], []])
  })
})
