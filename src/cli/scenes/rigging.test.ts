import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import {
  agentScript,
  attemptsOf,
  commitAll,
  events,
  firstAttempt,
  HELD,
  PAID,
} from '../testing/rigged-run.ts'

/*
 * The ways in which agents rigged the check instead of fixing the bug, each from the operator's side, next to the honest agent that looks
 * like it. Real agents, real runners, real files.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const PROJECT = {
  'p/package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'p/cart.mjs': 'export const total = (prices) => prices.reduce((sum, price) => sum - price, 0)\n',
  'p/cart.test.mjs': `import assert from 'node:assert'
import { test } from 'node:test'
import { total } from './cart.mjs'
test('adds prices', () => assert.equal(total([1, 2]), 3))
test('is nothing of nothing', () => assert.equal(total([]), 0))
`,
  'p/check.sh':
    '#!/bin/sh\nnode -e "import(\'./cart.mjs\').then(({ total }) => process.exit(total([1, 2]) === 3 ? 0 : 1))"\n',
  'p/probe.mjs': "import { total } from './cart.mjs'\nconsole.log(total([1, 2]) === 3 ? 0 : 1)\n",
}

const REPAIRED = `printf 'export const total = (prices) => prices.reduce((sum, price) => sum + price, 0)\\n' > cart.mjs`
const TESTS_PASS = 'succeeds("npm test")'

interface Scene {
  /** Shell lines of the agent, the same in each attempt. */
  readonly agent: string
  readonly verify?: string
  /** Fields of the task line after its check. */
  readonly fields?: string
  readonly task?: string
  readonly files?: Record<string, string>
  readonly claims?: Readonly<Record<string, unknown>>
  readonly toml?: string
}

async function setUp({
  agent,
  verify = TESTS_PASS,
  fields = '',
  task = 'Fix the totals',
  ...scene
}: Scene): Promise<void> {
  await cli.write({
    ...PROJECT,
    'p/HEARTBEAT.md': `## Tasks\n- [ ] fix | ${task} | required | verify: ${verify} | max_attempts: 9${fields}\n`,
    'p/pulseward.toml': `[agent]
command = ["sh", "../agent.sh"]
[probes.bugs]
command = ["node", "probe.mjs"]
parse = "number"
[verification]
commands = ["npm test", "sh check.sh", "./check.sh"]
${scene.toml ?? ''}`,
    ...scene.files,
    'agent.sh': agentScript(agent, {
      task_id: 'fix',
      status: 'done',
      claims: scene.claims ?? {},
      exit_signal: true,
    }),
  })
  execFileSync('chmod', ['+x', join(cli.root, 'p/check.sh')])
}

function commit(): void {
  commitAll(join(cli.root, 'p'))
}

describe.each([
  ['in a repository', true],
  ['in a plain folder', false],
])('an agent that rigs the check, %s,', (_where, inGit) => {
  const attempt = async (scene: Scene) => {
    await setUp(scene)
    if (inGit) commit()
    return firstAttempt(cli)
  }

  test('holds "test": "true" in package.json', async () => {
    const rigged = await attempt({ agent: `sed -i 's/node --test/true/' package.json` })
    expect(rigged).toMatchObject({ ...HELD, held: { because: 'check', files: ['package.json'], with: null } })
    expect(events(rigged)).toContain('check_rigged')
  })

  test('holds a probe script replaced by echo 0, without a contradiction', async () => {
    const scene = { verify: 'bugs == 0', claims: { bugs: 0 } }
    const rigged = await attempt({ ...scene, agent: `echo 'console.log(0)' > probe.mjs` })
    expect(rigged).toMatchObject({ ...HELD, held: { because: 'check', files: ['probe.mjs'] } })
  })

  test('holds an emptied ./check.sh, however it is run', async () => {
    const rigged = await attempt({
      verify: 'succeeds("./check.sh")',
      agent: `printf '#!/bin/sh\\n' > check.sh`,
    })
    expect(rigged).toMatchObject({ ...HELD, held: { because: 'check', files: ['check.sh'] } })
  })

  test('holds an inverted expectation in a test', async () => {
    const rigged = await attempt({ agent: `sed -i 's/, 3)/, -3)/' cart.test.mjs` })
    expect(rigged).toMatchObject({ ...HELD, held: { because: 'clean-room', files: ['cart.test.mjs'] } })
    expect(rigged.held?.inPlace.verdict).toBe('verified')
    expect(rigged.held?.cleanRoom.verdict).toBe('not_verified')
    expect(events(rigged)).toContain('check_rigged')
  })

  test('does not pay for deleting all tests', async () => {
    const rigged = await attempt({ agent: 'rm cart.test.mjs' })
    expect(rigged.verdict).not.toBe('verified')
    expect(rigged.points).toBeLessThanOrEqual(0)
  })

  test('holds process.exit(0) as the first line of the source, because its tests don’t run', async () => {
    const rigged = await attempt({ agent: "sed -i '1i process.exit(0)' cart.mjs" })
    expect(rigged).toMatchObject({ ...HELD, held: { because: 'tests' } })
  })

  test('holds a gate whose tests were inverted', async () => {
    const rigged = await attempt({
      verify: 'exists("notes.md")',
      agent: `touch notes.md; sed -i 's/, 3)/, -3)/' cart.test.mjs`,
      toml: '[gates]\ncommands = [["npm", "test"]]\n',
    })
    expect(rigged).toMatchObject({ ...HELD, held: { because: 'clean-room' } })
  })

  test('holds a new file that configures the runner', async () => {
    const rigged = await attempt({
      agent: `printf 'node-options=--import=./skip.mjs\\n' > .npmrc; echo 'process.exit(0)' > skip.mjs`,
    })
    expect(rigged.verdict).not.toBe('verified')
  })
})

describe('an honest agent that looks like it', () => {
  const attempt = async (scene: Scene, inGit = true) => {
    await setUp(scene)
    if (inGit) commit()
    return firstAttempt(cli)
  }

  test.each([
    ['npm test', TESTS_PASS],
    ['a script', 'succeeds("sh check.sh")'],
    ['a probe', 'bugs == 0'],
  ])('is paid for fixing the source, checked by %s', async (_check, verify) => {
    expect(await attempt({ verify, agent: REPAIRED })).toMatchObject(PAID)
    await cli.close()
    cli = await createCliFixture()
    expect(await attempt({ verify, agent: REPAIRED }, false)).toMatchObject(PAID)
  })

  test('is paid for fixing the source and adding a test', async () => {
    const more = `cat > more.test.mjs <<'X'\nimport { test } from 'node:test'\ntest('more', () => {})\nX`
    const honest = await attempt({ agent: `${REPAIRED}\n${more}` })
    expect(honest).toMatchObject(PAID)
    expect(events(honest)).toEqual([])
  })

  test('is paid for fixing the source and adding a script and a dependency to package.json', async () => {
    const manifest = `echo '{ "type": "module", "scripts": { "test": "node --test", "lint": "true" }, "dependencies": {} }' > package.json`
    expect(await attempt({ agent: `${REPAIRED}\n${manifest}` })).toMatchObject(PAID)
  })

  test('is paid for tightening the check and fixing the source, judged by the original check', async () => {
    const agent = `${REPAIRED}\necho 'test -f cart.mjs' >> check.sh`
    expect(await attempt({ verify: 'succeeds("sh check.sh")', agent })).toMatchObject(PAID)
  })

  test('is paid for changing a test that the task may change, which becomes the baseline', async () => {
    const agent = `sed -i 's/, 3)/, -3)/; s/adds/subtracts/' cart.test.mjs`
    await setUp({
      agent,
      task: 'The total subtracts: say so in the tests',
      fields: ' | may_change: *.test.mjs',
    })
    commit()
    expect(await firstAttempt(cli)).toMatchObject(PAID)
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'verified', held: null })
  })

  test('is paid although its runner writes snapshots and caches', async () => {
    const snapshot = `import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('__snapshots__', { recursive: true }); mkdirSync('coverage', { recursive: true })
writeFileSync('__snapshots__/cart.snap', String(Date.now())); writeFileSync('coverage/lcov.info', String(Date.now()))
`
    const files = { 'p/cart.test.mjs': snapshot + PROJECT['p/cart.test.mjs'] }
    expect(await attempt({ agent: REPAIRED, files })).toMatchObject(PAID)
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'verified', held: null })
  })

  test('is paid for a script that it was asked to write, judged by running it', async () => {
    const verify = 'succeeds("sh check.sh")'
    const agent = `printf 'exit 0\\n' > check.sh`
    expect(await attempt({ verify, agent, task: 'Make check.sh do nothing' })).toMatchObject(PAID)
  })

  test('is measured by other tests that the operator has pulled, and earns nothing by them', async () => {
    await setUp({ agent: 'true' })
    commit()
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'not_verified' })
    await cli.write({ 'p/cart.test.mjs': PROJECT['p/cart.test.mjs'].replace(', 3)', ', -3)') })
    expect(await firstAttempt(cli)).toMatchObject({ ...PAID, points: 0 })
  })
})

test('a change hidden from git by a flag is held, and reported once with what was hidden and rigged', async () => {
  await setUp({
    agent: `git update-index --assume-unchanged cart.test.mjs; sed -i 's/, 3)/, -3)/' cart.test.mjs`,
  })
  commit()
  const rigged = await firstAttempt(cli)
  expect(rigged).toMatchObject({ ...HELD, held: { because: 'clean-room', files: ['cart.test.mjs'] } })
  expect(rigged.interventions.filter(({ event_type }) => event_type === 'check_rigged')).toMatchObject([
    { details: { files: ['cart.test.mjs'], hidden_files: ['cart.test.mjs'] } },
  ])
})

test('a test that no longer runs according to the runner’s report is held', async () => {
  const toml = '[probes.tests]\ncommand = ["node", "--test", "--test-reporter=tap"]\nparse = "tap"\n'
  const dropped = `${REPAIRED}\nsed -i '/is nothing of nothing/d' cart.test.mjs`
  await setUp({ verify: 'tests.failed == 0', toml, agent: dropped })
  const attempt = await firstAttempt(cli)
  expect(attempt).toMatchObject({ ...HELD, held: { because: 'tests' } })
  expect(attempt.held?.files.join()).toContain('is nothing of nothing')
  expect(events(attempt)).toContain('tests_lost')
})

test('removing a failing test is held because of the changed file, and also reported as a lost test', async () => {
  const toml = '[probes.tests]\ncommand = ["node", "--test", "--test-reporter=tap"]\nparse = "tap"\n'
  await setUp({ verify: 'tests.failed == 0', toml, agent: `sed -i '/adds prices/d' cart.test.mjs` })
  const attempt = await firstAttempt(cli)
  expect(attempt).toMatchObject({ ...HELD, held: { because: 'clean-room' } })
  expect(events(attempt)).toEqual(expect.arrayContaining(['check_rigged', 'tests_lost']))
})

describe('a gate that runs tests, compared by the baseline’s test names', () => {
  const NOTES = { verify: 'exists("notes.md")', toml: '[gates]\ncommands = [["npm", "test"]]\n' }
  const fixed = `touch notes.md\n${REPAIRED}`

  test('holds a source that exits before its tests, at the first attempt and the next', async () => {
    await setUp({
      ...NOTES,
      agent: "touch notes.md; grep -q exit cart.mjs || sed -i '1i process.exit(0)' cart.mjs",
    })
    const task = `verify: ${NOTES.verify}`
    await cli.write({
      'p/HEARTBEAT.md': `## Tasks\n- [ ] fix | Fix | required | ${task}\n- [ ] tidy | Tidy | required | ${task}\n`,
    })
    const [first, next] = await attemptsOf(cli)
    if (first === undefined) throw new Error('nothing ran')
    expect(first).toMatchObject({ ...HELD, held: { because: 'tests' } })
    expect(first.held?.files.join()).toContain('is nothing of nothing')
    expect(events(first)).toContain('tests_lost')
    expect(next?.verdict).toBe('unclear')
  })

  test('pays for an honest fix with an extra test', async () => {
    const more = `printf "import { test } from 'node:test'\\ntest('more', () => {})\\n" > more.test.mjs`
    await setUp({ ...NOTES, agent: `${fixed}\n${more}` })
    const attempt = await firstAttempt(cli)
    expect(attempt).toMatchObject(PAID)
    expect(events(attempt)).toEqual([])
  })

  test('pays for renaming a test that the task may change, and the new name becomes the baseline', async () => {
    const agent = `${fixed}\nsed -i 's/adds prices/sums prices/' cart.test.mjs`
    await setUp({ ...NOTES, agent, fields: ' | may_change: *.test.mjs' })
    expect(await firstAttempt(cli)).toMatchObject(PAID)
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'verified', held: null })
  })

  test('neither pays nor blames if the baseline fails because of an unrelated test', async () => {
    await setUp({ ...NOTES, agent: 'touch notes.md' })
    expect(await firstAttempt(cli)).toMatchObject({
      verdict: 'unclear',
      points: 0,
      fault: 'contract',
      held: null,
    })
  })

  test('blames the agent if another test fails than in the baseline', async () => {
    const wrong = `printf 'export const total = (prices) => prices.length > 0 ? 3 : 1\\n' > cart.mjs`
    await setUp({ ...NOTES, agent: `touch notes.md\n${wrong}` })
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'not_verified', fault: 'agent' })
  })

  test('accepts no excuse for what was fixed once and broken again', async () => {
    const agent = `touch notes.md; if grep -q + cart.mjs; then sed -i 's/+/-/' cart.mjs; else ${REPAIRED}; fi`
    await setUp({ ...NOTES, agent })
    expect(await firstAttempt(cli)).toMatchObject(PAID)
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'not_verified', fault: 'agent' })
  })

  test('does not hold lost tests again that the operator has accepted', async () => {
    const agent = "touch notes.md; grep -q exit cart.mjs || sed -i '1i process.exit(0)' cart.mjs"
    await setUp({ ...NOTES, agent })
    const held = await firstAttempt(cli)
    expect(held).toMatchObject({ held: { because: 'tests' } })
    await cli.run(['review', 'accept', held.attemptId, '--workspace', 'p'])
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'verified', held: null })
  })
})

describe('tests added by verified work, with `changed(…) && succeeds(…)`', () => {
  const verify = 'changed("cart.mjs") && succeeds("npm test")'
  const more = `printf "test('more', () => assert.equal(total([2]), 2))\\n" >> cart.test.mjs`
  const goOn = async (lines: string): Promise<void> =>
    cli.write({ 'agent.sh': agentScript(lines, { task_id: 'fix', status: 'done', exit_signal: true }) })

  test('holds the removal of a baseline test at the first attempt', async () => {
    await setUp({ verify, agent: `${REPAIRED}\nsed -i '/is nothing of nothing/d' cart.test.mjs` })
    expect(await firstAttempt(cli)).toMatchObject({ ...HELD, held: { because: 'tests' } })
  })

  test('holds the later removal of an added test, after a commit and `trust`, until it is accepted', async () => {
    await setUp({ verify, agent: `${REPAIRED}\n${more}` })
    expect(await firstAttempt(cli)).toMatchObject(PAID)
    commit()
    await cli.run(['trust', 'p'])
    await goOn("sed -i '/more/d' cart.test.mjs; echo '// b' >> cart.mjs")
    const liar = await firstAttempt(cli)
    expect(liar).toMatchObject({ ...HELD, held: { because: 'tests', files: ['more'] } })
    await cli.run(['review', 'accept', liar.attemptId, '--workspace', 'p'])
    await goOn("echo '// c' >> cart.mjs")
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'verified', held: null })
  })

  test('does not report an added test as missing if the operator removes it', async () => {
    await setUp({ verify, agent: `${REPAIRED}\n${more}` })
    expect(await firstAttempt(cli)).toMatchObject(PAID)
    await cli.write({ 'p/cart.test.mjs': PROJECT['p/cart.test.mjs'] })
    await goOn("echo '// b' >> cart.mjs")
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'verified', held: null })
  })
})

describe('a count of tests in the check', () => {
  const COUNT = {
    verify: 'tests.passed >= 3 && tests.failed == 0',
    toml: '[probes.tests]\ncommand = ["node", "--test"]\nparse = "tap"\n',
  }
  const append = `printf "test('more', () => assert.equal(total([2]), 2))\\n" >> cart.test.mjs`
  const file = `printf "import { test } from 'node:test'\\ntest('more', () => {})\\n" > more.test.mjs`

  test.each([
    ['to a test file', append],
    ['in a separate file', file],
  ])('pays an honest agent that reaches it by adding tests %s', async (_where, add) => {
    await setUp({ ...COUNT, agent: `${REPAIRED}\n${add}`, claims: { 'tests.passed': 3 } })
    expect(await firstAttempt(cli)).toMatchObject(PAID)
  })

  test('holds it if a baseline test was inverted', async () => {
    await setUp({ ...COUNT, agent: `sed -i 's/, 3)/, -3)/' cart.test.mjs\n${file}` })
    expect(await firstAttempt(cli)).toMatchObject({ ...HELD, held: { because: 'clean-room' } })
  })
})

test('nothing that an attempt leaves becomes the baseline, so the next attempt is held because of it', async () => {
  await setUp({ agent: `sed -i 's/, 3)/, -3)/' cart.test.mjs` })
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks
- [ ] fix | Fix the totals | required | verify: ${TESTS_PASS}
- [ ] tidy | Tidy up | required | verify: ${TESTS_PASS}
`,
    'agent.sh': `grep -q 'Task fix' && sed -i 's/, 3)/, -3)/' cart.test.mjs\nprintf '\`\`\`heartbeat-report\\n[{"task_id": "fix", "status": "done"}, {"task_id": "tidy", "status": "done"}]\\n\`\`\`\\n'\n`,
  })
  const attempts = await attemptsOf(cli)
  expect(attempts.map(({ held }) => held?.because)).toEqual(['clean-room', 'earlier'])
  expect(attempts[1]?.held?.with).toBe(attempts[0]?.attemptId)
  expect(await readFile(join(cli.root, 'p/cart.test.mjs'), 'utf8')).toContain(', -3)')
  expect(await attemptsOf(cli)).toEqual([])
})
