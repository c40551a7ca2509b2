import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Ask, type AskEnvelope, OPERATOR_MARK, type OperatorPass } from '../../core/fleet/ask.ts'
import type { EventBody } from '../../core/record/events.ts'
import type { OperatorRole } from '../../core/vocabulary/fleet.ts'
import type { Notification } from '../ports/notifier.ts'
import { SEEDED } from '../testing/seeded-workspaces.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'
import { askHost, sendAsk, signedAsk, type Wanted } from './ask-hosts.ts'
import { connectHub } from './connect-hub.ts'
import { nameOperator, revokeKey } from './hub.ts'
import { newKey } from './hub-authority.ts'
import { readHub, writeHub } from './hub-document.ts'
import { tellHosts } from './revocations.ts'
import { sign } from './sign.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { type TemporaryHub, temporaryHub } from './testing/temporary-hub.ts'

const eventually = (check: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 })

const PAUSE: Wanted = {
  host: 'build-1',
  workspace: 'held',
  action: 'pause',
  about: null,
  until: null,
  reason: null,
}

/** A proposed change of the configuration. */
const PROPOSED: EventBody = {
  type: 'proposal-made',
  id: 'p-1',
  file: 'pulseward.toml',
  attemptIds: [],
  during: 'claude',
  cycle: null,
  adds: false,
  asksLess: true,
  items: [{ kind: 'setting', taskId: null, before: 'interval_minutes = 5', after: 'interval_minutes = 500' }],
  diff: null,
}

// A slow machine needs half a minute to load everything.
const PATIENCE_MS = 120_000

describe.skipIf(natsServer === null)(`remote requests to a host (${NATS})`, { timeout: PATIENCE_MS }, () => {
  let hub: TemporaryHub
  let host: TemporaryHost
  let told: Notification[]

  const start = async (root?: string): Promise<TemporaryHost> =>
    temporaryHost(
      root === undefined ? { held: { ...SEEDED.held, events: [...SEEDED.held.events, PROPOSED] } } : {},
      {
        scheduled: true,
        notifier: { notify: (one) => void told.push(one) },
        ...(root !== undefined && { root }),
      },
    )
  const connected = (): Promise<void> =>
    eventually(async () => {
      expect((await host.client.fleet.status()).member?.workspaces.map(({ state }) => state)).toEqual([
        'shipped',
      ])
    })

  beforeEach(async () => {
    told = []
    hub = await temporaryHub()
    await hub.prepare('build-1')
    host = await start()
    const { url, token } = await hub.add('build-1')
    await host.client.fleet.join({ url, token })
    await connected()
  }, PATIENCE_MS)
  afterEach(async () => {
    await host.remove()
    await hub.remove()
  }, PATIENCE_MS)

  const passOf = (name: string, role?: OperatorRole): Promise<OperatorPass> => hub.operator(name, role)
  const ask = (pass: OperatorPass, wanted: Partial<Wanted> = {}) =>
    askHost(pass, { ...PAUSE, ...wanted }, Date.now())
  const send = async (pass: OperatorPass, envelope: AskEnvelope, to = 'build-1') => {
    const connection = await connectHub({ ...pass, authority: null })
    try {
      return await sendAsk(connection, to, pass.name, envelope)
    } finally {
      await connection.close()
    }
  }
  const isPaused = async (): Promise<boolean> => (await host.client.workspaces.list({}))[0]?.paused !== null
  const expectRefused = async (kind: string, count = 1): Promise<void> => {
    const { member } = await host.client.fleet.status()
    expect(member?.refusedAsks.map((each) => [each.kind, each.count])).toEqual([[kind, count]])
    expect(told.map(({ key }) => key)).toContainEqual(
      expect.stringMatching(new RegExp(`^fleet-ask:.*:${kind}$`)),
    )
    expect(await isPaused()).toBe(false)
  }

  test('an operator pauses and resumes, and the record names the operator', async () => {
    const pass = await passOf('olga')
    expect(await ask(pass)).toMatchObject({ kind: 'done', workspace: { path: '', name: 'held' } })
    expect(await isPaused()).toBe(true)
    expect(await ask(pass, { action: 'resume' })).toMatchObject({ kind: 'done' })
    expect(await isPaused()).toBe(false)
    const { entries } = await host.client.timeline.list({})
    expect(entries.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'olga asked from afar to pause the workspace',
        'olga asked from afar to resume the workspace',
      ]),
    )
  })

  test('a suspended workspace is resumed and runs nothing before that, and both answers say so', async () => {
    const pass = await passOf('olga')
    const state = async () => (await host.client.workspaces.list({}))[0]
    const refused = await ask(pass, { action: 'run' })
    expect(refused).toMatchObject({ kind: 'failed', problem: expect.stringMatching(/^held is suspended/) })
    expect(await ask(pass, { action: 'stop' })).toMatchObject({
      kind: 'failed',
      problem: 'Nothing is running in held.',
    })
    const reason = 'It was looked at'
    expect(await ask(pass, { action: 'resume', reason })).toMatchObject({
      kind: 'done',
      effect: expect.stringMatching(/^held is no longer suspended\. /),
      workspace: { suspended: null },
    })
    expect((await state())?.suspended).toBeNull()
    expect(await ask(pass, { action: 'resume' })).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(/^held is neither suspended nor paused/),
    })
    const { entries } = await host.client.timeline.list({})
    expect(entries).toContainEqual(
      expect.objectContaining({
        title: 'olga asked from afar to resume the workspace',
        text: [expect.stringContaining(reason)],
      }),
    )
    expect(entries.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'Done: resume the workspace, as olga asked from afar',
        'Refused: run a heartbeat now, as olga asked from afar',
        'Refused: stop the heartbeat that runs, as olga asked from afar',
      ]),
    )
  })

  test('requests that a host did not answer are reported once as interrupted, when it starts again', async () => {
    const { root, dataDirectory } = host
    const workspace = host.id('held')
    expect(await ask(await passOf('olga'))).toMatchObject({ kind: 'done' })
    const answered = async (): Promise<readonly string[]> => {
      const { entries } = await host.client.timeline.list({})
      return entries.filter(({ type }) => type === 'answered-from-afar').map(({ title }) => title)
    }
    const before = JSON.parse(await readFile(join(dataDirectory, 'fleet-asked.json'), 'utf8'))
    await host.stop()
    // The state that a killed host leaves: the pause was recorded as done, the others were not.
    const asked = ['run', 'stop', 'unblock', 'accept', 'refuse', 'resume'].map((action) => ({
      id: randomUUID(),
      operator: 'olga',
      workspace,
      action,
    }))
    const [done = ''] = Object.keys(before.done)
    const pending = [...asked, { id: done, operator: 'olga', workspace, action: 'pause' }]
    await writeFile(join(dataDirectory, 'fleet-asked.json'), JSON.stringify({ ...before, pending }))
    host = await start(root)
    const all = [
      'Done: pause the workspace, as olga asked from afar',
      ...asked.map(() => expect.stringMatching(/^Interrupted: .*, as olga asked from afar$/)),
    ].reverse()
    await eventually(async () => expect(await answered()).toEqual(all))
    await eventually(async () =>
      expect(await readFile(join(dataDirectory, 'fleet-asked.json'), 'utf8')).toContain('"pending":[]'),
    )
    await host.stop()
    host = await start(root)
    await connected()
    expect(await answered()).toEqual(all)
  })

  test('unblocks a task by the same procedure, and records the operator’s name', async () => {
    const pass = await passOf('olga')
    const wanted = { action: 'unblock', about: 'draw_chart', reason: 'The renderer is back' } as const
    expect(await ask(pass, wanted)).toMatchObject({ kind: 'done' })
    expect(await ask(pass, wanted)).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(/draw_chart/),
    })
    const { id } = host
    await eventually(async () => {
      const lines = await hub.lines('build-1', id('held'))
      expect(lines.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({
          type: 'task-unblocked',
          reason: 'The renderer is back',
          asked: expect.objectContaining({ who: 'operator', from: 'olga' }),
        }),
      )
    })
  })

  test.each<[string, Partial<Wanted>, RegExp]>([
    ['a workspace that does not exist', { workspace: 'nowhere' }, /no workspace "nowhere"/],
    ['an unblock without a task', { action: 'unblock' }, /Which task/],
    ['accepting a configuration proposal', { action: 'accept', about: 'p-1' }, /approved on its host alone/],
    ['an answer to an unknown decision', { action: 'refuse', about: '9-9-none' }, /9-9-none/],
    ['a stop when nothing runs', { action: 'stop' }, /Nothing is running/],
  ])('%s is answered like a local request', async (_what, wanted, words) => {
    expect(await ask(await passOf('olga'), wanted)).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(words),
    })
  })

  test('a viewer can look, but not act', async () => {
    const pass = await passOf('viktor', 'viewer')
    expect(await ask(pass, { action: 'look' })).toMatchObject({ kind: 'done', workspace: { name: 'held' } })
    expect(await ask(pass)).toMatchObject({ kind: 'refused', refusal: 'role' })
    await expectRefused('role')
  })

  test('a viewer who claims another role has no certificate for it', async () => {
    const pass = await passOf('viktor', 'viewer')
    const text = pass.certificate.text.replace('"viewer"', '"operator"')
    const forged = [
      { text, signature: pass.certificate.signature },
      // Signed by the viewer's key instead of the hub's.
      sign(pass.signingSeed, 'certificate', text),
    ]
    for (const certificate of forged)
      expect(await ask({ ...pass, certificate })).toMatchObject({ kind: 'refused', refusal: 'certificate' })
    await expectRefused('certificate', 2)
  })

  test('a request that is altered, or signed by someone else, is refused', async () => {
    const pass = await passOf('olga')
    const made = signedAsk(pass, { ...PAUSE, action: 'look' }, Date.now())
    const altered = { ...made, ask: { ...made.ask, text: made.ask.text.replace('"look"', '"pause"') } }
    expect(await send(pass, altered)).toMatchObject({ refusal: 'signature' })
    expect(await ask({ ...pass, signingSeed: newKey().seed })).toMatchObject({ refusal: 'signature' })
    // The server can choose what the connection's key signs, so a signature by that key does not count here.
    expect(await ask({ ...pass, signingSeed: pass.seed })).toMatchObject({ refusal: 'signature' })
    await expectRefused('signature', 3)
  })

  test('carries out a request once, even if the host was restarted in between', async () => {
    const pass = await passOf('olga')
    const envelope = signedAsk(pass, PAUSE, Date.now())
    expect(await send(pass, envelope)).toMatchObject({ kind: 'done' })
    await host.client.heartbeat.resume({})
    expect(await send(pass, envelope)).toMatchObject({ kind: 'refused', refusal: 'replayed' })
    const { root } = host
    await host.stop()
    host = await start(root)
    await connected()
    expect(await send(pass, envelope)).toMatchObject({ refusal: 'replayed' })
    await expectRefused('replayed')
  })

  test.each<[string, (ask: Ask) => Partial<Ask>]>([
    ['that has expired', () => ({ issuedAt: ago(120), expiresAt: ago(60) })],
    ['from the future', () => ({ issuedAt: ago(-3600), expiresAt: ago(-3660) })],
    ['valid for days', () => ({ expiresAt: ago(-86_400) })],
  ])('refuses a request %s', async (_what, change) => {
    const pass = await passOf('olga')
    const made: Ask = JSON.parse(signedAsk(pass, PAUSE, Date.now()).ask.text)
    const changed = JSON.stringify({ ...made, ...change(made), id: randomUUID() })
    const envelope = { certificate: pass.certificate, ask: sign(pass.signingSeed, 'request', changed) }
    expect(await send(pass, envelope)).toMatchObject({ kind: 'refused', refusal: 'expired' })
    await expectRefused('expired')
  })

  test('does not carry out a request to another host', async () => {
    const pass = await passOf('olga')
    const envelope = signedAsk(pass, { ...PAUSE, host: 'build-2' }, Date.now())
    expect(await send(pass, envelope)).toMatchObject({ kind: 'refused', refusal: 'other-host' })
    await expectRefused('other-host')
  })

  test('refuses a revoked operator, and lets no one else send a request in that name', async () => {
    const [olga, oleg] = [await passOf('olga'), await passOf('oleg')]
    await revokeKey(hub.directory, 'olga', Date.now())
    await eventually(() =>
      expect(ask(olga, { action: 'look' })).rejects.toThrow(
        /refuses this key.*pulseward fleet hub operator olga --role operator/s,
      ),
    )
    // Uses a key that is still valid, under its owner's name and under the revoked operator's.
    expect(await send(oleg, signedAsk(olga, PAUSE, Date.now()))).toMatchObject({ refusal: 'certificate' })
    await expectRefused('certificate')
    await expect(
      (async () => {
        const connection = await connectHub({ ...oleg, authority: null })
        try {
          await connection.request('pw.ask.build-1.olga', '{}', { timeout: 60_000 })
        } finally {
          await connection.close()
        }
      })(),
    ).rejects.toThrow(/permission/i)
  })

  /** Revokes a pass in the hub's folder without telling the server, which therefore still accepts it. */
  const takeBack = async (name: string): Promise<void> => {
    const document = await readHub(hub.directory)
    const keys = document.keys.map((each) =>
      each.name === name ? { ...each, revokedAt: new Date().toISOString() } : each,
    )
    await writeHub(hub.directory, { ...document, keys })
  }

  test('a revoked pass is refused by the host itself, even after a restart', async () => {
    const [olga, oleg] = [await passOf('olga'), await passOf('oleg')]
    await takeBack('olga')
    await eventually(async () => expect(await tellHosts(hub.directory)).toBe(1))
    expect(await ask(olga)).toMatchObject({ kind: 'refused', refusal: 'revoked' })
    await expectRefused('revoked')
    const { root } = host
    await host.stop()
    host = await start(root)
    await connected()
    expect(await ask(olga, { action: 'look' })).toMatchObject({ refusal: 'revoked' })
    // Another operator, and the revoked one with a new pass.
    expect(await ask(oleg, { action: 'look' })).toMatchObject({ kind: 'done' })
    expect(await ask(await passOf('olga'), { action: 'look' })).toMatchObject({ kind: 'done' })
  })

  test('only the hub’s authority can revoke a pass', async () => {
    const pass = await passOf('olga')
    const text = JSON.stringify({ v: 1, keys: [JSON.parse(pass.certificate.text).key] })
    const connection = await hub.connect()
    try {
      for (const revoked of [
        sign(pass.signingSeed, 'revocations', text),
        sign(newKey().seed, 'revocations', text),
        { text, signature: pass.certificate.signature },
      ]) {
        const answer = await connection.request('pw.ask.build-1.centre', JSON.stringify({ revoked }), {
          timeout: PATIENCE_MS,
        })
        expect(answer.string()).toMatch(/not signed/)
      }
    } finally {
      await connection.close()
    }
    expect(await ask(pass, { action: 'look' })).toMatchObject({ kind: 'done' })
  })

  test('the center tells a host about passes revoked while it was away when it connects', async () => {
    const pass = await passOf('olga')
    const { root } = host
    await host.stop()
    await takeBack('olga')
    const centre = await temporaryHost({}, { hubDirectory: hub.directory })
    const connection = await hub.connect()
    try {
      await eventually(async () => {
        expect((await connection.request('pw.hello.nobody')).string()).toBe('ok')
      })
      host = await start(root)
      await eventually(async () => {
        expect(await ask(pass, { action: 'look' })).toMatchObject({ refusal: 'revoked' })
      })
    } finally {
      await connection.close()
      await centre.remove()
    }
  })

  test('refuses an operator that the hub no longer names', async () => {
    const { token } = await nameOperator(
      hub.directory,
      { name: 'olga', role: 'operator', days: 1 },
      Date.now() - 2 * 86_400_000,
    )
    const pass = JSON.parse(Buffer.from(token.slice(OPERATOR_MARK.length), 'base64url').toString('utf8'))
    expect(await ask(pass)).toMatchObject({ refusal: 'certificate' })
    await expectRefused('certificate')
  })

  test('garbage and oversized requests are counted, and an absent host is reported as such', async () => {
    const pass = await passOf('olga')
    expect(
      await send(pass, { certificate: { text: '', signature: '' }, ask: { text: '', signature: '' } }),
    ).toMatchObject({
      refusal: 'certificate',
    })
    const { certificate } = pass
    const long = { certificate, ask: { text: 'x'.repeat(70_000), signature: '' } }
    expect(await send(pass, long)).toMatchObject({ refusal: 'malformed' })
    await expect(ask(pass, { host: 'nobody' })).rejects.toThrow(/nobody is not listening.*Nothing was done/)
  })
})

function ago(seconds: number): string {
  return new Date(Date.now() - seconds * 1000).toISOString()
}
