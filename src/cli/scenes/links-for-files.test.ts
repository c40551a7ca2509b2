import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, PAID, REFUTED } from '../testing/rigged-run.ts'

/* A link that leads nowhere, or out of the repository, counts neither as the requested file nor as its absence. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

async function play(hint: string, lines: string, inGit = true): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | Tidy up | verify: ${hint}\n`,
    'p/pulseward.toml': '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n',
    'agent.sh': agentScript(lines, { task_id: 'a', status: 'done' }),
    'outside/there.txt': 'password\n',
    'p/a.txt': 'password\n',
    'p/in/deep.txt': 'one\n',
  })
  if (inGit) commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

const OUT = 'rm a.txt; ln -s ../outside/there.txt a.txt'
const NOWHERE = 'rm a.txt; ln -s nowhere a.txt'
const ITSELF = 'rm a.txt; ln -s a.txt a.txt'
const PARENT = 'mv in ../outside/in; ln -s ../outside/in in'

describe.each([true, false])('does not verify a false claim (git: %s)', (inGit) => {
  it.each([
    ['who leads the file out', '!exists("a.txt")', OUT],
    ['who leads it nowhere', '!exists("a.txt")', NOWHERE],
    ['who leads it to itself', '!exists("a.txt")', ITSELF],
    ['who leads its folder out', '!exists("in/deep.txt")', PARENT],
    ['who asks for it in other words', 'exists("a.txt") == false', OUT],
    ['who leads it out to be found', 'exists("b.txt")', 'ln -s ../outside/there.txt b.txt; rm a.txt'],
    ['who leads it nowhere to be found', 'exists("b.txt")', 'ln -s nowhere b.txt; rm a.txt'],
    ['who leads out what it must not contain', '!contains("a.txt", "password")', OUT],
    ['who leads out what must be shorter', 'lines("a.txt") < 1', OUT],
  ])('%s', async (_how, hint, lines) => {
    expect(await play(hint, lines, inGit)).toMatchObject(REFUTED)
  })
})

it('does not blame the agent for the operator’s own link to the outside, if nothing is measured', async () => {
  await cli.write({ 'outside/in/old.txt': 'old\n', 'p/HEARTBEAT.md': '' })
  await symlink('../outside/in', join(cli.root, 'p/out'))
  expect(await play('!exists("out/old.txt")', 'rm out/old.txt')).toMatchObject({
    verdict: 'unclear',
    fault: 'contract',
    points: 0,
  })
})

describe('pays an honest agent', () => {
  it.each([
    ['who removes the file', '!exists("a.txt")', 'rm a.txt'],
    ['who removes its folder', '!exists("in/deep.txt")', 'rm -r in'],
    ['who replaces it with a link', 'exists("a.txt")', 'rm a.txt; ln -s in/deep.txt a.txt'],
    ['who leads its folder elsewhere within', 'exists("in/deep.txt")', 'mv in to; ln -s to in'],
    ['who moves the folder within and links', '!exists("in/a.txt")', 'mv in to; ln -s to in'],
    ['who takes out what it must not contain', '!contains("a.txt", "password")', 'echo > a.txt'],
  ])('%s', async (_how, hint, lines) => {
    expect(await play(hint, lines)).toMatchObject(PAID)
  })
})
