import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * Keeps the record safe from the agent: a change behind Pulseward's back is detected, and the operator decides about it.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({
    'w/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt")\n',
    'w/pulseward.toml': `[agent]\ncommand = [${JSON.stringify(process.execPath)}, "-e", ""]\nsandbox = "off"\n`,
  })
  await cli.run(['run', '--once', '--trust', '--workspace', 'w'])
})
afterEach(() => cli.close())

const dataOf = (): string => {
  const [id = ''] = readdirSync(join(cli.dataDirectory, 'workspaces'))
  return join(cli.dataDirectory, 'workspaces', id)
}

const ledger = (): string =>
  readdirSync(join(dataOf(), 'ledger'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(dataOf(), 'ledger', name), 'utf8'))
    .join('')

async function doctor(...args: string[]): Promise<{ exitCode: number; words: string }> {
  const { exitCode, stdout } = await cli.run(['doctor', '--json', ...args])
  const { checks } = JSON.parse(stdout) as { checks: { name: string; message: string }[] }
  const words = checks
    .filter(({ name }) => /^workspace .*(?:ledger|trust)$/.test(name))
    .map(({ message }) => message)
    .join('\n')
  return { exitCode, words }
}

async function needs(): Promise<string> {
  const { stdout } = await cli.run(['status', '--json', '--workspace', 'w'])
  return JSON.stringify((JSON.parse(stdout) as { needs: unknown }).needs)
}

describe('a record that was rolled back', () => {
  it('is reported until the operator accepts it, and then with who accepted', async () => {
    const before = join(cli.root, 'before')
    cpSync(dataOf(), before, { recursive: true })
    await cli.run(['run', '--once', '--workspace', 'w'])
    const place = dataOf()
    rmSync(place, { recursive: true })
    cpSync(before, place, { recursive: true })

    expect(await doctor()).toMatchObject({ exitCode: 1, words: expect.stringContaining('are missing') })
    expect(await needs()).toContain('The record is incomplete')
    await cli.run(['run', '--once', '--workspace', 'w'])
    expect(await needs()).toContain('The record is incomplete')

    expect((await doctor('--accept', join(cli.root, 'w'))).exitCode).toBe(0)
    expect(await needs()).not.toContain('is incomplete')
    const accepted = ledger()
      .split('\n')
      .find((line) => line.includes('"record-accepted"'))
    expect(accepted).toMatch(/are missing.*"asked":\{"who":"host"/)
  })
})

it('an untouched workspace has nothing to accept', async () => {
  await cli.run(['run', '--once', '--workspace', 'w'])
  expect((await doctor()).exitCode).toBe(0)
  expect(await needs()).not.toContain('is incomplete')
  expect((await cli.run(['doctor', '--accept', 'elsewhere'])).exitCode).toBe(2)
})

it('an approved copy that was swapped is no approval: `doctor` and the heartbeat say so', async () => {
  const approved = join(dataOf(), 'approved-config.toml')
  await cli.write({ 'w/pulseward.toml': '[agent]\ncommand = ["sh", "-c", "touch evil"]\n' })
  cpSync(join(cli.root, 'w/pulseward.toml'), approved)
  expect((await doctor()).words).toContain('is not what you approved')
  await cli.run(['run', '--once', '--workspace', 'w'])
  expect(readdirSync(join(cli.root, 'w'))).not.toContain('evil')
  // Once the command has answered, the operator's approval is in effect.
  expect((await cli.run(['trust', 'w'])).exitCode).toBe(0)
  await cli.run(['run', '--once', '--workspace', 'w'])
  expect(readdirSync(join(cli.root, 'w'))).toContain('evil')
})
