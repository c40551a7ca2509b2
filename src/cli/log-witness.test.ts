import { cpSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * If the seal is lost, the log and the other workspaces are witnesses: anyone who rolls a workspace's folder back would have to change
 * these too.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  vi.stubEnv('XDG_STATE_HOME', join(cli.root, 'state'))
  vi.stubEnv('PULSEWARD_LOG_LEVEL', 'info')
  await cli.write({
    'w/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt")\n',
    'w/pulseward.toml': '[agent]\ncommand = ["true"]\nsandbox = "off"\n',
  })
  await cli.run(['run', '--once', '--trust', '--workspace', 'w'])
})
afterEach(() => cli.close())

const once = () => cli.run(['run', '--once', '--workspace', 'w'])

const needs = async (): Promise<string> =>
  JSON.stringify(JSON.parse((await cli.run(['status', '--json', '--workspace', 'w'])).stdout).needs)

/** Rolls the record and its documents back to before `since`; returns their folder. */
async function rolledBack(since: () => Promise<unknown>): Promise<string> {
  const there = place()
  const before = join(cli.root, 'before')
  cpSync(there, before, { recursive: true })
  await since()
  rmSync(there, { recursive: true })
  cpSync(before, there, { recursive: true })
  return there
}

const loseSeals = () => rmSync(join(cli.root, 'state'), { recursive: true, force: true })

const place = (folder = 'w'): string => {
  const all = readdirSync(join(cli.dataDirectory, 'workspaces'))
  return join(cli.dataDirectory, 'workspaces', all.find((name) => name.startsWith(`${folder}-`)) ?? '')
}

/** Creates another workspace, which keeps notes about the others. */
async function neighbour(): Promise<void> {
  await cli.write({
    'v/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt")\n',
    'v/pulseward.toml': '[agent]\ncommand = ["true"]\nsandbox = "off"\n',
  })
  await cli.run(['run', '--once', '--trust', '--workspace', 'v'])
}

const loseLog = () => rmSync(join(cli.dataDirectory, 'pulseward.log'))

it('a folder that was rolled back with its documents and its seal is detected through the log, until it is accepted', async () => {
  const there = await rolledBack(once)
  loseSeals()
  expect((await cli.run(['doctor'])).stdout).toContain('pulseward.log knows event')
  expect(await needs()).toContain('pulseward.log knows event')
  expect((await cli.run(['doctor', '--accept', basename(there)])).exitCode).toBe(0)
  expect(await needs()).not.toContain('pulseward.log')
  loseSeals()
  expect(await needs(), 'at a later start without a seal').not.toContain('pulseward.log')
})

it('does not report a restored backup, or a folder that was removed and added again', async () => {
  await cli.run(['backup'])
  await once()
  const { stdout } = await cli.run(['backup', 'list', '--json'])
  await cli.run(['backup', 'restore', JSON.parse(stdout).backups[0].name])
  loseSeals()
  expect(await needs()).not.toContain('pulseward.log')
  await cli.run(['remove', 'w'])
  await cli.run(['add', 'w'])
  loseSeals()
  expect(await needs()).not.toContain('pulseward.log')
})

it('does not suspect an unchanged record that only lost its seal', async () => {
  await once()
  loseSeals()
  expect(await needs()).not.toContain('pulseward.log')
  expect((await cli.run(['doctor'])).stdout).not.toContain('pulseward.log')
})

describe('another workspace that has noted the end of the record', () => {
  it('detects one that was rolled back with its documents, its seal and the log, until it is accepted', async () => {
    await neighbour()
    await once()
    const there = await rolledBack(once)
    loseSeals()
    loseLog()
    const words = `the workspace ${basename(place('v'))} noted`
    expect((await cli.run(['doctor'])).stdout).toContain(words)
    expect(await needs()).toContain(words)
    expect((await cli.run(['doctor', '--accept', basename(there)])).exitCode).toBe(0)
    loseSeals()
    loseLog()
    expect(await needs(), 'at a later start without a seal').not.toContain('noted')
    expect((await cli.run(['doctor'])).stdout).not.toContain('noted')
  })

  it('detects one that was rewritten with matching hashes, and one that is missing along with its seal', async () => {
    await neighbour()
    await once()
    const there = place()
    rmSync(join(there, 'ledger'), { recursive: true })
    for (const name of readdirSync(there).filter((each) => each.startsWith('heartbeat-')))
      rmSync(join(there, name))
    loseSeals()
    loseLog()
    // Longer than it was before.
    for (let heartbeat = 0; heartbeat < 3; heartbeat += 1) await once()
    expect(await needs()).toMatch(/noted/)
    await cli.run(['doctor', '--accept', basename(there)])
    await once()
    rmSync(there, { recursive: true })
    loseSeals()
    const { stdout } = await cli.run(['doctor'])
    expect(stdout).toContain(`the record of ${basename(there)} is gone`)
    expect((await cli.run(['doctor', '--accept', basename(there)])).exitCode).toBe(0)
    expect((await cli.run(['doctor'])).stdout).not.toContain('is gone')
  })

  it('does not report a workspace that was removed and added again, or that only lost its seal', async () => {
    await neighbour()
    await once()
    loseSeals()
    expect(await needs()).not.toContain('noted')
    await cli.run(['remove', 'w'])
    await cli.run(['add', 'w'])
    loseSeals()
    expect(await needs()).not.toContain('noted')
    expect((await cli.run(['doctor'])).stdout).not.toMatch(/noted|is gone/)
  })
})
