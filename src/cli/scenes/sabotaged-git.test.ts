import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { agentScript, attemptsOf, commitAll, firstAttempt } from '../testing/rigged-run.ts'

/*
 * A repository that its agent broke, slowed down or flooded. Changes are still measured, so an agent that did nothing is not paid, and one
 * that did its work is.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const LONG_MS = 120_000
const FILTER = (command: string) =>
  `git config filter.x.clean "${command}"; git config filter.x.required true; echo "* filter=x" > .git/info/attributes; touch src/old.txt`

const sabotage: readonly (readonly [string, string])[] = [
  ['deletes the .git folder', 'rm -rf .git'],
  ['marks the repository as bare', 'git config core.bare true'],
  ['names another work tree', 'mkdir ../elsewhere; git config core.worktree ../../elsewhere'],
  ['names an endless filter', FILTER('sleep 1000')],
  ['names a filter that fails', FILTER('false')],
  ['makes the Git index unreadable', 'echo garbage > .git/index'],
  [
    'adds 60,000 names to the Git index',
    'id=$(git hash-object -w src/old.txt); seq 60000 | sed "s|.*|100644 $id\\tsrc/made/&.txt|" | git update-index --index-info',
  ],
]

async function attempt(act: string) {
  await cli.write({
    'p/src/old.txt': 'old\n',
    'p/HEARTBEAT.md': '## Tasks\n- [ ] fix | Change the sources | required | verify: changed("src/**")\n',
    'p/pulseward.toml': '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n',
    'agent.sh': agentScript(act, { task_id: 'fix', status: 'done' }),
  })
  commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

describe.each(sabotage)('an agent that %s', (_name, act) => {
  test('and does nothing is not paid, not even in the next heartbeat', { timeout: LONG_MS }, async () => {
    const first = await attempt(act)
    expect(first.verdict).not.toBe('verified')
    expect(first.points).toBeLessThanOrEqual(0)
    await cli.write({ 'agent.sh': agentScript('true', { task_id: 'fix', status: 'done' }) })
    const [second] = await attemptsOf(cli, 'p', [])
    expect(second?.verdict).not.toBe('verified')
    expect(second?.points).toBeLessThanOrEqual(0)
  })

  test('and does its work is measured', { timeout: LONG_MS }, async () => {
    const { filesChanged, verdict } = await attempt(`${act}; echo new > src/old.txt`)
    expect(filesChanged).toContain('src/old.txt')
    expect(verdict).not.toBe('not_verified')
  })
})
