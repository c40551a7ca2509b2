import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

let cli: CliFixture
const FILES = {
  'HEARTBEAT.md': '# W\n\n## Tasks\n- [ ] a | Count the mails | verify: mails\n',
  'pulseward.toml': '# mine\n[agent] # keep\ncommand = ["true"]\n',
}

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({ 'w/HEARTBEAT.md': FILES['HEARTBEAT.md'], 'w/pulseward.toml': FILES['pulseward.toml'] })
  await cli.run(['add', 'w', '--trust'])
})
afterEach(() => cli.close())

const probe = (...args: string[]) =>
  cli.run(['probe', 'add', 'mails', ...args, '--json'], { currentDirectory: 'w' })
const configuration = () => readFile(join(cli.root, 'w', 'pulseward.toml'), 'utf8')

it('a probe is added to the configuration and approved once its trial has returned a value', async () => {
  const { exitCode, stdout } = await probe('--command', 'echo 3', '--parse', 'number')
  const toml = '[probes.mails]\ncommand = ["echo", "3"]\nparse = "number"\n'
  expect({ exitCode, answer: JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    answer: { value: 3, toml, written: true, approved: true },
  })
  expect(await configuration()).toBe(`${FILES['pulseward.toml']}\n${toml}`)
})

it('a probe with --try is not written', async () => {
  expect(
    JSON.parse((await probe('--command', 'echo', '3', '--parse', 'number', '--try')).stdout),
  ).toMatchObject({
    value: 3,
    written: false,
  })
  expect(await configuration()).toBe(FILES['pulseward.toml'])
})

it.each([
  ['cannot be read', ['--command', 'false', '--parse', 'number'], 1, 'could not be read'],
  ['has no source', ['--parse', 'number'], 2, '--command'],
  ['has an unknown parse format', ['--command', 'echo 3', '--parse', 'roman'], 2, 'parse'],
])(
  'a probe that %s is rejected with the reason, and nothing is written',
  async (_name, args, exitCode, reason) => {
    const answer = await probe(...args)
    expect(answer.exitCode).toBe(exitCode)
    expect(answer.stderr + answer.stdout).toContain(reason)
    expect(await configuration()).toBe(FILES['pulseward.toml'])
  },
)

it('a folder’s tests are found, tried and written without naming a command', async () => {
  await cli.write({
    'w/package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    'w/a.test.js': "import { test } from 'node:test'\ntest('one', () => {})\n",
  })
  const { stdout } = await cli.run(['probe', 'add', 'tests', '--json'], { currentDirectory: 'w' })
  expect(JSON.parse(stdout)).toMatchObject({
    value: { passed: 1, failed: 0, executed: 1, total: 1 },
    toml: '[probes.tests]\ncommand = ["npm", "test"]\nparse = "tap"\n',
    written: true,
    approved: true,
  })
})

it('a folder without a test runner is told how to name one', async () => {
  const { exitCode, stderr } = await cli.run(['probe', 'add', 'tests'], { currentDirectory: 'w' })
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--command') })
  expect(await configuration()).toBe(FILES['pulseward.toml'])
})
