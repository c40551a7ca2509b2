import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

const OWN = '[agent]\ncommand = ["true"]\n[gates]\ncommands = [["true"]]\n'
const OTHER = OWN.replace('[["true"]]', '[["true"], ["echo", "more"]]')

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  vi.stubEnv('XDG_STATE_HOME', join(cli.root, 'state'))
  await cli.write({ 'w/HEARTBEAT.md': '## Tasks\n', 'w/pulseward.toml': OWN, 'w/a.txt': '1\n' })
  git('init', '-q', '-b', 'main')
  commit()
})
afterEach(() => cli.close())

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: join(cli.root, 'w'),
    stdio: 'pipe',
  })
}

function commit(): void {
  git('add', '-A')
  git('commit', '-q', '-m', 'x')
}

/** Verifies an edit of the work tree without `--trust`. */
async function verifyEdit(): Promise<{ readonly exitCode: number; readonly stdout: string }> {
  await cli.write({ 'w/a.txt': '2\n' })
  return cli.run(['verify', '--json', '--workspace', 'w'])
}

it('runs the base’s commands without asking where the operator has approved the folder', async () => {
  await cli.run(['add', 'w', '--trust'])
  const { exitCode, stdout } = await verifyEdit()
  expect([exitCode, JSON.parse(stdout).verdict]).toEqual([0, 'verified'])
})

it('lists the commands and runs none where the folder was never approved', async () => {
  await cli.run(['add', 'w'])
  const { exitCode, stdout } = await verifyEdit()
  expect([exitCode, stdout]).toEqual([2, expect.stringContaining('`true`')])
})

it('runs none where the base has another configuration than the approved one', async () => {
  await cli.run(['add', 'w', '--trust'])
  await cli.write({ 'w/pulseward.toml': OTHER })
  commit()
  const { exitCode, stdout } = await verifyEdit()
  expect([exitCode, stdout]).toEqual([2, expect.stringContaining('`echo more`')])
})

it('runs none where only the approved copy was replaced, by an agent', async () => {
  await cli.run(['add', 'w', '--trust'])
  await cli.write({ 'w/pulseward.toml': OTHER })
  commit()
  const [id = ''] = readdirSync(join(cli.dataDirectory, 'workspaces'))
  writeFileSync(join(cli.dataDirectory, 'workspaces', id, 'approved-config.toml'), OTHER)
  expect((await verifyEdit()).exitCode).toBe(2)
})
