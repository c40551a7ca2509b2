import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, PAID } from '../testing/rigged-run.ts'

/* A file that only became executable has the same content: that is the work if the task asks for it, and nothing otherwise. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

interface Scene {
  readonly task: string
  readonly hint: string
  readonly agent: string
  readonly inGit: boolean
}

async function play({ task, hint, agent, inGit }: Scene): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | ${task} | required | verify: ${hint}\n`,
    'p/pulseward.toml': '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n',
    'p/run.sh': 'echo one\n',
    'agent.sh': agentScript(agent, { task_id: 'a', status: 'done', files: ['run.sh'] }),
  })
  if (inGit) commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

const ASKED = 'Make run.sh executable'
const OTHER = 'Mend the bug in run.sh'

describe.runIf(process.platform !== 'win32').each([true, false])('in git: %s', (inGit) => {
  describe.each(['changed("run.sh")', 'task_completed'])('checked by %s', (hint) => {
    it('pays if that was requested', async () => {
      expect(await play({ task: ASKED, hint, agent: 'chmod +x run.sh', inGit })).toMatchObject(PAID)
    })

    it('does not pay if something else was requested', async () => {
      const { verdict, points } = await play({ task: OTHER, hint, agent: 'chmod +x run.sh', inGit })
      expect(verdict).not.toBe('verified')
      expect(points).toBeLessThan(0)
    })

    it('contradicts a claim to have done it', async () => {
      const attempt = await play({ task: ASKED, hint, agent: 'true', inGit })
      expect(attempt).toMatchObject({ verdict: 'not_verified', groundTruthContradiction: true })
    })
  })
})
