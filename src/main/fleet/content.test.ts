import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AllowedContent } from '../../core/fleet/content.ts'
import { exists } from '../files/durable-file.ts'
import { systemClock } from '../host/system-clock.ts'
import { SEEDED } from '../testing/seeded-workspaces.ts'
import { type TemporaryHost, temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'
import { CentreStore } from './centre-store.ts'
import { connectHub } from './connect-hub.ts'
import { getContent } from './content-bucket.ts'
import { ContentSender } from './send-content.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { line } from './testing/sample-messages.ts'
import { type TemporaryHub, temporaryHub } from './testing/temporary-hub.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const PATIENCE_MS = 240_000
const eventually = (check: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: 50 })

const TOKEN = `ghp_${'a1B2'.repeat(10)}`
/** Digest of `garbage`. */
const GARBAGE_DIGEST = 'SHA-256=eVtpBOVPgkEd9LDiejc6Ve6j-dZtrFqbzh3ZL3tAHaU='
const NONE: AllowedContent = { sendPrompts: false, sendOutput: false, sendDifferences: false }

describe.skipIf(natsServer === null)(
  `attempt content, sent only where allowed (${NATS})`,
  { timeout: 2 * PATIENCE_MS },
  () => {
    let hub: TemporaryHub
    let root: string
    let closers: (() => Promise<unknown>)[]

    beforeEach(async () => {
      closers = []
      root = await temporaryFolder()
      hub = await temporaryHub()
    }, PATIENCE_MS)
    afterEach(async () => {
      for (const close of closers.toReversed()) await close()
      await hub.remove()
      await rm(root, { recursive: true, force: true })
    }, PATIENCE_MS)

    const connected = async (name: string): Promise<NatsConnection> => {
      const connection = await connectHub(await hub.pass(name))
      closers.push(() => connection.close())
      return connection
    }
    const fetched = async (name: string) => {
      const connection = await hub.connect()
      try {
        return (await getContent(await jetstreamManager(connection), 'build-1', name))?.content ?? null
      } finally {
        await connection.close()
      }
    }

    /** Creates a workspace with attempts that are added by hand, and its sender. */
    const workspace = async () => {
      const attemptsDirectory = join(root, 'attempts')
      await mkdir(attemptsDirectory, { recursive: true })
      const state = {
        allowed: NONE,
        connection: null as NatsConnection | null,
        attempts: [] as { attemptId: string; seq: number }[],
      }
      const source = {
        workspace: 'job-1',
        dataDirectory: root,
        attemptsDirectory,
        allowed: () => state.allowed,
        attempts: () => state.attempts,
      }
      const start = (): ContentSender => {
        const sender = new ContentSender({
          clock: { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(10, signal) },
          log: SILENT,
          host: 'build-1',
          workspaces: () => [source],
          connection: () => state.connection,
        })
        closers.push(() => sender.stop())
        return sender
      }
      const add = async (attemptId: string, seq: number): Promise<void> => {
        for (const ending of ['prompt', 'log', 'diff'])
          await writeFile(join(attemptsDirectory, `${attemptId}.${ending}`), `${ending} ${TOKEN}\n`)
        state.attempts = [{ attemptId, seq }, ...state.attempts]
      }
      return { state, start, add }
    }
    const ALL: AllowedContent = { sendPrompts: true, sendOutput: true, sendDifferences: true }
    const isPlaced = () =>
      eventually(async () => expect(await exists(join(root, 'fleet-content.json'))).toBe(true))
    const isUnplaced = () =>
      eventually(async () => expect(await exists(join(root, 'fleet-content.json'))).toBe(false))

    test('sends only allowed content, without secrets, and nothing from before it was allowed', async () => {
      await hub.prepare('build-1')
      const { state, start, add } = await workspace()
      state.connection = await connected('build-1')
      await add('1-1-before', 5)
      state.allowed = { ...NONE, sendOutput: true }
      const sender = start()
      await isPlaced()
      await add('2-1-output', 9)
      await eventually(() => expect(sender.status).toEqual({ sent: 1, waiting: 0, problem: null }))
      expect(await fetched('job-1/2-1-output')).toEqual({
        v: 1,
        prompt: null,
        output: 'log [GitHub token hidden]\n',
        difference: null,
      })
      expect(await fetched('job-1/1-1-before')).toBeNull()

      state.allowed = NONE
      await isUnplaced()
      expect(sender.status).toBeNull()
      await add('3-1-unsaid', 12)
      state.allowed = ALL
      await isPlaced()
      await add('4-1-all', 15)
      await eventually(() => expect(sender.status).toMatchObject({ sent: 2, waiting: 0 }))
      expect(await fetched('job-1/3-1-unsaid')).toBeNull()
      expect(await fetched('job-1/4-1-all')).toEqual({
        v: 1,
        prompt: 'prompt [GitHub token hidden]\n',
        output: 'log [GitHub token hidden]\n',
        difference: 'diff [GitHub token hidden]\n',
      })
    })

    test('keeps content while there is no hub, even across a restart, and sends all of it afterwards', async () => {
      const { state, start, add } = await workspace()
      state.allowed = ALL
      const before = start()
      await isPlaced()
      await add('1-1-one', 3)
      await add('2-1-two', 6)
      await eventually(() => expect(before.status).toEqual({ sent: 0, waiting: 2, problem: null }))
      await before.stop()
      const sender = start()
      state.connection = await connected('build-1')
      // The center has not made room yet.
      await eventually(() => expect(sender.status?.problem).toMatch(/not made room/))
      await hub.prepare('build-1')
      await eventually(() => expect(sender.status).toEqual({ sent: 2, waiting: 0, problem: null }))
      for (const name of ['1-1-one', '2-1-two'])
        expect(await fetched(`job-1/${name}`)).toMatchObject({ difference: 'diff [GitHub token hidden]\n' })
    })

    test('does not send waiting content if the operator has changed what is allowed', async () => {
      await hub.prepare('build-1')
      const { state, start, add } = await workspace()
      state.allowed = ALL
      const sender = start()
      await isPlaced()
      await add('1-1-one', 3)
      state.allowed = { ...ALL, sendOutput: false }
      state.connection = await connected('build-1')
      await eventually(() => expect(sender.status).toEqual({ sent: 0, waiting: 0, problem: null }))
      await add('2-1-two', 6)
      await eventually(() => expect(sender.status).toMatchObject({ sent: 1, waiting: 0 }))
      expect(await fetched('job-1/1-1-one')).toBeNull()
      expect(await fetched('job-1/2-1-two')).toMatchObject({
        output: null,
        difference: 'diff [GitHub token hidden]\n',
      })
    })

    test('lets a host write only into its own bucket, and read none, not even its own', async () => {
      for (const host of ['build-1', 'build-2']) await hub.prepare(host)
      const connection = await connected('build-2')
      const client = jetstream(connection)
      await client.publish('$O.PW_CONTENT_build-2.C.x', 'x')
      await expect(client.publish('$O.PW_CONTENT_build-1.C.x', 'x')).rejects.toThrow(/permission/i)
      for (const host of ['build-1', 'build-2'])
        for (const question of ['DIRECT.GET', 'STREAM.MSG.GET', 'STREAM.PURGE', 'STREAM.DELETE'])
          await expect(
            connection.request(`$JS.API.${question}.OBJ_PW_CONTENT_${host}`, '{"seq":1}', {
              timeout: PATIENCE_MS,
            }),
          ).rejects.toThrow(/permission/i)
    })

    test('lets the center read content, but neither write nor remove it', async () => {
      await hub.prepare('build-1')
      const client = jetstream(await connected('build-1'))
      await client.publish('$O.PW_CONTENT_build-1.C.x', 'x')
      const centre = await hub.connect()
      closers.push(() => centre.close())
      const all = headers()
      all.set('Nats-Rollup', 'all')
      for (const options of [{}, { headers: all }])
        await expect(jetstream(centre).publish('$O.PW_CONTENT_build-1.C.x', 'y', options)).rejects.toThrow(
          /permission/i,
        )
      const { direct } = await jetstreamManager(centre)
      const kept = await direct.getMessage('OBJ_PW_CONTENT_build-1', { seq: 1 })
      expect(kept?.string()).toBe('x')
    })

    test.each<[string, object]>([
      ['is too large', { size: 900 * 1024 * 1024, chunks: 1 }],
      ['has too many chunks', { size: 10, chunks: 1_000_000 }],
      ['has another digest', { digest: `SHA-256=${'A'.repeat(43)}=` }],
      [
        "points into another host's bucket",
        { nuid: 'x.y', options: { link: { bucket: 'PW_CONTENT_build-2' } } },
      ],
      ['does not decompress', {}],
    ])('rejects a stored object that %s', async (_what, lie) => {
      await hub.prepare('build-1')
      const connection = await connected('build-1')
      const client = jetstream(connection)
      const nuid = 'A'.repeat(22)
      await client.publish(`$O.PW_CONTENT_build-1.C.${nuid}`, 'garbage')
      const given = headers()
      given.set('Nats-Rollup', 'sub')
      const name = Buffer.from('job-1/1-1-x').toString('base64url')
      const meta = { name: 'job-1/1-1-x', nuid, size: 7, chunks: 1, digest: GARBAGE_DIGEST, ...lie }
      const subject = `$O.PW_CONTENT_build-1.M.${name}${'='.repeat((4 - (name.length % 4)) % 4)}`
      await client.publish(subject, JSON.stringify(meta), { headers: given })
      await expect(fetched('job-1/1-1-x')).rejects.toThrow()
    })

    test('fetches an attempt from a host that allows it, and explains why another host has none', async () => {
      const running: TemporaryHost[] = []
      closers.push(async () => {
        for (const host of running) await host.remove()
      })
      const centre = await temporaryHost({}, { hubDirectory: hub.directory })
      running.push(centre)
      const agent = `require('fs').writeFileSync('count.txt', '3'); console.log('It said ${TOKEN}')`
      const configuration = SEEDED.one.configuration.replace(
        '["true"]',
        JSON.stringify([process.execPath, '-e', agent]),
      )
      const host = await temporaryHost(
        {
          open: {
            ...SEEDED.one,
            configuration: `${configuration}\n[fleet]\nsend_prompts = true\nsend_output = true\n`,
          },
          closed: { ...SEEDED.one, configuration },
        },
        { scheduled: true },
      )
      running.push(host)
      const { url, token } = await hub.add('build-1')
      await host.client.fleet.join({ url, token })
      const place = join(host.dataDirectory, 'workspaces', host.id('open'), 'fleet-content.json')
      await eventually(async () => expect(await exists(place)).toBe(true))
      const ran = new Map<string, string>()
      for (const name of ['open', 'closed']) {
        const report = await host.client.heartbeat.run({ workspace: host.id(name), wait: true })
        ran.set(name, report?.attempts[0]?.attemptId ?? '')
      }
      const content = (name: string) =>
        centre.client.fleet.content({ host: 'build-1', workspace: name, attempt: ran.get(name) ?? '' })
      await eventually(async () => {
        expect(await content('open')).toMatchObject({
          host: 'build-1',
          workspace: host.id('open'),
          prompt: expect.stringContaining('Check the mail'),
          output: expect.stringContaining('It said [GitHub token hidden]'),
          difference: null,
        })
      })
      await eventually(async () => {
        await expect(content('closed')).rejects.toThrow(/does not allow sending it/)
      })
      expect(await exists(place.replace(host.id('open'), host.id('closed')))).toBe(false)
      await expect(
        centre.client.fleet.content({ host: 'build-1', workspace: 'none', attempt: 'x' }),
      ).rejects.toThrow(/0 workspaces called "none"/)
      // The hub has the content a moment before this host knows.
      await eventually(async () => {
        expect((await host.client.fleet.status()).member?.content).toMatchObject({ sent: 1, waiting: 0 })
      })
    })

    test('a newly started center knows a workspace, however many there are', async () => {
      const ids = Array.from({ length: 180 }, (_, index) => `job-${index}`)
      await mkdir(join(root, 'data'))
      const store = new CentreStore(join(root, 'data', 'fleet.sqlite'), Date.now())
      store.take(new Map([['build-1', ids.map((id, index) => line(id, index + 1))]]), 'now')
      store.close()
      const centre = await temporaryHost({}, { root, hubDirectory: hub.directory })
      closers.push(() => centre.remove())
      const answer = () =>
        centre.client.fleet.content({ host: 'build-1', workspace: 'job-179', attempt: 'a-1' }).then(
          () => 'found',
          (error: Error) => error.message,
        )
      let said = ''
      // Until the center is connected, the answer is that there is no hub.
      await eventually(async () => {
        said = await answer()
        expect(said).toContain('build-1')
      })
      expect(said).toMatch(/^The hub has nothing of a-1 of build-1/)
    })
  },
)
