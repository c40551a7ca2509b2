import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addWorkspace } from '../../main/config/registry.ts'
import type { Check } from '../doctor-checks.ts'
import { runtimeCheck } from '../doctor-checks.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})

afterEach(() => cli.close())

async function examine(environment: Record<string, string> = {}) {
  const { exitCode, stdout } = await cli.run(['doctor', '--json'], { environment })
  const { checks } = JSON.parse(stdout) as { checks: Check[] }
  const find = (name: string) => checks.find((check) => check.name === name)
  return { exitCode, checks, find }
}

async function addFolder() {
  await cli.write({ 'inbox/HEARTBEAT.md': '## Tasks\n' })
  return addWorkspace(cli.dataDirectory, join(cli.root, 'inbox'), 0)
}

describe('doctor', () => {
  it('finds no problem before the first start', async () => {
    const { exitCode, checks, find } = await examine()
    expect(exitCode).toBe(0)
    expect(find('data folder')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('does not exist yet'),
    })
    expect(checks.every((check) => Object.keys(check).sort().join() === 'message,name,status')).toBe(true)
  })

  it('finds the running host', async () => {
    await cli.serve()
    const { find } = await examine()
    expect(find('host')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining(`process ${process.pid}`),
    })
  })

  it('warns if records cannot be sealed', async () => {
    await addFolder()
    await writeFile(join(cli.root, 'state'), '')
    vi.stubEnv('XDG_STATE_HOME', join(cli.root, 'state'))
    const { exitCode, find } = await examine()
    expect(exitCode).toBe(0)
    expect(find('seals')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(join(cli.root, 'state/pulseward/seals')),
    })
  })

  it('warns of an owner process that does not answer', async () => {
    await mkdir(cli.dataDirectory)
    await writeFile(
      join(cli.dataDirectory, 'lock'),
      JSON.stringify({ pid: process.pid, start: null, nonce: 'x' }),
    )
    const { find } = await examine()
    expect(find('host')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('does not answer'),
    })
  })

  it('reports a data folder that is a file', async () => {
    await cli.write({ data: 'not a folder' })
    const { exitCode, find } = await examine()
    expect(exitCode).toBe(1)
    expect(find('data folder')).toMatchObject({
      status: 'error',
      message: expect.stringContaining('is a file'),
    })
  })

  it('reports the state of each workspace', async () => {
    const { id } = await addFolder()
    const missing = await examine()
    expect(missing.exitCode).toBe(0)
    expect(missing.find(`workspace ${id}`)).toMatchObject({ status: 'ok' })
    expect(missing.find(`workspace ${id} trust`)).toMatchObject({ status: 'warning' })
    expect(missing.find(`workspace ${id} ledger`)).toMatchObject({
      status: 'ok',
      message: '0 events, unbroken',
    })

    await cli.write({ 'inbox/pulseward.toml': '[agent]\ncommand = []\n' })
    const broken = await examine()
    expect(broken.exitCode).toBe(1)
    expect(broken.find(`workspace ${id} trust`)).toMatchObject({
      status: 'error',
      message: expect.stringContaining('pulseward.toml:2:11'),
    })
  })

  it('reports a missing contract', async () => {
    const { id } = await addFolder()
    await rm(join(cli.root, 'inbox/HEARTBEAT.md'))
    const { exitCode, find } = await examine()
    expect(exitCode).toBe(1)
    expect(find(`workspace ${id}`)).toMatchObject({
      status: 'error',
      message: expect.stringContaining('There is no'),
    })
  })

  it('reports an edited ledger', async () => {
    const { id } = await addFolder()
    const ledger = join(cli.dataDirectory, 'workspaces', id, 'ledger')
    await mkdir(ledger, { recursive: true })
    await writeFile(join(ledger, '000000000001.jsonl'), '{"edited": true}\n')
    await writeFile(join(ledger, '..', 'heartbeat-progress.json'), '{"cycleCount": 5}\n')
    const { exitCode, find } = await examine()
    // A problem with a line names that line.
    expect(find(`workspace ${id} ledger`)).toMatchObject({
      status: 'error',
      message: expect.stringMatching(
        /^000000000001\.jsonl:1: broken line: .*; ledger: heartbeat-progress\.json knows 5/,
      ),
    })
    expect(exitCode).toBe(1)
  })

  it('reports an unreadable workspace.json', async () => {
    const { id } = await addFolder()
    await writeFile(join(cli.dataDirectory, 'workspaces', id, 'workspace.json'), '{')
    const { exitCode, find } = await examine()
    expect(exitCode).toBe(1)
    expect(find('workspaces')).toMatchObject({
      status: 'error',
      message: expect.stringContaining('cannot be used'),
    })
  })

  it('names what cannot be read, does not touch it, and does not report the record as missing', async () => {
    await cli.write({ 'inbox/HEARTBEAT.md': '## Tasks\n', 'two/HEARTBEAT.md': '## Tasks\n' })
    const added = await Promise.all(['inbox', 'two'].map((name) => cli.run(['add', name, '--json'])))
    const [one = '', two = ''] = added.map(({ stdout }) => String(JSON.parse(stdout).id))
    await cli.write({
      'data/settings.json': '{',
      [`data/workspaces/${one}/workspace.json`]: '{',
      [`data/workspaces/${two}/heartbeat-score.json`]: '{bad',
      [`data/workspaces/${two}/approved-config.toml`]: '=',
    })
    const listing = (): Promise<string[]> => readdir(cli.dataDirectory, { recursive: true })
    const before = await listing()
    const { exitCode, checks, find } = await examine()
    expect(exitCode).toBe(1)
    expect(checks.filter(({ name }) => name === 'workspaces')).toEqual([
      expect.objectContaining({ message: expect.stringContaining(`${one}/workspace.json cannot be used.`) }),
    ])
    expect(find('settings')).toMatchObject({
      status: 'error',
      message: expect.stringContaining('settings.json'),
    })
    expect(find(`workspace ${two} documents`)).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/heartbeat-score\.json cannot be used: [^\n]+$/),
    })
    expect((await listing()).toSorted()).toEqual(before.toSorted())
  })

  it('finds agents on the PATH, and only programs', async () => {
    await cli.write({ 'bin/claude': '#!/bin/sh\n', 'bin/codex': 'no program' })
    await chmod(join(cli.root, 'bin/claude'), 0o755)
    const { find } = await examine({ PATH: join(cli.root, 'bin') })
    expect(find('agents')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining(`Claude Code (${join(cli.root, 'bin/claude')}), logged in`),
    })
    expect(find('agents')?.message).not.toContain(join(cli.root, 'bin/codex'))
    expect(find('git')).toMatchObject({ status: 'warning' })
  })

  it('names the variables that are kept from agents', async () => {
    const { find } = await examine({ DEPLOY_KEY: 'x' })
    expect(find('environment')?.message).toMatch(/DEPLOY_KEY.*pass_env/)
  })

  it.each([
    ['20.17.0', 'error'],
    ['18.20.0', 'error'],
    ['20.18.0', 'ok'],
    ['24.1.0', 'ok'],
  ])('calls Node.js %s %s', (node, status) => expect(runtimeCheck({ node }).status).toBe(status))
})
