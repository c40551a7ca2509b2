import { chmod } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { agentScript, commitAll, firstAttempt, git, HELD } from '../testing/rigged-run.ts'

/*
 * Clean rooms for the usual workspace layouts, made in both ways, with real processes: honest work is paid, work whose agent inverted the
 * check is held for review, and what a room cannot do is reported without blaming the agent.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const TEST = '. ./sum.sh\n[ "$(sum 1 2)" = 3 ]\n'
const PROJECT = {
  'sum.sh': 'sum() { echo $(($1 - $2)); }\n',
  'tests/sum.sh': TEST,
  'check.sh': 'sh tests/sum.sh && node -e "require(\'dep\')"\n',
  'node_modules/dep/index.js': '',
  '.gitignore': 'node_modules\n',
}
const TURN_ROUND = `sed -i 's/= 3/= -1/' tests/sum.sh`
const REPAIR = `echo 'sum() { echo $(($1 + $2)); }' > sum.sh\necho '# sums' >> tests/sum.sh`

/** Lays out the project below the root, and returns the workspace. */
type Layout = (files: Record<string, string>) => Promise<string>

const put = (folder: string, files: Record<string, string>): Promise<void> =>
  cli.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text])))

const LAYOUTS: readonly (readonly [string, Layout])[] = [
  [
    'a plain folder',
    async (files) => {
      await put('p', files)
      return 'p'
    },
  ],
  [
    'a folder of a repository',
    async (files) => {
      await put('top/packages/sum', files)
      commitAll(join(cli.root, 'top'))
      return 'top/packages/sum'
    },
  ],
  [
    'a work tree of a repository',
    async (files) => {
      const { 'node_modules/dep/index.js': dep = '', ...tracked } = files
      await put('main', tracked)
      commitAll(join(cli.root, 'main'))
      git(join(cli.root, 'main'), 'worktree', 'add', '-q', '../tree')
      await put('tree', { 'node_modules/dep/index.js': dep })
      return 'tree'
    },
  ],
]

async function attemptOf(agent: string, layout: Layout, files: Record<string, string> = {}) {
  const workspace = await layout({
    ...PROJECT,
    'HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix the sum | required | verify: changed("**")\n',
    'pulseward.toml': `[agent]\ncommand = ["sh", ${JSON.stringify(join(cli.root, 'agent.sh'))}]\n[gates]\ncommands = [["sh", "check.sh"]]\n`,
    ...files,
  })
  await cli.write({ 'agent.sh': agentScript(agent, { task_id: 'fix', status: 'done', exit_signal: true }) })
  return firstAttempt(cli, workspace)
}

/** Simulates a system without user namespaces, where a clean room has to be a copy. */
async function refuseNamespaces(): Promise<void> {
  await cli.write({
    'bin/unshare': '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2\nexit 1\n',
  })
  await chmod(join(cli.root, 'bin/unshare'), 0o755)
  vi.stubEnv('PATH', `${join(cli.root, 'bin')}${delimiter}${process.env.PATH ?? ''}`)
}

const WAYS: readonly (readonly [string, () => Promise<void>])[] = [
  ['in this system’s usual way', async () => undefined],
  ['by copying', refuseNamespaces],
]

describe.each(WAYS)('a clean room made %s', (_way, prepare) => {
  test.each(LAYOUTS)('in %s: holds what passes only with the inverted check', async (_where, layout) => {
    await prepare()
    const attempt = await attemptOf(TURN_ROUND, layout)
    expect(attempt).toMatchObject({
      verdict: 'unclear',
      points: 0,
      held: { because: 'check', files: ['tests/sum.sh'], cleanRoom: { verdict: 'not_verified' } },
    })
    expect(attempt.interventions.map(({ event_type }) => event_type)).toContain('check_rigged')
  })

  test.each(LAYOUTS)('in %s: pays what passes with both checks', async (_where, layout) => {
    await prepare()
    const attempt = await attemptOf(REPAIR, layout)
    expect(attempt).toMatchObject({ verdict: 'verified', points: 10, held: null, interventions: [] })
    expect(attempt.reasons.join()).toContain('as in the base')
  })
})

describe('work that a clean room cannot check is held with the reason, and the agent is not blamed:', () => {
  const [, plain] = LAYOUTS[0] ?? ['', async () => '']
  const UNDECIDED = { ...HELD, held: { because: 'check', cleanRoom: { verdict: null } } }
  const reasonOf = (attempt: Awaited<ReturnType<typeof attemptOf>>): string =>
    attempt.held?.cleanRoom.reasons.join() ?? ''

  test('an absolute path in a lock file, if the room is a copy', async () => {
    await refuseNamespaces()
    const files = {
      'check.sh':
        'sh tests/sum.sh && { [ "$(cat place.lock)" = "$PWD" ] || { echo "made for $(cat place.lock)"; exit 1; }; }\n',
    }
    const attempt = await attemptOf(`${REPAIR}\npwd > place.lock`, plain, files)
    expect(attempt).toMatchObject({ ...UNDECIDED, interventions: [] })
    expect(reasonOf(attempt)).toContain('fails too')
    expect(reasonOf(attempt)).toContain('made for')
  })

  test.each(WAYS)(
    'a resource that the check can take only once, such as a port, in a room made %s',
    async (_way, prepare) => {
      await prepare()
      // A folder that the first run creates represents the port.
      const files = {
        'check.sh': 'sh tests/sum.sh && { mkdir taken || { echo "address in use"; exit 1; }; }\n',
      }
      const attempt = await attemptOf(REPAIR, plain, files)
      expect(attempt).toMatchObject({ ...UNDECIDED, interventions: [] })
      expect(reasonOf(attempt)).toContain('address in use')
    },
  )
})
