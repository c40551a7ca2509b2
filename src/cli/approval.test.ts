import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* Approval by command, and what a workspace says about unusable files. */

let cli: CliFixture
const run = (...args: string[]) => cli.run(args)

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({ 'p/HEARTBEAT.md': '## Tasks\n- [ ] a | A\n' })
})
afterEach(() => cli.close())

test('trust shows an approved configuration again, whatever its length, and allows adding a probe', async () => {
  const words = `echo ${'x'.repeat(5000)}`
  await cli.write({ 'p/pulseward.toml': `[agent]\ncommand = ["sh", "-c", "${words}"]\n` })
  const first = JSON.parse((await run('trust', 'p', '--json')).stdout)
  expect(first).toMatchObject({ state: 'approved', commands: [{ command: ['sh', '-c', words] }] })
  const { exitCode, stdout } = await run('trust', 'p', '--json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual(first)
  expect(first).toMatchObject({ hash: expect.any(String), text: expect.stringContaining(words) })
  expect((await run('trust', 'p')).stdout).toContain(words)
  const added = await run(
    'probe',
    'add',
    'one',
    '--command',
    'echo 1',
    '--parse',
    'number',
    '--workspace',
    'p',
  )
  expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Written and approved.') })
})

test('a folder with a broken configuration is added, but reported as not approved', async () => {
  await cli.write({ 'p/pulseward.toml': '[agent]\ncommand = []\n' })
  const { exitCode, stdout, stderr } = await run('add', 'p', '--trust')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(
    /^pulseward: The workspace p-\w+ is added, not approved: \S+pulseward\.toml:2:11: [^\n]+\n$/,
  )
  expect(JSON.parse((await run('list', '--json')).stdout).workspaces).toMatchObject([{ trust: 'unapproved' }])
})

test('adding a folder that contains other agents’ work succeeds with a warning', async () => {
  await cli.write({ 'HEARTBEAT.md': '## Tasks\n- [ ] a | A\n' })
  const added = await run('add', '.')
  expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`Added ${cli.root} as `) })
  expect(added.stderr).toMatch(
    /contains Pulseward's data folder\. .* Choose the folder of one project instead, such as /,
  )
  const again = await run('add', '.', '--json')
  expect(again).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(again.stdout)).toMatchObject({ path: cli.root })
  expect((await run('add', 'p')).stderr).toBe('')
})

test("an unreadable contract asks for the operator's attention once", async () => {
  await cli.write({ 'p/pulseward.toml': '[agent]\ncommand = ["true"]\n' })
  await run('add', 'p', '--trust')
  await rm(join(cli.root, 'p/HEARTBEAT.md'))
  expect((await run('run', '--once', '--workspace', 'p')).exitCode).toBe(2)
  const { needs } = JSON.parse((await run('status', '--json', '--workspace', 'p')).stdout)
  expect(needs).toEqual([expect.objectContaining({ kind: 'contract-unreadable', action: 'View' })])
})

test('a command with hidden or reordered characters is shown escaped, and reported as dangerous', async () => {
  await cli.write({ 'p/pulseward.toml': '[agent]\ncommand = ["./run\u202ehs.tset", "np\u200bm"]\n' })
  const { stdout } = await run('add', 'p')
  expect(stdout).toContain('"./run\\u{202e}hs.tset" "np\\u{200b}m"')
  expect(stdout).not.toMatch(/[\u202e\u200b]/u)
})

test('check files with hidden or reordered characters in their names are shown escaped', async () => {
  await cli.write({
    'p/pulseward.toml':
      '[agent]\ncommand = ["true"]\n[probes.n]\ncommand = ["sh", "cnt\u202ehs.sh", "da\u200bta"]\n',
    'p/cnt\u202ehs.sh': 'echo 1\n',
    'p/da\u200bta': 'x\n',
  })
  const { stdout } = await run('add', 'p')
  expect(stdout).toMatch(/executes .*\bcnt\\u\{202e\}hs\.sh/)
  expect(stdout).not.toMatch(/[\u202e\u200b]/u)
})
