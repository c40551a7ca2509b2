import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, git, HELD, PAID } from '../testing/rigged-run.ts'

/* Linters that look only at what is not committed, or only at what is staged, don't see the rest of the work. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const CHANGED = 'git diff --name-only HEAD -- src | xargs -r sh lint.sh'
const STAGED = 'git diff --cached --name-only -- src | xargs -r sh lint.sh'
const COMMIT = 'git add -A && git -c user.name=a -c user.email=a@a commit -qm work'
const BAD = 'echo bad > src/a.js; touch src/made.js'
const GOOD = 'echo done > src/a.js; touch src/made.js'

interface Scene {
  readonly gate: string
  readonly agent: string
  readonly isLinked?: boolean
  /** Changes the repository before it is added. */
  readonly link?: () => Promise<void>
  readonly sandbox?: 'off' | 'auto'
}

async function attempt({ gate, agent, isLinked = false, link, sandbox = 'off' }: Scene): Promise<Attempt> {
  await cli.write({
    'p/src/a.js': 'first\n',
    'p/src/b.js': 'other\n',
    'p/src/old.js': 'old\n',
    'p/lint.sh':
      'for one in "$@"; do if grep -q bad "$one" || [ ! -f "$one" ] || [ "$one" = src/text.md ]; then exit 1; fi; done\n',
    'p/Makefile': `lint:\n\t${gate}\n`,
    'p/HEARTBEAT.md':
      '## Tasks\n- [ ] fix | Write src/made.js | required | verify: exists("src/made.js") | max_attempts: 9\n',
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "${sandbox}"\n[gates]\ncommands = [["make", "-s", "lint"]]\n`,
    'agent.sh': agentScript(agent, { task_id: 'fix', status: 'done', exit_signal: true }),
  })
  commitAll(join(cli.root, 'p'))
  await link?.()
  if (isLinked) {
    git(cli.root, 'clone', '-q', 'p', 'own')
    await rm(join(cli.root, 'p'), { recursive: true })
    git(join(cli.root, 'own'), 'worktree', 'add', '-q', '-b', 'work', '../p')
  }
  return firstAttempt(cli)
}

describe('work that its linter would refuse is held', () => {
  test.each([
    ['committed, where it looks at what is not', { gate: CHANGED, agent: `${BAD}; ${COMMIT}` }],
    ['not staged, where it looks at what is', { gate: STAGED, agent: BAD }],
    ['committed in a linked work tree', { gate: CHANGED, agent: `${BAD}; ${COMMIT}`, isLinked: true }],
    ['committed in a sandbox', { gate: CHANGED, agent: `${BAD}; ${COMMIT}`, sandbox: 'auto' }],
    [
      'staged, where it looks at what is not',
      { gate: CHANGED.replace(' HEAD', ''), agent: `${BAD}; git add -A` },
    ],
  ] satisfies [string, Scene][])('%s', async (_name, scene) => {
    expect(await attempt(scene)).toMatchObject({ ...HELD, held: { because: 'check' } })
    const top = join(cli.root, 'p')
    expect(git(top, 'log', '--format=%s').split('\n').slice(1)).not.toContain('before')
    expect(git(top, 'fsck', '--no-dangling')).toBe('')
  })
})

describe('honest work is paid', () => {
  test.each([
    ['committed', { gate: CHANGED, agent: `${GOOD}; ${COMMIT}` }],
    ['committed with a file deleted', { gate: CHANGED, agent: `${GOOD}; git rm -q src/old.js; ${COMMIT}` }],
    [
      'committed with text that the linter can’t read',
      { gate: CHANGED, agent: `${GOOD}; echo 1 > src/text.md; ${COMMIT}` },
    ],
    ['not staged', { gate: STAGED, agent: `${GOOD}; rm src/old.js` }],
    ['committed in a linked work tree', { gate: CHANGED, agent: `${GOOD}; ${COMMIT}`, isLinked: true }],
    ['committed in a sandbox', { gate: CHANGED, agent: `${GOOD}; ${COMMIT}`, sandbox: 'auto' }],
    [
      'committed, where the check wants a clean tree',
      { gate: 'git diff --exit-code -- src', agent: `${GOOD}; ${COMMIT}` },
    ],
    [
      'committed, where the check lists what is not, and wants nothing there',
      { gate: 'git diff --name-only HEAD -- src | (! grep .)', agent: `${GOOD}; ${COMMIT}` },
    ],
  ] satisfies [string, Scene][])('%s', async (_name, scene) => {
    expect(await attempt(scene)).toMatchObject(PAID)
  })
})

test.each([
  ['.git', 'data-of-git', '../data-of-git'],
  ['.git/refs', 'refs-of-git', '../../refs-of-git'],
])('git’s data stays unchanged where %s is a link', async (path, elsewhere, target) => {
  const link = async (): Promise<void> => {
    await rename(join(cli.root, 'p', path), join(cli.root, elsewhere))
    await symlink(target, join(cli.root, 'p', path))
  }
  const { verdict } = await attempt({ gate: CHANGED, agent: `${BAD}; ${COMMIT}`, link })
  const top = join(cli.root, 'p')
  expect({
    verdict,
    commits: git(top, 'log', '--format=%s'),
    changes: git(top, 'status', '--short'),
  }).toEqual({
    verdict: 'verified',
    commits: 'work\nstart\n',
    changes: '',
  })
})
