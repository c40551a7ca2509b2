import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * An agent without a sandbox kills its supervisor in each heartbeat, so that its work is never judged.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const KILLS = 3

it.runIf(process.platform === 'linux')(
  'an agent that kills the supervisor in each heartbeat loses what failing in each costs, and the operator is notified',
  async () => {
    await cli.write({
      'w/HEARTBEAT.md':
        '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt") | max_attempts: 9\n',
      'w/pulseward.toml': '[agent]\ncommand = ["sh", "-c", "kill -9 $PPID"]\nsandbox = "off"\n',
    })
    await cli.run(['trust', 'w'])
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = cli.start(['run', '--once', '--workspace', 'w'], { stdio: 'ignore' })
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    }
    const { stdout } = await cli.run(['score', '--json', '--workspace', 'w'])
    expect(JSON.parse(stdout)).toMatchObject({ score: KILLS * -15 })
    const shown = await cli.run(['attempt', '--json', '--workspace', 'w'])
    expect(JSON.parse(shown.stdout)).toMatchObject({
      verdict: 'not_verified',
      reasons: [expect.stringContaining('killed again within a day')],
    })
  },
  180_000,
)
