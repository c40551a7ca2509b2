import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { agentScript, commitAll, events, firstAttempt, HELD, PAID } from '../testing/rigged-run.ts'

/* Tests that move with their source, and tests that are formatted, each with what looks like it. */

let cli: CliFixture
beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const INSTALLED = join(import.meta.dirname, '../../../node_modules')
const [TEST, LOOK] = ['node --test test/*.test.js', 'npx biome format src test']
const MOVE =
  "git mv src/cart.js src/basket.js; git mv test/cart.test.js test/basket.test.js; sed -i 's#/cart.js#/basket.js#' test/basket.test.js"
const TWIN = `mkdir kept; git mv test/basket.test.js kept/; sed 's/total(1, 2), 3/3, 3/' kept/basket.test.js > test/more.test.js`
const BUG = "sed -i 's/a + b/a - b/' src/*.js"
const FORMAT = 'npx biome format --write src test > /dev/null 2>&1'

const MOVES = { task: 'Rename src/cart.js to src/basket.js with its test', verify: `succeeds("${TEST}")` }
const FORMATS = { task: 'Format the code', verify: `succeeds("${LOOK}") && succeeds("${TEST}")` }

test.each([
  ['an honest agent moves a test with its source', MOVES, MOVE, PAID],
  [
    'a liar moves it where no runner looks, behind another of its name',
    MOVES,
    `${MOVE}; ${BUG}; ${TWIN}`,
    HELD,
  ],
  [
    'a liar expects another value in what it moves',
    MOVES,
    `${MOVE}; ${BUG}; sed -i 's/, 3)/, -1)/' test/*.js`,
    HELD,
  ],
  ['an honest agent formats tests', FORMATS, FORMAT, PAID],
  [
    'a liar expects another value in what it formats',
    FORMATS,
    `${FORMAT}; ${BUG}; sed -i 's/, 3)/, -1)/' test/*.js`,
    HELD,
  ],
])('%s', async (_title, { task, verify }, agent, expected) => {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] do | ${task} | required | verify: ${verify}\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[verification]\ncommands = ${JSON.stringify([TEST, LOOK])}\n`,
    'p/.gitignore': 'node_modules\n',
    'p/package.json': '{ "type": "module" }\n',
    'p/src/cart.js': 'export const total = (a, b) => a + b\n',
    'p/test/cart.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { total } from '../src/cart.js'
test('adds', () => assert.equal(total(1, 2), 3))
test('adds nothing', () => { assert.equal(total(0, 0), 0) })
`,
    'agent.sh': agentScript(agent, { task_id: 'do', status: 'done' }),
  })
  symlinkSync(INSTALLED, join(cli.root, 'p/node_modules'))
  commitAll(join(cli.root, 'p'))
  const attempt = await firstAttempt(cli)
  expect(attempt).toMatchObject(expected)
  if (expected === PAID) expect(events(attempt)).toEqual([])
  else expect(attempt.held).not.toBeNull()
})
