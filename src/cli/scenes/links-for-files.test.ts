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
    ['if the file becomes a link to the outside', '!exists("a.txt")', OUT],
    ['if it becomes a broken link', '!exists("a.txt")', NOWHERE],
    ['if it becomes a link to itself', '!exists("a.txt")', ITSELF],
    ['if its folder becomes a link to the outside', '!exists("in/deep.txt")', PARENT],
    ['if the check is worded differently', 'exists("a.txt") == false', OUT],
    [
      'if the file to create is a link to the outside',
      'exists("b.txt")',
      'ln -s ../outside/there.txt b.txt; rm a.txt',
    ],
    ['if the file to create is a broken link', 'exists("b.txt")', 'ln -s nowhere b.txt; rm a.txt'],
    ['if a file with forbidden text becomes a link', '!contains("a.txt", "password")', OUT],
    ['if a file that must be shorter becomes a link', 'lines("a.txt") < 1', OUT],
  ])('%s', async (_how, hint, lines) => {
    expect(await play(hint, lines, inGit)).toMatchObject(REFUTED)
  })
})

it('does not blame the agent for the operator’s own link out of the workspace, if nothing is measured', async () => {
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
    ['that removes the file', '!exists("a.txt")', 'rm a.txt'],
    ['that removes its folder', '!exists("in/deep.txt")', 'rm -r in'],
    ['that replaces the file with a link', 'exists("a.txt")', 'rm a.txt; ln -s in/deep.txt a.txt'],
    ['that moves its folder and leaves a link to it', 'exists("in/deep.txt")', 'mv in to; ln -s to in'],
    ['that moves and links the folder that must lack a file', '!exists("in/a.txt")', 'mv in to; ln -s to in'],
    ['that removes the forbidden text', '!contains("a.txt", "password")', 'echo > a.txt'],
  ])('%s', async (_how, hint, lines) => {
    expect(await play(hint, lines)).toMatchObject(PAID)
  })
})
