import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, PAID } from '../testing/rigged-run.ts'

/* A file that the contract names by a link is the file that the link leads to, in git and out of it. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

/** The attempt of an agent in a folder where `docs` leads to `real`, if it is there. */
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

it.each([true, false])('honest work on it is verified (git: %s)', async (inGit) => {
  expect(await play(inGit, true, EDIT)).toMatchObject(PAID)
})

it.each([true, false])('work on another file is not (git: %s)', async (inGit) => {
  const lines = `${EDIT.replace('page', 'other')}; touch real/page.md`
  expect(await play(inGit, true, lines)).toMatchObject({ verdict: 'not_verified' })
})

it.each([true, false])('does not verify work through a link that the agent made (git: %s)', async (inGit) => {
  expect(await play(inGit, false, `${EDIT}; ln -s real docs`)).toMatchObject({ verdict: 'not_verified' })
})
