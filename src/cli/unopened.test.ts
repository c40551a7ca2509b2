import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openLedger } from '../main/ledger/ledger.ts'
import { sealStore } from '../main/ledger/seal.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * A workspace that is no longer supervised because its data was damaged: it is always reported, with a way to fix it.
 */

let cli: CliFixture
let id: string

beforeEach(async () => {
  cli = await createCliFixture()
  vi.stubEnv('XDG_STATE_HOME', join(cli.root, 'state'))
  await cli.write({
    'w/HEARTBEAT.md': '## Tasks\n- [ ] a | Do a | required | verify: exists("a.txt")\n',
    'w/pulseward.toml': '[agent]\ncommand = ["touch", "a.txt"]\nsandbox = "off"\n',
    'v/HEARTBEAT.md': '## Tasks\n',
  })
  const { stdout } = await cli.run(['run', '--once', '--trust', '--json', '--workspace', 'w'])
  id = JSON.parse(stdout).workspace
})
afterEach(() => cli.close())

const data = (...path: string[]): string => join(cli.dataDirectory, 'workspaces', id, ...path)

describe('a workspace with an unreadable workspace.json', () => {
  beforeEach(() => writeFile(data('workspace.json'), '{"id": '))

  it('is named by status, list, score and doctor, at every start', async () => {
    for (const _start of ['first', 'second']) {
      for (const command of [['status'], ['score']]) {
        const { exitCode, stderr } = await cli.run(command)
        expect(exitCode).toBe(2)
        expect(stderr).toMatch(/w could not be opened: .*workspace\.json cannot be used.*pulseward add DIR/)
      }
      const list = await cli.run(['list', '--json'])
      expect(JSON.parse(list.stdout)).toMatchObject({ workspaces: [], unopened: [{ id, name: 'w' }] })
      const doctor = await cli.run(['doctor'])
      expect(doctor.exitCode).toBe(1)
      expect(doctor.stdout).toContain('workspace.json cannot be used')
    }
    await cli.run(['add', 'v'])
    expect((await cli.run(['status', '--workspace', 'v'])).stdout).toMatch(/w could not be opened: /)
  })

  it('continues with its record when its folder is added again', async () => {
    await cli.run(['list'])
    await cli.run(['add', 'w'])
    const { stdout } = await cli.run(['status', '--json', '--workspace', 'w'])
    expect(JSON.parse(stdout)).toMatchObject({
      workspace: id,
      trust: 'approved',
      score: { score: 10 },
      unopened: [],
    })
  })

  it('can be removed, and its record is kept aside', async () => {
    expect((await cli.run(['remove', id])).exitCode).toBe(0)
    expect(JSON.parse((await cli.run(['list', '--json'])).stdout)).toEqual({ workspaces: [], unopened: [] })
    expect(await readdir(join(cli.dataDirectory, 'workspaces'))).toEqual([
      expect.stringContaining(`.removed-${id}-`),
    ])
  })
})

describe('a workspace whose record has an unreadable line', () => {
  it('is reported by status, and continues once it was accepted', async () => {
    const [segment = ''] = (await readdir(data('ledger'))).filter((name) => name.endsWith('.jsonl'))
    const lines = (await readFile(data('ledger', segment), 'utf8')).split('\n')
    lines[2] = 'garbled'
    await writeFile(data('ledger', segment), lines.join('\n'))
    await rm(data('ledger', 'snapshot.json'), { force: true })
    const needs = async () =>
      JSON.parse((await cli.run(['status', '--json', '--workspace', 'w'])).stdout).needs
    expect(await needs()).toMatchObject([
      { kind: 'record-not-whole', reason: expect.stringMatching(/\.jsonl:3: .*doctor --accept/) },
    ])
    await cli.run(['doctor', '--accept', id])
    expect(await needs()).toEqual([])
    expect((await cli.run(['run', '--once', '--workspace', 'w'])).exitCode).toBe(0)
    expect(await needs(), 'at later starts').toEqual([])
  })
})

describe('a computer whose clock was years ahead', () => {
  it('reports that the day does not advance, and what to do', async () => {
    const ledger = await openLedger({
      directory: data(),
      clock: { nowMs: () => Date.UTC(2061, 0, 1), monotonicMs: () => 0, sleep: async () => {} },
      localDay: () => '2061-01-01',
      timestamp: () => '2061-01-01T00:00:00Z',
      log: { info: () => {}, warn: () => {}, error: () => {} },
      seals: sealStore(data()),
    })
    await ledger.append({ type: 'day-rolled' })
    await ledger.close()
    const { needs } = JSON.parse((await cli.run(['status', '--json', '--workspace', 'w'])).stdout)
    expect(needs).toMatchObject([
      {
        kind: 'finding',
        reason: expect.stringMatching(/record is at 2061-01-01 already.*Set the clock right/),
      },
    ])
  })
})

describe('a workspace whose data was deleted', () => {
  beforeEach(() => rm(data(), { recursive: true }))

  it('is named with the number of its events until the operator removes it', async () => {
    const { unopened } = JSON.parse((await cli.run(['list', '--json'])).stdout)
    expect(unopened).toMatchObject([
      { id, reason: expect.stringMatching(/record is gone: it had \d+ events/) },
    ])
    expect((await cli.run(['doctor'])).stdout).toContain(`the record of ${id} is gone`)
    await cli.run(['doctor', '--accept', id])
    expect(JSON.parse((await cli.run(['list', '--json'])).stdout)).toEqual({ workspaces: [], unopened: [] })
  })
})
