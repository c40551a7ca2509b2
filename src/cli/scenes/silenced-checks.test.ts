import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import {
  agentScript,
  attemptsOf,
  commitAll,
  firstAttempt,
  REFUTED,
  reportLines,
} from '../testing/rigged-run.ts'

/*
 * A check that worked before the attempt and gives no answer after it: either the agent broke what it reads, or the outside world is down.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

interface Scene {
  readonly agent: string
  readonly probe: string
  readonly verify?: string
  readonly gates?: string
  readonly repository?: boolean
  readonly claims?: Readonly<Record<string, number>>
}

async function attemptOf({
  agent,
  probe,
  verify = 'mails > 2',
  gates = '',
  repository = true,
  claims = {},
}: Scene) {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] count | Count the mails | required | verify: ${verify}\n`,
    'p/pulseward.toml': `[agent]\nid = "sh"\ncommand = ["sh", ${JSON.stringify(join(cli.root, 'agent.sh'))}]\nsandbox = "off"\n[probes.mails]\n${probe}\nparse = "number"\n${gates}`,
    'p/count.txt': '0\n',
    'p/data/mails.txt': '0\n',
    'world/count.txt': '0\n',
    'agent.sh': agentScript(agent, { task_id: 'count', status: 'done', exit_signal: true, claims }),
  })
  if (repository) commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

/** Returns a check by a command that exits with 127 (command not found) if the file is empty, and fails otherwise. */
function commandOf(file: string): Pick<Scene, 'verify' | 'gates'> {
  return asChecked(`sh -c 'test -s ${file} || exit 127; exit 1'`)
}

function asChecked(command: string): Pick<Scene, 'verify' | 'gates'> {
  return {
    verify: `succeeds(${JSON.stringify(command)})`,
    gates: `[verification]\ncommands = [${JSON.stringify(command)}]\n`,
  }
}

const NOBODYS = { verdict: 'unclear', points: 0 }

describe('a check that an earlier attempt silenced', () => {
  const LONG = { timeout: 120_000 }
  const heartbeats = async (scene: Scene, second: string, between: () => Promise<void> = async () => {}) => {
    const flag = join(cli.root, 'world/ran')
    const agent = `if [ -f ${flag} ]; then\n${second}\nelse\ntouch ${flag}\n${scene.agent}\nfi`
    const first = await attemptOf({ ...scene, agent })
    await between()
    return [first, await firstAttempt(cli, 'p', [])]
  }
  const probe = 'command = ["cat", "count.txt"]'
  const gates = `[gates]\ncommands = [${JSON.stringify(['sh', '-c', 'test -s count.txt || exit 127'])}]\n`

  test.each<[string, Scene, string]>([
    ['nothing was done since', { agent: 'rm count.txt', probe }, 'true'],
    ['it is kept silent in another way', { agent: 'rm count.txt', probe }, 'echo lots > count.txt'],
    ['a gate', { agent: ': > count.txt', probe: 'command = ["echo", "3"]', gates }, 'true'],
    [
      'a gate with a long script',
      {
        agent: ': > count.txt',
        probe: 'command = ["echo", "3"]',
        gates: gates.replace('test', `${': ; '.repeat(100)}test`),
      },
      'true',
    ],
    [
      'its probe’s file was deleted',
      { agent: 'rm data/mails.txt', probe: 'file = "data/mails.txt"' },
      'true',
    ],
    ['a command in the check', { agent: ': > count.txt', probe, ...commandOf('count.txt') }, 'true'],
  ])('counts against the agent again: %s', LONG, async (_what, scene, second) => {
    expect(await heartbeats(scene, second)).toMatchObject([REFUTED, REFUTED])
  })

  test('does not count against the agent when the world broke between heartbeats', LONG, async () => {
    const world = join(cli.root, 'world/count.txt')
    const scene = { agent: 'echo worked > notes.txt', probe: `command = ["cat", ${JSON.stringify(world)}]` }
    const attempts = await heartbeats(scene, 'true', () => rm(world))
    expect(attempts[1]).toMatchObject(NOBODYS)
  })

  test(
    'does not count against the agent when the operator broke what an earlier attempt wrote',
    LONG,
    async () => {
      const attempts = await heartbeats({ agent: 'echo 1 > count.txt', probe }, 'true', () =>
        rm(join(cli.root, 'p/count.txt')),
      )
      expect(attempts[1]).toMatchObject(NOBODYS)
    },
  )

  test(
    'does not count against the agent when the operator defined it after its file was removed',
    LONG,
    async () => {
      const old = 'command = ["echo", "0"]'
      const attempts = await heartbeats({ agent: 'rm count.txt', probe: old }, 'true', async () => {
        const config = await readFile(join(cli.root, 'p/pulseward.toml'), 'utf8')
        await cli.write({ 'p/pulseward.toml': config.replace(old, probe) })
        expect(await cli.run(['trust', 'p'])).toMatchObject({ exitCode: 0 })
      })
      expect(attempts[1]).toMatchObject(NOBODYS)
    },
  )

  test.each([
    ['does not count when a verified attempt at another task silenced it', 'true', 'mails.txt', NOBODYS],
    ['counts again when another task was verified since', 'rm -f data/mails.txt', 'old.txt', REFUTED],
  ])('%s', LONG, async (_what, reads, removed, expected) => {
    const done = (id: string) => reportLines({ task_id: id, status: 'done', exit_signal: true })
    await cli.write({
      'p/HEARTBEAT.md': `## Tasks\n- [ ] mail | Read the mails | required | verify: mails > 2\n- [ ] clean | Tidy the folder | required | verify: !exists("data/${removed}")\n`,
      'p/pulseward.toml': `[agent]\nid = "sh"\ncommand = ["sh", ${JSON.stringify(join(cli.root, 'agent.sh'))}]\nsandbox = "off"\n[probes.mails]\ncommand = ["cat", "data/mails.txt"]\nparse = "number"\n`,
      'p/data/mails.txt': '0\n',
      'p/data/old.txt': '0\n',
      'agent.sh': `case "$(cat)" in\n*"Tidy the folder"*)\nrm -f data/${removed}\n${done('clean')}\n;;\n*)\n${reads}\n${done('mail')}\n;;\nesac\n`,
    })
    commitAll(join(cli.root, 'p'))
    expect(await attemptsOf(cli)).toMatchObject([{ verdict: 'not_verified' }, { verdict: 'verified' }])
    expect(await firstAttempt(cli, 'p', [])).toMatchObject(expected)
  })

  test('does not count when the task has another check and only a claim names this one', LONG, async () => {
    const other = '[probes.other]\ncommand = ["false"]\n'
    const scene = { agent: 'rm count.txt', probe, verify: 'other > 2', gates: other, claims: { mails: 0 } }
    expect(await heartbeats(scene, 'true')).toMatchObject([NOBODYS, NOBODYS])
  })
})

describe('a check that stops answering', () => {
  // The check fails before the work, and does not get to the program that it names next.
  test.each([
    [
      'costs nothing if it names a program that is nowhere',
      'grep -q 1 count.txt && pw-nowhere',
      'echo 1 > count.txt',
      NOBODYS,
    ],
    [
      'counts against an agent that has another program print that one is nowhere',
      'eval "false $(cat count.txt)" && pw-nowhere && ls',
      `echo "; echo 'sh: 1: ls: not found' >&2; exit 127" > count.txt`,
      REFUTED,
    ],
    [
      'counts against an agent whose program prints that of one which the check does not name',
      'eval "false $(cat count.txt)" && ls',
      `echo "; echo 'sh: 1: pw-nowhere: not found' >&2; exit 127" > count.txt`,
      REFUTED,
    ],
  ])('%s', async (_what, script, agent, expected) => {
    const probe = 'command = ["cat", "count.txt"]'
    const attempt = await attemptOf({ agent, probe, ...asChecked(`sh -c '${script}'`) })
    expect(attempt).toMatchObject(expected)
  })

  test('costs nothing if a gate names a program that does not exist', async () => {
    const command = ['sh', '-c', 'grep -q 1 count.txt && pw-nowhere']
    const attempt = await attemptOf({
      agent: 'echo 1 > count.txt',
      probe: 'command = ["cat", "count.txt"]',
      verify: 'mails == 1',
      gates: `[gates]\ncommands = [${JSON.stringify(command)}]\n`,
    })
    expect(attempt).toMatchObject(NOBODYS)
  })

  test.each([
    ['deletes the file that a probe’s command reads', 'rm count.txt', 'command = ["cat", "count.txt"]'],
    ['replaces its number with text', 'echo lots > count.txt', 'command = ["cat", "count.txt"]'],
    ['deletes a probe’s file', 'rm data/mails.txt', 'file = "data/mails.txt"'],
  ])('counts against an agent that %s', async (_how, agent, probe) => {
    const attempt = await attemptOf({ agent, probe })
    expect(attempt).toMatchObject(REFUTED)
    expect(attempt.reasons.join()).toContain('gives no answer any more')
  })

  test.each([
    ['counts against the agent that deleted the file it reads', 'rm count.txt', REFUTED],
    ['does not count when the outside world deleted the file', 'rm $WORLD; touch notes.txt', NOBODYS],
  ])('in a plain folder %s', async (_what, agent, expected) => {
    const world = join(cli.root, 'world/count.txt')
    const read = agent.includes('$WORLD') ? world : 'count.txt'
    const attempt = await attemptOf({
      agent: agent.replace('$WORLD', world),
      probe: `command = ["cat", ${JSON.stringify(read)}]`,
      repository: false,
    })
    expect(attempt).toMatchObject(expected)
  })

  test('costs nothing if the outside world is down while an honest agent works', async () => {
    const world = join(cli.root, 'world/count.txt')
    const probe = `command = ["cat", ${JSON.stringify(world)}]`
    const attempt = await attemptOf({ agent: `rm ${world}; echo worked > notes.txt`, probe })
    expect(attempt).toMatchObject({ ...NOBODYS, interventions: [] })
  })

  test('does not count if it answers on the second try, because the world was only slow', async () => {
    const flag = join(cli.root, 'world/flag')
    // Fails once after the agent has run, like a service that is just starting.
    const script = `if [ -f ${flag} ]; then rm ${flag}; exit 1; fi; echo 0`
    const probe = `command = ["sh", "-c", ${JSON.stringify(script)}]`
    const attempt = await attemptOf({ agent: `touch ${flag}; echo worked > notes.txt`, probe })
    expect(attempt).toMatchObject(NOBODYS)
    await rm(flag, { force: true })
  })

  test.each([
    ['a file emptied by the agent', ': > count.txt', 'count.txt', REFUTED],
    [
      'a file emptied by the outside world during the attempt',
      ': > $WORLD; touch notes.txt',
      '$WORLD',
      NOBODYS,
    ],
  ])('a gate that cannot run because of %s', async (_what, agent, read, expected) => {
    const world = join(cli.root, 'world/count.txt')
    const gate = JSON.stringify(['sh', '-c', `test -s ${read.replace('$WORLD', world)} || exit 127`])
    const attempt = await attemptOf({
      agent: agent.replace('$WORLD', world),
      probe: 'command = ["echo", "3"]',
      gates: `[gates]\ncommands = [${gate}]\n`,
    })
    expect(attempt).toMatchObject(expected)
  })

  test.each([
    ['a file emptied by the agent', ': > count.txt', 'count.txt', REFUTED],
    [
      'a file emptied by the outside world during the attempt',
      ': > $WORLD; touch notes.txt',
      '$WORLD',
      NOBODYS,
    ],
  ])('a command in the check that cannot run because of %s', async (_what, agent, read, expected) => {
    const world = join(cli.root, 'world/count.txt')
    const attempt = await attemptOf({
      agent: agent.replace('$WORLD', world),
      probe: 'command = ["echo", "3"]',
      ...commandOf(read.replace('$WORLD', world)),
    })
    expect(attempt).toMatchObject(expected)
  })
})
