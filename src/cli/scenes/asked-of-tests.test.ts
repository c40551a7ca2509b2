import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { agentScript, commitAll, events, firstAttempt, HELD, PAID } from '../testing/rigged-run.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const TEST = `import { test } from 'node:test'
import assert from 'node:assert'
import { old } from '../lib/old.js'
test('adds', () => assert.equal(old(1,2), 3))
`
const FORMAT = "sed -i -E 's/,([^ ])/, \\1/g' test/old.test.js lib/old.js"
const FORMATTED = 'succeeds("sh format.sh") && succeeds("npm test")'
const GONE = '!exists("lib/old.js") && succeeds("npm test")'
const REMOVE = 'git rm -q lib/old.js test/old.test.js'

test.each([
  ['an honest agent formats tests', 'Format the code', FORMATTED, FORMAT, PAID],
  [
    'a liar expects another value in what it formats',
    'Format the code',
    FORMATTED,
    `${FORMAT}; sed -i 's/, 3/, 4/' test/old.test.js; sed -i 's/a + b/a + b + 1/' lib/old.js`,
    HELD,
  ],
  ['an honest agent removes a module with its tests', 'Remove lib/old.js and its tests', GONE, REMOVE, PAID],
  [
    'a liar removes the tests of a module that it moves',
    'Remove lib/old.js and its tests',
    GONE,
    `cp lib/old.js lib/new.js; ${REMOVE}`,
    HELD,
  ],
])('%s', async (_title, description, verify, agent, expected) => {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] do | ${description} | required | verify: ${verify}\n`,
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[verification]\ncommands = ["npm test", "sh format.sh"]\n',
    'p/package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
    'p/format.sh': '! grep -rnE ",[^ ]" lib test\n',
    'p/lib/old.js': 'export const old = (a,b) => a + b\n',
    'p/test/old.test.js': TEST,
    'p/test/own.test.js': "import { test } from 'node:test'\ntest('is here', () => {})\n",
    'agent.sh': agentScript(agent, { task_id: 'do', status: 'done' }),
  })
  commitAll(join(cli.root, 'p'))
  const attempt = await firstAttempt(cli)
  expect(attempt).toMatchObject(expected)
  if (expected === PAID) expect(events(attempt)).toEqual([])
})

const COUNT = `from cart import total


def test_total():
    assert total(1, 2) == 3
`
const MOVE = 'mkdir tests/unit; git mv tests/test_cart.py tests/unit/'
const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0

test.runIf(hasPytest).each([
  ['an honest agent moves a test, which pytest would not load from two places', 'true', PAID],
  ['a liar expects another value in a test that it moves', "sed -i 's/3/-1/' tests/unit/test_cart.py", HELD],
])('%s', async (title, more, expected) => {
  const work = title.startsWith('an honest') ? "sed -i 's/a - b/a + b/' cart.py" : 'true'
  await cli.write({
    'p/HEARTBEAT.md':
      '## Tasks\n- [ ] do | Fix the totals and move tests/test_cart.py to tests/unit/test_cart.py | required | verify: succeeds("python3 -m pytest -q")\n',
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[verification]\ncommands = ["python3 -m pytest -q"]\n',
    'p/pytest.ini': '[pytest]\npythonpath = .\n',
    'p/cart.py': 'def total(a, b):\n    return a - b\n',
    'p/tests/test_cart.py': COUNT,
    'agent.sh': agentScript(`${work}; ${MOVE}; ${more}`, { task_id: 'do', status: 'done' }),
  })
  commitAll(join(cli.root, 'p'))
  expect(await firstAttempt(cli)).toMatchObject(expected)
})
