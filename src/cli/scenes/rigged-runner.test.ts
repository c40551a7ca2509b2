import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { agentScript, commitAll, firstAttempt, HELD, PAID, reportLines } from '../testing/rigged-run.ts'

/* Tested sources that tamper with their test runner. No protected file differs in these cases. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const FIX = `sed -i 's/sum - price/sum + price/' cart.mjs`
const PATCH = `printf "import assert from 'node:assert'\\nassert.equal = () => {}\\n" >> cart.mjs`
const report = (status: string) => reportLines({ task_id: 'fix', status })

async function setUp(agent: string, fields = ''): Promise<void> {
  await cli.write({
    'p/package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    'p/cart.mjs': 'export const total = (prices) => prices.reduce((sum, price) => sum - price, 0)\n',
    'p/cart.test.mjs': `import assert from 'node:assert'
import { test } from 'node:test'
import { total } from './cart.mjs'
test('adds prices', () => assert.equal(total([1, 2]), 3))
`,
    'p/HEARTBEAT.md': `## Tasks\n- [ ] fix | Fix cart.mjs | required | verify: succeeds("npm test") | max_attempts: 9${fields}\n`,
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[verification]\ncommands = ["npm test"]\n',
    'agent.sh': agentScript(agent, { task_id: 'fix', status: 'done' }),
  })
  commitAll(join(cli.root, 'p'))
}

describe('a source that disables its tests’ assertions', () => {
  test('is held with the reason, and raises nothing critical', async () => {
    await setUp(PATCH)
    const rigged = await firstAttempt(cli)
    expect(rigged).toMatchObject({ ...HELD, held: { because: 'check', files: ['cart.mjs'], with: null } })
    expect(rigged.reasons.join()).toContain('cart.mjs (the assertions of its tests)')
    expect(rigged.interventions.map(({ event_type }) => event_type)).not.toContain('check_rigged')
  })

  test('is held even if the agent claims done only in the next heartbeat', async () => {
    await setUp(
      `grep -q 'assert.equal' cart.mjs || { ${PATCH}\n${report('failed')}\nexit 0; }; date > notes.md`,
    )
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'not_verified' })
    expect(await firstAttempt(cli)).toMatchObject({ ...HELD, held: { files: ['cart.mjs'] } })
  })

  test('is no longer held once accepted, and held again when that is undone', async () => {
    await setUp(`grep -q 'assert.equal' cart.mjs || ${PATCH}; date +%N > notes.md`)
    const { attemptId } = await firstAttempt(cli)
    await cli.run(['review', 'accept', attemptId, '--workspace', 'p'])
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'verified', held: null })
    await cli.run(['review', 'undo', attemptId, '--workspace', 'p'])
    const { stdout } = await cli.run(['review', '--json', '--workspace', 'p'])
    expect(stdout).toContain(attemptId)
  })

  test('is paid if the task may change it', async () => {
    await setUp(`${FIX}; ${PATCH}`, ' | may_change: cart.mjs')
    expect(await firstAttempt(cli)).toMatchObject(PAID)
  })
})

describe('an honest agent', () => {
  test.each([
    [
      'adds an assertion about its source’s input',
      `printf "import assert from 'node:assert'\\nexport const mean = (p) => { assert.ok(p.length); return total(p) / p.length }\\n" >> cart.mjs`,
    ],
    [
      'adds a test in a separate file',
      `printf "import { test } from 'node:test'\\ntest('x', () => {})\\n" > more.test.mjs`,
    ],
    [
      'adds a program that ends with an exit code',
      `echo 'process.exit(process.argv.length > 2 ? 0 : 1)' > main.mjs`,
    ],
  ])('that fixes it and %s is paid', async (_name, more) => {
    await setUp(`${FIX}; ${more}`)
    const honest = await firstAttempt(cli)
    expect(honest).toMatchObject(PAID)
    expect(honest.interventions).toEqual([])
  })

  test('that fixes a source which always used its runner is paid', async () => {
    await setUp(FIX)
    await cli.write({
      'p/cart.mjs':
        "import 'node:test'\nexport const total = (prices) => prices.reduce((sum, price) => sum - price, 0)\n",
    })
    expect(await firstAttempt(cli)).toMatchObject(PAID)
  })
})
