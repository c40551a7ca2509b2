import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSocketServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Channel, channelSchema } from '../../core/channels/channel.ts'
import type { Channels } from '../ports/channels.ts'
import type { Notification } from '../ports/notifier.ts'
import { createSimulatedClock } from '../testing/simulated-clock.ts'
import { openChannels } from './channels.ts'

const LOCKDOWN: Notification = {
  key: 'k',
  about: 'lockdown',
  workspaceId: 'w',
  title: 'Mail <needs> you & more',
  body: 'claimed 3, measured 0',
}

interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Starts a local service that answers as told, and records what it received. */
async function service(...answers: readonly (number | 'hangs' | Readonly<Record<string, string>>)[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    received.push({ path: request.url ?? '', headers: request.headers, body })
    const answer = answers[Math.min(received.length, answers.length) - 1] ?? 200
    if (answer === 'hangs') return
    if (typeof answer === 'number') response.writeHead(answer).end('secret words')
    else response.writeHead(Number(answer.status), answer).end()
  })
  const url = await listening(server)
  onTestFinished(() => void server.closeAllConnections())
  return { url, received }
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
}

async function opened(...given: readonly (Partial<Channel> & Pick<Channel, 'type' | 'address'>)[]) {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pulseward-channels-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  const clock = createSimulatedClock(Date.parse('2026-11-20T23:30:00'))
  const warnings: string[] = []
  const log = {
    info: () => {},
    warn: (message: string, fields?: object) =>
      void warnings.push(`${message} ${JSON.stringify(fields ?? {})}`),
    error: () => {},
  }
  const lost: Notification[] = []
  const open = (isResident = true): Promise<Channels> =>
    openChannels({
      dataDirectory,
      isResident,
      clock,
      log,
      nameOf: () => 'Mail',
      notifier: {
        notify: (notification) => {
          lost.push(notification)
          channels.notify(notification)
        },
      },
    })
  const channels = await open()
  for (const [index, channel] of given.entries())
    await channels.put(channelSchema.parse({ name: `c${index}`, ...channel }))
  onTestFinished(() => channels.stop())
  return { channels, clock, dataDirectory, warnings, open, lost }
}

const settled = (channels: Channels, count: number) =>
  expect.poll(() => channels.receipts(500)).toHaveLength(count)

describe('a message', () => {
  it('goes to a webhook, signed so that its receiver can verify the sender', async () => {
    const { url, received } = await service(204)
    const { channels } = await opened({
      type: 'webhook',
      address: `http://${url}/hook`,
      secret: 'sesame-sesame',
    })
    channels.notify({ ...LOCKDOWN, taskId: 'mail' })
    await settled(channels, 1)
    const { headers, body } = received[0] ?? { headers: {} as IncomingMessage['headers'], body: '' }
    expect(JSON.parse(body)).toMatchObject({
      type: 'pulseward.notification',
      about: 'lockdown',
      severity: 'critical',
      workspace: { id: 'w', name: 'Mail' },
      task: 'mail',
      title: LOCKDOWN.title,
      link: null,
    })
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const expected = createHmac('sha256', 'sesame-sesame').update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${expected}`)
    expect(channels.receipts(1)).toMatchObject([
      { isAccepted: true, answer: '204 No Content', nextTryAt: null },
    ])
  })

  it('goes to an ntfy topic, with a link if one is known', async () => {
    const { url, received } = await service(200)
    const { channels } = await opened({
      type: 'ntfy',
      address: `http://${url}/base/my-topic`,
      secret: 'tk_12345678',
      link: 'https://tunnel.example.org/',
    })
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    expect(received[0]).toMatchObject({ path: '/base/', headers: { authorization: 'Bearer tk_12345678' } })
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      topic: 'my-topic',
      priority: 5,
      click: 'https://tunnel.example.org/#/w/w',
    })
  })

  it('sends the login in its address, to a topic as well as to an uptime monitor', async () => {
    const { url, received } = await service(200)
    const login = 'me:pass%40w%rd'
    const { channels } = await opened(
      { type: 'webhook', address: `http://${login}@${url}/hook` },
      { type: 'ntfy', address: `http://${login}@${url}/topic` },
      { type: 'ping', address: `http://${login}@${url}/ping` },
    )
    for (const name of ['c0', 'c1', 'c2'])
      expect(await channels.test(name)).toMatchObject({ isAccepted: true, answer: '200 OK' })
    const basic = `Basic ${Buffer.from('me:pass@w%rd').toString('base64')}`
    expect(received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/hook', basic],
      ['/', basic],
      ['/ping/log', basic],
    ])
  })

  it('is plain text for Slack, whatever an agent puts into a name', async () => {
    const { url, received } = await service(200)
    const { channels } = await opened({ type: 'slack', address: `http://${url}/services/x` })
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    const body = JSON.parse(received[0]?.body ?? '')
    expect(body.text).toBe('Mail &lt;needs&gt; you &amp; more')
    expect(body.blocks.map(({ text }: { text: { type: string } }) => text.type)).toEqual([
      'plain_text',
      'plain_text',
    ])
  })

  it('goes to Apprise with its severity', async () => {
    const { url, received } = await service(200)
    const { channels } = await opened({ type: 'apprise', address: `http://${url}/notify/key` })
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      type: 'failure',
      format: 'text',
      title: LOCKDOWN.title,
    })
  })

  it('is sent by mail, and no name becomes a header', async () => {
    const said: string[] = []
    const server = createSocketServer((socket) => {
      let isData = false
      socket.write('220 here\r\n')
      socket.on('data', (chunk) => {
        for (const line of chunk.toString().split('\r\n')) {
          if (line === '') continue
          said.push(line)
          if (isData && line !== '.') continue
          isData = line === 'DATA'
          socket.write(isData ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
        }
      })
    })
    const { channels } = await opened({
      type: 'email',
      address: `smtp://${await listening(server)}`,
      from: 'pulse@example.org',
      to: ['me@example.org'],
    })
    channels.notify({ ...LOCKDOWN, title: 'One\r\nBcc: thief@example.org' })
    await settled(channels, 1)
    expect(channels.receipts(1)).toMatchObject([{ isAccepted: true }])
    expect(said).toContain('RCPT TO:<me@example.org>')
    expect(said.filter((line) => /^(bcc|rcpt to:.*thief)/i.test(line))).toEqual([])
  })
})

describe('a service that', () => {
  it('refuses for a while is retried at growing intervals, and gets the message once', async () => {
    const { url, received } = await service(503, 503, 200)
    const { channels, clock } = await opened({ type: 'webhook', address: `http://${url}/` })
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    await clock.advance(5_000)
    await settled(channels, 2)
    await clock.advance(29_000)
    expect(channels.receipts(500)).toHaveLength(2)
    // Don't await this: the service never answers.
    void clock.advance(1_000)
    await settled(channels, 3)
    expect(channels.receipts(500).map(({ attempt, isAccepted }) => [attempt, isAccepted])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ])
    const ids = received.map(({ body }) => JSON.parse(body).id)
    expect(new Set(ids).size).toBe(1)
  })

  it('asks for a pause is left alone for that long', async () => {
    const { url } = await service({ status: '429', 'retry-after': '90' }, { status: '200' })
    const { channels, clock } = await opened({ type: 'webhook', address: `http://${url}/` })
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    await clock.advance(89_000)
    expect(channels.receipts(500)).toHaveLength(1)
    void clock.advance(1_000)
    await settled(channels, 2)
  })

  it.each([[404], [401], [302]])('answers %d is not retried', async (status) => {
    const { url } = await service({ status: String(status), location: 'http://127.0.0.1:1/elsewhere' })
    const { channels } = await opened({ type: 'webhook', address: `http://${url}/` })
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    expect(channels.receipts(1)).toMatchObject([{ isAccepted: false, nextTryAt: null }])
  })

  it('is missing, or hangs, delays neither the caller, nor another channel, nor the end', async () => {
    const hanging = await service('hangs')
    const { url, received } = await service(200)
    const { channels } = await opened(
      { type: 'webhook', address: 'http://127.0.0.1:1/token-in-path' },
      { type: 'webhook', address: `http://${hanging.url}/` },
      { type: 'webhook', address: `http://${url}/` },
    )
    channels.notify(LOCKDOWN)
    await expect.poll(() => [received.length, hanging.received.length]).toEqual([1, 1])
    await channels.stop()
    expect(JSON.stringify(channels.receipts(500))).not.toContain('token-in-path')
  })

  it.each([
    ['webhook', 'http'],
    ['email', 'smtp'],
  ] as const)('hangs during a %s test: closing aborts the test', async (type, scheme) => {
    const silent = createSocketServer()
    const url = await listening(silent)
    const { channels } = await opened({ type, address: `${scheme}://${url}`, from: 'a@b.c', to: ['a@b.c'] })
    const tested = channels.test('c0')
    const [socket] = await once(silent, 'connection')
    onTestFinished(() => void socket.destroy())
    await channels.stop()
    expect(channels.receipts(5)).toMatchObject([{ isAccepted: false }])
    expect(await tested).toMatchObject({ isAccepted: false })
  })
})

describe('closing the host', () => {
  it('does not wait for a mail server that keeps talking and never finishes', async () => {
    let talked = 0
    const server = createSocketServer((socket) => {
      socket.write('220 here\r\n')
      const talk = setInterval(() => socket.write('250-and one more thing\r\n', () => talked++), 20)
      socket.on('error', () => {}).on('close', () => clearInterval(talk))
    })
    const { channels } = await opened({
      type: 'email',
      address: `smtp://${await listening(server)}`,
      from: 'pulse@example.org',
      to: ['me@example.org'],
    })
    channels.notify(LOCKDOWN)
    await expect.poll(() => talked).toBeGreaterThan(3)
    await channels.stop()
    expect(channels.receipts(1)).toMatchObject([
      { isAccepted: false, answer: 'the mail was not sent in time' },
    ])
  })

  it('lets a message that is being sent arrive', async () => {
    let answer = (): void => {}
    const slow = createServer((request, response) => {
      request.resume()
      answer = () => void response.end()
    })
    const { channels } = await opened({ type: 'webhook', address: `http://${await listening(slow)}/` })
    const asked = new Promise((resolve) => slow.once('request', resolve))
    channels.notify(LOCKDOWN)
    await asked
    const stopped = channels.stop()
    answer()
    await stopped
    expect(channels.receipts(500)).toMatchObject([{ isAccepted: true }])
  })

  it('retries once what has failed before, and sends nothing in quiet hours', async () => {
    const { url, received } = await service(503, 200)
    const address = `http://${url}/`
    const { channels } = await opened(
      { type: 'webhook', address },
      { type: 'webhook', address: `${address}quiet`, quietHours: { from: '22:00', to: '06:00' } },
    )
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    await channels.stop()
    expect(received.map(({ path }) => path)).toEqual(['/', '/'])
  })
})

describe('a channel that is changed while a message waits', () => {
  it('sends it to its new address', async () => {
    const [old, young] = [await service(503), await service(200)]
    const { channels, clock } = await opened({ type: 'webhook', address: `http://${old.url}/` })
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    await channels.put(channelSchema.parse({ name: 'c0', type: 'webhook', address: `http://${young.url}/` }))
    void clock.advance(5_000)
    await settled(channels, 2)
    expect([old.received.length, young.received.length]).toEqual([1, 1])
  })

  it('sends nothing more if it was removed', async () => {
    const { url, received } = await service(503)
    const { channels } = await opened({ type: 'webhook', address: `http://${url}/` })
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    await channels.remove('c0')
    await channels.stop()
    expect(received).toHaveLength(1)
  })
})

describe('which messages are sent', () => {
  it('depends on kind, severity and workspace', async () => {
    const { url, received } = await service(200)
    const address = `http://${url}/`
    const { channels } = await opened(
      { type: 'webhook', address: `${address}kinds`, kinds: ['suspension'] },
      { type: 'webhook', address: `${address}gravity`, severity: 'critical' },
      { type: 'webhook', address: `${address}workspace`, workspaces: ['other'] },
    )
    channels.notify({ ...LOCKDOWN, about: 'blockedTask' })
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    expect(received.map(({ path }) => path)).toEqual(['/gravity'])
  })

  it('depends on quiet hours: messages wait until these end', async () => {
    const { url, received } = await service(200)
    const { channels, clock } = await opened({
      type: 'webhook',
      address: `http://${url}/`,
      quietHours: { from: '22:00', to: '06:00' },
    })
    channels.notify(LOCKDOWN)
    await clock.advance(6 * 3_600_000)
    expect(received).toEqual([])
    void clock.advance(1_800_000)
    await settled(channels, 1)
  })

  it('does not wait longer if the machine slept through the end of quiet hours', async () => {
    const { url } = await service(200)
    const { channels, clock } = await opened({
      type: 'webhook',
      address: `http://${url}/`,
      quietHours: { from: '22:00', to: '06:00' },
    })
    channels.notify(LOCKDOWN)
    await clock.sleeping()
    clock.suspend(9 * 3_600_000)
    void clock.advance(60_000)
    await settled(channels, 1)
  })

  it('includes a ping per heartbeat, in the protocol of healthchecks.io', async () => {
    const { url, received } = await service(200)
    const { channels } = await opened({ type: 'ping', address: `http://${url}/ping/id/`, workspaces: ['w'] })
    channels.notify(LOCKDOWN)
    channels.heartbeat({ workspace: 'other', sign: 'start', text: '' })
    for (const sign of ['start', 'success', 'fail', 'log'] as const)
      channels.heartbeat({ workspace: 'w', sign, text: sign })
    await settled(channels, 4)
    expect(received.map(({ path }) => path)).toEqual([
      '/ping/id/start',
      '/ping/id',
      '/ping/id/fail',
      '/ping/id/log',
    ])
  })
})

describe('the channel configuration', () => {
  it('survives a restart in a private file, and is shown without secrets', async () => {
    const { channels, dataDirectory, open } = await opened({
      type: 'slack',
      address: 'https://hooks.example.org/services/T0/very-secret',
      secret: 'also-very-secret',
    })
    const { mode } = await stat(join(dataDirectory, 'channels.json'))
    expect(mode & 0o077).toBe(0)
    const again = await open()
    expect(again.list()).toEqual(channels.list())
    expect(again.list()).toMatchObject([{ name: 'c0', to: 'hooks.example.org', hasSecret: true }])
    expect(JSON.stringify(again.list())).not.toContain('very-secret')
    await again.stop()
  })

  it.each(['http://[::1', 'http://127.0.0.1:99999/x', 'http://x:y:z/'])(
    'is refused with an invalid address, such as %s',
    (address) => {
      for (const type of ['webhook', 'ping'] as const)
        expect(channelSchema.safeParse({ name: 'c', type, address }).error?.issues[0]?.message).toMatch(
          /^an address that begins with http/,
        )
    },
  )

  it('can be changed without giving its address again', async () => {
    const { url, received } = await service(200)
    const { channels } = await opened({
      type: 'webhook',
      address: `http://${url}/hook`,
      secret: 'very-secret',
    })
    const rules = {
      severity: 'critical',
      kinds: ['budget'],
      workspaces: [],
      quietHours: null,
      link: null,
      answers: false,
    } as const
    const only = { ...rules, kinds: [...rules.kinds], workspaces: [] }
    expect(await channels.change({ name: 'c0', ...only })).toMatchObject({
      severity: 'critical',
      hasSecret: true,
    })
    channels.notify(LOCKDOWN)
    await channels.change({ name: 'c0', ...only, kinds: [] })
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    expect(received).toHaveLength(1)
    expect(await channels.change({ name: 'nobody', ...only })).toBeNull()
  })

  it('is set aside and reported if it cannot be read', async () => {
    const { dataDirectory, open, warnings } = await opened()
    await writeFile(join(dataDirectory, 'channels.json'), '{"channels": [{"name": "x"')
    const channels = await open()
    expect(channels.list()).toEqual([])
    expect(warnings.join()).toMatch(/channels\.json is not usable.*It is now .*corrupt/)
    await channels.stop()
  })

  it('can be tested, and its receipts survive a restart', async () => {
    const { url } = await service(200)
    const { channels, dataDirectory, open } = await opened({ type: 'ntfy', address: `http://${url}/topic` })
    expect(await channels.test('c0')).toMatchObject({ isAccepted: true, answer: '200 OK' })
    expect(await channels.test('nobody')).toBeNull()
    await channels.stop()
    expect(await readFile(join(dataDirectory, 'receipts.jsonl'), 'utf8')).toContain('"200 OK"')
    const again = await open()
    expect(again.receipts(5)).toHaveLength(1)
    await again.stop()
  })

  it.each([
    ['webhook', 'ftp://example.org/', /begins with http/],
    ['ntfy', 'https://topics.example.org/', /address of a topic/],
    ['email', 'https://mail.example.org', /begins with smtp/],
    ['slack', 'not an address', /begins with http/],
  ] as const)('%s at %s is refused with a message that does not repeat it', (type, address, words) => {
    const parsed = channelSchema.safeParse({ name: 'c', type, address, from: 'a@b.c', to: ['a@b.c'] })
    expect(parsed.error?.issues[0]?.message).toMatch(words)
    expect(parsed.error?.issues[0]?.message).not.toContain(address)
  })
})

const HOUR = 3_600_000

describe('a service that is down', () => {
  /** Starts a receiver that can be told to fail and to recover. */
  async function failing(severity: 'critical' | 'warning' | 'info') {
    let status = 503
    const received: string[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      if (status === 200) received.push(JSON.parse(body).title)
      response.writeHead(status).end()
    })
    const { channels, clock, lost } = await opened(
      { type: 'webhook', address: `http://${await listening(server)}/` },
      { type: 'webhook', address: `http://${(await service(200)).url}/`, kinds: ['trouble'] },
    )
    channels.notify({ ...LOCKDOWN, severity })
    await settled(channels, 1)
    /** Waits for the answer to each attempt over a real connection before it advances the clock. */
    const pass = async (untilMs: number): Promise<void> => {
      const endMs = clock.nowMs() + untilMs
      for (;;) {
        const next = channels.receipts(500).find(({ channel }) => channel === 'c0')?.nextTryAt ?? null
        const nextMs = next === null ? Number.POSITIVE_INFINITY : Date.parse(next)
        if (nextMs > endMs) break
        const tries = channels.receipts(500).length
        await clock.sleeping()
        void clock.advance(nextMs - clock.nowMs())
        await expect.poll(() => channels.receipts(500).length).toBeGreaterThan(tries)
      }
      if (endMs > clock.nowMs()) void clock.advance(endMs - clock.nowMs())
    }
    const comesBack = (): void => {
      status = 200
    }
    return { channels, clock, lost, received, pass, comesBack }
  }

  it.each(['critical', 'warning'] as const)('gets a %s message after three hours', async (severity) => {
    const { channels, received, lost, pass, comesBack } = await failing(severity)
    await pass(3 * HOUR)
    expect(received).toEqual([])
    expect(channels.receipts(1)).toMatchObject([{ isAccepted: false, nextTryAt: expect.any(String) }])
    comesBack()
    await pass(HOUR)
    expect(received).toEqual([LOCKDOWN.title])
    expect(lost).toEqual([])
  })

  it('loses a message after one of two days, which is reported in the app and through another channel', async () => {
    const { channels, received, lost, pass } = await failing('critical')
    await pass(23 * HOUR)
    expect(lost).toEqual([])
    await pass(24 * HOUR)
    expect(received).toEqual([])
    expect(lost).toMatchObject([
      { about: 'trouble', severity: 'critical', title: `The channel c0 did not deliver: ${LOCKDOWN.title}` },
    ])
    // Don't report it through the channel that lost it, which would lose the report too.
    await expect
      .poll(() => channels.receipts(500).filter(({ title }) => title.startsWith('The channel')))
      .toMatchObject([{ channel: 'c1', isAccepted: true }])
  })

  it('gets what waited for it after a restart, as the same message', async () => {
    const { url, received } = await service(503, 503, 200)
    const address = `http://${url}/`
    const { channels, open, dataDirectory } = await opened(
      { type: 'webhook', address },
      { type: 'webhook', address: `${address}quiet`, quietHours: { from: '22:00', to: '06:00' } },
    )
    channels.notify(LOCKDOWN)
    await settled(channels, 1)
    channels.notify({ ...LOCKDOWN, key: 'p', about: 'permission', permissionId: 'p', title: 'May it?' })
    await channels.stop()
    expect(await readFile(join(dataDirectory, 'waiting.json'), 'utf8')).toContain(LOCKDOWN.title)
    expect((await stat(join(dataDirectory, 'waiting.json'))).mode & 0o777).toBe(0o600)
    const tried = received.length
    // A single command neither sends nor drops what waits.
    await (await open(false)).stop()
    expect(received).toHaveLength(tried)
    const again = await open()
    await expect.poll(() => received.length).toBeGreaterThan(tried)
    await again.stop()
    const bodies = received.filter(({ path }) => path === '/').map(({ body }) => JSON.parse(body))
    const [first, last] = [bodies[0], bodies.at(-1)]
    expect(last).toEqual(first)
    // Messages held until morning still wait; a permission request has expired.
    const left = JSON.parse(await readFile(join(dataDirectory, 'waiting.json'), 'utf8')).waiting
    expect(left).toMatchObject([{ channel: 'c1', message: { title: LOCKDOWN.title }, attempt: 0 }])
    expect(received.map(({ path }) => path)).not.toContain('/quiet')
  })

  it('no longer gets an info message after two hours, and its loss is reported', async () => {
    const { channels, lost, pass } = await failing('info')
    await pass(3 * HOUR)
    expect(lost).toMatchObject([{ severity: 'info' }])
    expect(channels.receipts(500).filter(({ channel }) => channel === 'c0')).toHaveLength(7)
  })

  it('gets everything that waits as soon as it accepts one message', async () => {
    const { channels, received, pass, comesBack } = await failing('critical')
    await pass(3 * HOUR)
    comesBack()
    const before = channels.receipts(500).length
    channels.notify({ ...LOCKDOWN, title: 'Another' })
    await settled(channels, before + 2)
    expect(received).toEqual(['Another', LOCKDOWN.title])
  })
})

describe('many messages with the same cause', () => {
  it('become one within a minute, unless a later one is more severe; those with another cause do not', async () => {
    const { url, received } = await service(200)
    const { channels, clock } = await opened({ type: 'webhook', address: `http://${url}/` })
    const down = { ...LOCKDOWN, about: 'agentUnavailable', cause: 'The service is down.' } as const
    for (const workspaceId of ['a', 'b', 'c', 'd', 'e'])
      channels.notify({ ...down, workspaceId, title: workspaceId })
    channels.notify({ ...down, cause: 'The disk is full.', title: 'disk' })
    channels.notify({ ...down, severity: 'critical', title: 'graver' })
    await settled(channels, 3)
    clock.suspend(60_000)
    channels.notify({ ...down, title: 'later' })
    await settled(channels, 4)
    expect(received.map(({ body }) => JSON.parse(body).title)).toEqual(['a', 'disk', 'graver', 'later'])
    expect(received[0]?.body).not.toContain('cause')
  })
})

it('removes secrets from a report with reasons that quote agents', async () => {
  const { url, received } = await service(200)
  const { channels } = await opened({ type: 'webhook', address: `http://${url}/` })
  channels.report(() => ({ title: 'Daily report', body: 'job: “log in with password=hunter2000”\u202e' }))
  await settled(channels, 1)
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    about: 'report',
    body: 'job: “log in with password=[hidden]”\ufffd',
  })
})

describe('a channel that is added again', () => {
  it('keeps its secret for the same service, and does not send it to another', async () => {
    const { url, received } = await service(200)
    const address = `http://${url}/hook`
    const { channels } = await opened({ type: 'webhook', address, secret: 'sesame-sesame' })
    const again = (at: string) =>
      channels.put(channelSchema.parse({ name: 'c0', type: 'webhook', address: at, severity: 'critical' }))
    expect(await again(`http://${url}/other-path`)).toMatchObject({ hasSecret: true, severity: 'critical' })
    await channels.test('c0')
    expect(received[0]?.headers['webhook-signature']).toMatch(/^v1,/)
    expect(await again('http://127.0.0.1:1/hook')).toMatchObject({ hasSecret: false })
    expect(await again(address)).toMatchObject({ hasSecret: false })
  })
})
