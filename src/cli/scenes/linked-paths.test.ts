import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, PAID } from '../testing/rigged-run.ts'

/* A file that the contract names through a link is the link's target, in git or not. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

/** Runs an agent in a folder where `docs` leads to `real`, if `linked`, and returns the attempt. */
async function play(inGit: boolean, linked: boolean, lines: string): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': '## Tasks\n- [ ] a | Mend the page | verify: changed("docs/page.md")\n',
    'p/pulseward.toml': '[agent]\ncommand = ["sh", "agent.sh"]\n',
    'p/agent.sh': agentScript(lines, { task_id: 'a', status: 'done', files: ['real/page.md'] }),
    'p/real/page.md': 'one\n',
    'p/real/other.md': 'one\n',
  })
  if (linked) await symlink('real', join(cli.root, 'p/docs'))
  if (inGit) commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

const EDIT = 'echo two >> real/page.md'

it.each([true, false])('verifies honest work on it (git: %s)', async (inGit) => {
  expect(await play(inGit, true, EDIT)).toMatchObject(PAID)
})

it.each([true, false])('does not verify work on another file (git: %s)', async (inGit) => {
  const lines = `${EDIT.replace('page', 'other')}; touch real/page.md`
  expect(await play(inGit, true, lines)).toMatchObject({ verdict: 'not_verified' })
})

it.each([true, false])('does not verify work through a link that the agent made (git: %s)', async (inGit) => {
  expect(await play(inGit, false, `${EDIT}; ln -s real docs`)).toMatchObject({ verdict: 'not_verified' })
})
