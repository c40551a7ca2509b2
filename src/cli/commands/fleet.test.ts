import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FleetEntry } from '../../core/fleet/view.ts'
import { CentreStore } from '../../main/fleet/centre-store.ts'
import {
  freePort,
  NATS,
  natsServer,
  type RunningServer,
  startServer,
} from '../../main/fleet/testing/nats-server.ts'
import { record } from '../../main/fleet/testing/sample-messages.ts'
import { finishedAttempt, noteEvent } from '../../main/ledger/testing/sample-events.ts'
import { temporaryHost } from '../../main/testing/temporary-host.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const hubFile = (name: string): string => join(cli.dataDirectory, 'hub', name)

it('writes a hub with private files, and prints keys only once without storing them', async () => {
  const made = await cli.run(['fleet', 'hub', '--address', 'hub.example.org:4222', '--json'])
  expect(JSON.parse(made.stdout)).toMatchObject({
    url: 'tls://hub.example.org:4222',
    commands: [expect.stringMatching(/^nats-server -c /), expect.stringMatching(/^pulseward serve --fleet /)],
  })
  const added = JSON.parse((await cli.run(['fleet', 'hub', 'add', 'build-1', '--json'])).stdout)
  const { seed } = JSON.parse(Buffer.from(added.token.slice(5), 'base64url').toString('utf8'))
  const users = await readFile(hubFile('users.conf'), 'utf8')
  expect(users).toContain(added.key)
  expect(`${users}${await readFile(hubFile('hub.json'), 'utf8')}`).not.toContain(seed)
  expect((await stat(hubFile('centre.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(hubFile('tls/key.pem'))).mode & 0o777).toBe(0o600)
  const revoked = await cli.run(['fleet', 'hub', 'revoke', 'build-1'])
  expect(revoked.stderr).toMatch(/is not running from this folder/)
  expect(await readFile(hubFile('users.conf'), 'utf8')).not.toContain(added.key)
  const listed = JSON.parse((await cli.run(['fleet', 'hub', 'list', '--json'])).stdout)
  expect(listed).toMatchObject([{ name: 'build-1', role: 'host', revokedAt: expect.any(String) }])
})

it.each([
  [['hub'], 2, /Name the address/],
  [['hub', '--address', 'nowhere'], 2, /"nowhere" is not an address/],
  [['hub', 'add', 'build-1'], 2, /There is no hub in .*fleet hub --address/],
  [['hub', 'operator', 'olga'], 2, /There is no hub in/],
  [['hub', 'operator', 'olga', '--role', 'king'], 2, /viewer, operator/],
  [['hub', 'operator', 'olga', '--days', '9999'], 2, /1 to 3650/],
  [['ask', 'build-1', 'inbox', 'dance'], 2, /"dance" is not one of look, pause/],
  [['ask', 'Build 1', 'inbox', 'look'], 2, /not the name of a host/],
  [['ask', 'build-1', 'inbox', 'look'], 2, /no operator pass in .*operator\.pass/],
  [['timeline', '--kind', 'nonsense'], 2, /Allowed choices are verdict, /],
  [['timeline', '--severity', 'worst'], 2, /Allowed choices are critical, /],
  [['timeline'], 2, /not the center of a fleet/],
  [['export', 'all.json', '--format', 'xml'], 2, /--format is json or csv/],
  [['export', 'all.json'], 2, /not the center of a fleet/],
  [['join', 'tls://127.0.0.1:1'], 2, /--token/],
  [['join', 'tls://127.0.0.1:1', '--token', 'x'], 2, /not a hub token/],
  [['join', 'tls://127.0.0.1:1', '--token-file', 'none'], 2, /none cannot be read/],
])('fleet %j fails with a readable message', async (args, exitCode, words) => {
  const answer = await cli.run(['fleet', ...args])
  expect(answer.stderr).toMatch(words)
  expect(answer.exitCode).toBe(exitCode)
})

it('says how to join a fleet if this host is in none', async () => {
  expect((await cli.run(['fleet', 'status'])).stdout).toMatch(/in no fleet\. Join one/)
  expect((await cli.run(['fleet', 'leave'])).stdout).toMatch(/was in no fleet/)
})

it('filters the center’s timeline and its document the same way, by host, kind, severity and text', async () => {
  // No host is serving; the timeline that the hub stored earlier is still shown.
  await cli.run(['fleet', 'hub', '--address', `127.0.0.1:${await freePort()}`])
  const store = new CentreStore(join(cli.dataDirectory, 'fleet.sqlite'), Date.now())
  const wrong = finishedAttempt('a-1', { verdict: 'not_verified', reasons: ['No Postman came'] })
  store.take(
    new Map([
      ['build-1', record('job', 1, [noteEvent('A hint'), wrong])],
      ['laptop', record('job', 1, [finishedAttempt('a-2', { verdict: 'verified' })])],
    ]),
    'now',
  )
  store.close()
  const centre = await temporaryHost({}, { root: cli.root, hubDirectory: hubFile('.') })
  try {
    // The hub is unreachable: its last known hosts are shown, and the command fails.
    const hosts = await cli.run(['fleet', 'hosts'])
    expect(hosts).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The hub cannot be reached') })
    expect(hosts.stdout).not.toContain('No host has joined yet')
    const found = async (...options: string[]): Promise<unknown> => {
      const answer = await cli.run(['fleet', 'timeline', ...options, '--json'])
      expect(answer.stderr).toBe('')
      const entries: FleetEntry[] = JSON.parse(answer.stdout)
      await rm(join(cli.root, 'all.json'), { force: true })
      await cli.run(['fleet', 'export', 'all.json', ...options])
      const document = JSON.parse(await readFile(join(cli.root, 'all.json'), 'utf8'))
      expect(document.map(({ id }: { id: string }) => id)).toEqual(entries.map(({ entry }) => entry.id))
      return entries.map(({ host, entry }) => `${host} ${entry.kind} ${entry.attemptId}`)
    }
    const [failed, kept] = ['build-1 verdict a-1', 'laptop verdict a-2']
    expect(await found('--kind', 'verdict')).toEqual([failed, kept])
    expect(await found('--kind', 'gap', '--kind', 'verdict', '--host', 'laptop')).toEqual([kept])
    expect(await found('--kind', 'gap')).toEqual([])
    const last = await cli.run(['fleet', 'export', '--kind', 'verdict', 'last.json'])
    expect(last.stderr).toBe('')
    expect(JSON.parse(await readFile(join(cli.root, 'last.json'), 'utf8'))).toHaveLength(2)
    expect(await found('--text', 'postMAN')).toEqual([failed])
    expect(await found('--text', 'postMAN', '--host', 'laptop')).toEqual([])
    expect(await found('--kind', 'verdict', '--severity', 'critical')).toEqual([])
    expect(await found('--kind', 'verdict', '--severity', 'warning')).toEqual([failed])
  } finally {
    await centre.stop()
  }
})

describe.skipIf(natsServer === null)(`with a server (${NATS})`, () => {
  let server: RunningServer | null = null
  afterEach(async () => server?.stop())

  it('the generated configuration starts the server, and a host joins and leaves', async () => {
    const address = `127.0.0.1:${await freePort()}`
    await cli.run(['fleet', 'hub', '--address', address])
    server = await startServer(join(cli.dataDirectory, 'hub'))
    const added = JSON.parse((await cli.run(['fleet', 'hub', 'add', 'build-1', '--json'])).stdout)
    expect(added.notYet).toBeNull()
    await cli.write({ token: added.token })
    const joined = await cli.run(['fleet', 'join', added.url, '--token-file', 'token', '--group', 'ci'])
    expect(joined.stdout).toMatch(/^Joined tls:.* as build-1/)
    const status = JSON.parse((await cli.run(['fleet', 'status', '--json'])).stdout)
    expect(status.member).toMatchObject({ host: 'build-1', group: 'ci', state: 'idle' })
    expect((await cli.run(['fleet', 'leave'])).stdout).toMatch(/^Left\./)
    await cli.run(['fleet', 'hub', 'revoke', 'build-1'])
    const again = await cli.run(['fleet', 'join', added.url, '--token-file', 'token'])
    expect(again.stderr).toMatch(/refuses this key/)
    expect(again.exitCode).toBe(2)
  })

  it('an operator is named, connects with only a private file, and is told which host does not listen', async () => {
    const address = `127.0.0.1:${await freePort()}`
    await cli.run(['fleet', 'hub', '--address', address])
    server = await startServer(join(cli.dataDirectory, 'hub'))
    const named = await cli.run(['fleet', 'hub', 'operator', 'olga', '--role', 'operator'])
    expect(named.stdout).toMatch(/^pwo1\.\S+\n$/)
    expect(named.stderr).toMatch(/act as olga \(operator\) until/)
    const file = join(cli.dataDirectory, 'operator.pass')
    await writeFile(file, named.stdout, { mode: 0o644 })
    await chmod(file, 0o644)
    const asked = ['fleet', 'ask', 'build-1', 'inbox', 'pause']
    expect((await cli.run(asked)).stderr).toMatch(/others may read it: chmod 600/)
    await chmod(file, 0o600)
    const answer = await cli.run(asked)
    expect(answer.stderr).toMatch(/build-1 is not listening.*Nothing was done/)
    expect(answer.exitCode).toBe(3)
  }, 120_000)
})
