import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunReport } from '../core/read-model/attempt.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * `skip_if_verified` skips a task that was verified and still passes. It relies on the check as the operator left it: an agent that has
 * rigged the check since then doesn't get its task skipped.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

/** Prepares an agent that fixes the sum in the first heartbeat; in the second, its other task runs the given commands. */
async function workspace(meanwhile: string): Promise<void> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks
- [ ] sum | Fix the sum | required | verify: succeeds("sh check.sh") | max_attempts: 9
- [ ] other | Tidy up | required | verify: exists("tidy.txt") | max_attempts: 9
`,
    'p/pulseward.toml': `[agent]
command = ["sh", "../agent.sh"]
sandbox = "off"
[heartbeat]
skip_if_verified = true
[verification]
commands = ["sh check.sh"]
`,
    'p/add.sh': 'echo $(($1 - $2))\n',
    'p/check.sh': 'set -e\n[ "$(sh add.sh 1 2)" = 3 ]\n',
    'agent.sh': `id=$(sed -n 's/^## Task \\([^ ]*\\)$/\\1/p' | head -n 1)
if [ $id = sum ]; then [ -e ../seen ] || printf 'echo $(($1 + $2))\\n' > add.sh; touch ../seen
elif [ -e ../second ]; then ${meanwhile}
fi
touch ../second.$id; [ ! -e ../second.other ] || touch ../second
printf '\`\`\`heartbeat-report\\n{"task_id": "%s", "status": "done"}\\n\`\`\`\\n' $id
`,
  })
}

async function heartbeat(): Promise<readonly RunReport['attempts'][number][]> {
  const { stdout, stderr } = await cli.run(['run', '--once', '--trust', '--json', '--workspace', 'p'])
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as RunReport).attempts
}

const tasksOf = (attempts: readonly RunReport['attempts'][number][]) => attempts.map(({ taskId }) => taskId)

/** Runs three heartbeats (the first fixes the sum, the second runs the given commands) and returns the last one's attempts. */
async function third(meanwhile: string): Promise<readonly RunReport['attempts'][number][]> {
  await workspace(meanwhile)
  expect(await heartbeat()).toMatchObject([{ taskId: 'sum', verdict: 'verified' }, { taskId: 'other' }])
  expect(tasksOf(await heartbeat())).toEqual(['other'])
  return heartbeat()
}

const BREAK = "printf 'echo 0\\n' > add.sh"

describe('a verified task whose check another attempt', () => {
  test('emptied, with the work undone, runs again and is not paid', async () => {
    const attempts = await third(`${BREAK}; printf 'true\\n' > check.sh`)
    expect(tasksOf(attempts)).toContain('sum')
    expect(attempts.find(({ taskId }) => taskId === 'sum')).toMatchObject({ verdict: 'unclear', points: 0 })
  })

  test('tightened is skipped, because it passes the baseline check too', async () => {
    const attempts = await third(`echo '[ "$(sh add.sh 2 2)" = 4 ]' >> check.sh`)
    expect(tasksOf(attempts)).toEqual(['other'])
  })

  test('did not change, but whose work it undid, runs again', async () => {
    expect(tasksOf(await third(BREAK))).toContain('sum')
  })

  test('did not change is skipped', async () => {
    expect(tasksOf(await third('true'))).toEqual(['other'])
  })
})
