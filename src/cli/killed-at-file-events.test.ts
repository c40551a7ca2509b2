import { randomInt } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processesNamed } from '../main/process/testing/running-processes.ts'
import { meansHere } from '../main/sandbox/testing/contained-world.ts'
import { seededNumbers } from '../main/testing/seeded-numbers.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { killAt } from './testing/kill-at.ts'

/*
 * Kills a host at a chosen file event, as an agent could that watches the data folder and acts between its claim and its verdict.
 */

const seed = Number(process.env.PULSEWARD_TEST_SEED ?? randomInt(2 ** 31))
/** Set it to run more; each takes a second or two. */
const KILLS = Number(process.env.PULSEWARD_TEST_KILLS ?? 2)
const LONG_MS = 60_000 + KILLS * 60_000
const MAX_EVENTS = 60

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const name = `left-${process.hrtime.bigint()}`

/** Prepares an agent that leaves a process running, claims to be done, and has done nothing. */
async function workspace(sandbox: string): Promise<void> {
  const claim = JSON.stringify({ task_id: 'fix', status: 'done' })
  await cli.write({
    'w/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt")\n',
    'w/agent.sh': `cat > /dev/null\n(setsid bash -c 'exec -a ${name} sleep 600' > /dev/null 2>&1 &)\nprintf '\\n\`\`\`heartbeat-report\\n%s\\n\`\`\`\\n' '${claim}'\n`,
    'w/pulseward.toml': `[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "${sandbox}"\n`,
  })
  await cli.run(['trust', 'w'])
}

interface Known {
  readonly score: number
  readonly failed: number
  readonly unclear: number
}

const known = async (): Promise<Known> =>
  JSON.parse((await cli.run(['score', '--json', '--workspace', 'w'])).stdout) as Known

describe
  .runIf(process.platform === 'linux')
  .each([...((await meansHere()).length > 0 ? ['auto'] : []), 'off'])(
  `with sandbox = "%s", a host that is killed at a chosen moment (PULSEWARD_TEST_SEED=${seed})`,
  (sandbox) => {
    it('leaves no process running, a complete record, and no agent that gained by it', {
      timeout: LONG_MS,
    }, async () => {
      await mkdir(cli.dataDirectory, { mode: 0o700 })
      await workspace(sandbox)
      const random = seededNumbers(seed)
      let before = await known()
      for (let kill = 0; kill < KILLS; kill += 1) {
        const events = 1 + Math.floor(random() * MAX_EVENTS)
        const wasKilled = await killAt(cli, 'w', { folder: cli.dataDirectory, events })
        const now = await known()
        const told = `${wasKilled ? 'killed' : 'ended'} at event ${events}, after ${JSON.stringify(before)}`
        expect(processesNamed(name), told).toEqual([])
        expect(now.score, told).toBeLessThanOrEqual(before.score)
        expect(now.failed, told).toBeGreaterThanOrEqual(before.failed)
        if (!wasKilled) expect(now.score, told).toBeLessThan(before.score)
        const doctor = await cli.run(['doctor'])
        expect(doctor.stdout, told).toContain('unbroken')
        before = now
      }
      const { stdout } = await cli.run(['list', '--json'])
      const [{ id }] = (JSON.parse(stdout) as { workspaces: [{ id: string }] }).workspaces
      for (const document of ['heartbeat-score.json', 'heartbeat-progress.json'])
        JSON.parse(await readFile(join(cli.dataDirectory, 'workspaces', id, document), 'utf8'))
    })
  },
)
