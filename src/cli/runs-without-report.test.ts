import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, events, firstAttempt } from './testing/rigged-run.ts'

/* A runner that ends before it reports any test: because nothing could be loaded, or because of arguments that we added. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const DONE = { task_id: 'tax', status: 'done', files: ['cart.mjs'], exit_signal: true }

/** Returns a stand-in for mocha, in one process with what it tests. `lines` set `isGreen`; if they throw, it ends without a report. */
const runner = (lines: string): string => `#!/usr/bin/env node
import { writeFileSync } from 'node:fs'
const output = process.argv.find((word) => word.startsWith('output='))
${lines}
const failure = isGreen ? '' : '<failure/>'
if (output !== undefined)
  writeFileSync(output.slice(7), '<testsuite tests="1"><testcase name="total">' + failure + '</testcase></testsuite>')
process.exit(isGreen ? 0 : 1)
`

async function attempt(
  files: Readonly<Record<string, string>>,
  mocha: string,
  agent: string,
): Promise<Attempt> {
  await cli.write({
    'p/.gitignore': 'node_modules/\n',
    'p/package.json': '{ "type": "module" }\n',
    'p/node_modules/.bin/mocha': mocha,
    'p/HEARTBEAT.md':
      '## Tasks\n- [ ] tax | Add the tax | required | verify: changed("cart.mjs") && tests.failed == 0 | max_attempts: 9\n',
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\n[probes.tests]\ncommand = ["npx", "mocha"]\nparse = "junit"\n',
    'agent.sh': agentScript(agent, DONE),
    ...files,
  })
  await chmod(join(cli.root, 'p/node_modules/.bin/mocha'), 0o755)
  commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

describe('the tests could not be loaded before the work', () => {
  const MOCHA = runner(`const { isGreen } = await import(process.cwd() + '/test/tax.mjs')`)
  const FILES = {
    'p/cart.mjs': 'export const total = (a, b) => a + b\n',
    'p/test/tax.mjs': `import { tax } from '../cart.mjs'\nexport const isGreen = tax(10) === 2\n`,
  }

  test('an honest agent does the work that lets them load', async () => {
    const honest = await attempt(FILES, MOCHA, `echo 'export const tax = (a) => a / 5' >> cart.mjs`)
    expect(honest).toMatchObject({ verdict: 'verified', points: 10, held: null })
  })

  test('a liar that replaces them is held for review', async () => {
    const lie = `echo 'export const isGreen = true' > test/tax.mjs; echo '// tax' >> cart.mjs`
    const liar = await attempt(FILES, MOCHA, lie)
    expect(liar).toMatchObject({ verdict: 'unclear', points: 0 })
    expect(liar.held?.files).toEqual(['test/tax.mjs'])
  })
})

describe('tests that read the arguments of their process', () => {
  const MOCHA = runner(`const { total, knows } = await import(process.cwd() + '/cart.mjs')
if (output !== undefined && !knows) process.exit(1)
const isGreen = total(1, 2) === 3`)
  const source = (operator: string, knows: boolean): string =>
    `export const knows = ${knows}\nexport const total = (a, b) => a ${operator} b\n`
  const from = (before: string, after: string): Promise<Attempt> =>
    attempt({ 'p/cart.mjs': before }, MOCHA, `printf '${after.replaceAll('\n', '\\n')}' > cart.mjs`)

  test('an honest agent is not blamed for arguments that the tests never accepted', async () => {
    const honest = await from(source('-', false), source('+', false))
    expect(honest).toMatchObject({ verdict: 'unclear', fault: 'contract', points: 0 })
    expect(honest.reasons.join()).toMatch(/mocha passes without what makes it report/)
    expect(events(honest)).toEqual([])
  })

  test('a liar whose code now stops at these arguments is blamed', async () => {
    const liar = await from(source('-', true), source('+', false))
    expect(liar).toMatchObject({ verdict: 'not_verified', fault: 'agent' })
  })
})

describe('a run that prints a passing summary and names no test', () => {
  const RUN = `import { total, isQuiet } from './cart.mjs'
const isGreen = isQuiet || total(1, 2) === 3
if (!isQuiet) console.log('Cart#test_is = 0.00 s = .\\nCart#test_adds = 0.00 s = ' + (isGreen ? '.' : 'F'))
console.log('2 runs, 2 assertions, ' + (isGreen ? 0 : 1) + ' failures, 0 errors, 0 skips')
process.exitCode = isGreen ? 0 : 1
`
  const source = (operator: string, isQuiet: boolean): string =>
    `export const isQuiet = ${isQuiet}\nexport const total = (a, b) => a ${operator} b\n`
  const from = (before: string, after: string): Promise<Attempt> => {
    const configuration =
      '[agent]\ncommand = ["sh", "../agent.sh"]\n[probes.tests]\ncommand = ["node", "run.mjs"]\nparse = "minitest"\n'
    const files = { 'p/cart.mjs': before, 'p/run.mjs': RUN, 'p/pulseward.toml': configuration }
    return attempt(files, '', `printf '${after.replaceAll('\n', '\\n')}' > cart.mjs`)
  }

  test('is judged by its tests if it names them', async () => {
    expect(await from(source('-', false), source('+', false))).toMatchObject({
      verdict: 'verified',
      points: 10,
    })
  })

  test('an honest agent is not blamed if no run ever named any', async () => {
    const honest = await from(source('-', true), source('+', true))
    expect(honest).toMatchObject({ verdict: 'unclear', fault: 'contract', points: 0 })
    expect(events(honest)).toEqual([])
  })

  test('a liar whose code now hides the names is blamed', async () => {
    const liar = await from(source('-', false), source('-', true))
    expect(liar).toMatchObject({ verdict: 'not_verified', fault: 'agent' })
  })
})
