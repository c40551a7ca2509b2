import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Admit } from '../ports/admission.ts'
import { type HttpLimits, type HttpServer, startHttpServer } from './http-server.ts'
import { TEST_TOKEN } from './testing/adapters.ts'
import { openSocket, sendRequest } from './testing/raw-http.ts'
import { createRecordingLog } from './testing/recording-log.ts'
import { createSmallHost, type SmallHost } from './testing/small-host.ts'

const bearer = { authorization: `Bearer ${TEST_TOKEN}` }
const log = createRecordingLog()
let host: SmallHost
let server: HttpServer
let sockets: Socket[]

async function start(limits: Partial<HttpLimits> = {}, admit?: Admit): Promise<void> {
  server = await startHttpServer({
    ...(admit && { admit }),
    served: host.served,
    token: TEST_TOKEN,
    port: 0,
    staticDirectory: null,
    log,
    limits,
  })
}

beforeEach(() => {
  host = createSmallHost(log)
  sockets = []
})

afterEach(async () => {
  vi.useRealTimers()
  for (const socket of sockets) socket.destroy()
  await server.stop()
  expect(host.listenerCount()).toBe(0)
})

async function open(bytes: string): Promise<Socket> {
  const socket = await openSocket(server.port)
  // The server resets a connection when another takes its place.
  socket.on('error', () => {})
  socket.write(bytes)
  sockets.push(socket)
  return socket
}

const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${more}`
const authorized = `Authorization: Bearer ${TEST_TOKEN}\r\n\r\n`
const isAnswered = async () =>
  (await sendRequest(server.port, '/api/score', { headers: bearer })).status === 200

describe('the operator gets access', () => {
  it.each([
    ['send nothing', () => ''],
    ['begin a request and do not finish it', () => head('/api/score', 'X-Slow: ')],
    [
      'send a wrong token and stay connected',
      () => head('/api/score', 'Authorization: Bearer wrong\r\n\r\n'),
    ],
  ])('while 600 others hold connections that %s', async (_, bytes) => {
    await start()
    for (let count = 0; count < 600; count += 1) await open(bytes())
    expect(await isAnswered()).toBe(true)
  })

  it('while an agent’s processes, which are answered, hold all the connections they can get', async () => {
    const ofAgent = 'X-Is: agent\r\n'
    await start({}, async ({ request }) => ({
      refusal: null,
      isAgents: request.headers['x-is'] === 'agent',
      inName: (work) => work(),
    }))
    for (let count = 0; count < 300; count += 1) {
      const socket = await open(head('/api/score', `${ofAgent}${authorized}`))
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).toContain('HTTP/1.1 200')
    }
    expect(await isAnswered()).toBe(true)
  })

  it('and keeps access, however many others connect afterwards', async () => {
    await start()
    const socket = await open(head('/api/events', authorized))
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    await expect.poll(() => host.listenerCount()).toBe(1)
    for (let count = 0; count < 300; count += 1) await open('')
    host.emit({ type: 'said', text: 'still here' })
    await expect.poll(() => received).toContain('still here')
  })
})

describe('a server that is about to stop', () => {
  /** Longer than any test, so whatever settles sooner did not wait for it. */
  const NEVER = { settledWithinMs: 3_600_000 }

  it('settles at once if no one has sent a request, however many connections are open', async () => {
    await start(NEVER)
    await open('')
    let isSettled = false
    void server.settled().then(() => {
      isSettled = true
    })
    await setImmediate()
    expect(isSettled).toBe(true)
  })

  it('does not settle while someone waits for an answer, nor in the moment after it', async () => {
    await start(NEVER)
    let isSettled = false
    const answered = sendRequest(server.port, '/api/run', { method: 'POST', headers: bearer })
    await expect.poll(() => host.runningCount()).toBe(1)
    const settled = server.settled().then(() => {
      isSettled = true
    })
    expect(await isAnswered()).toBe(true)
    expect(isSettled).toBe(false)
    host.finishRuns()
    expect((await answered).status).toBe(200)
    expect(isSettled).toBe(false)
    expect(await isAnswered()).toBe(true)
    await settled
  })

  it('does not wait for clients that only follow live events', async () => {
    await start(NEVER)
    await open(head('/api/events', authorized))
    await expect.poll(() => host.listenerCount()).toBe(1)
    await server.settled()
    expect(host.listenerCount()).toBe(1)
  })

  it('waits no longer than its limit, even if someone is still waiting', async () => {
    await start({ settledWithinMs: 1 })
    const answered = sendRequest(server.port, '/api/run', { method: 'POST', headers: bearer })
    await expect.poll(() => host.runningCount()).toBe(1)
    await server.settled()
    expect(host.runningCount()).toBe(1)
    host.finishRuns()
    await answered
  })
})

const filler = 'x'.repeat(256 * 1024)
/** More than the system's own buffers hold. */
const emitMuch = () => {
  for (let count = 0; count < 100; count += 1) host.emit({ type: 'said', text: filler })
}

describe('a client of live events', () => {
  it('that never reads is disconnected', async () => {
    await start({ stalledMs: 100 })
    const socket = await open(head('/api/events', authorized))
    socket.pause()
    await expect.poll(() => host.listenerCount()).toBe(1)
    emitMuch()
    await expect.poll(() => host.listenerCount()).toBe(0)
    expect(await isAnswered()).toBe(true)
  })

  it('is not disconnected if it reads slowly, or has nothing to read', async () => {
    // The server checks on command, so a busy machine does not matter.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const stalledMs = 500
    await start({ stalledMs })
    const idle = await open(head('/api/events', authorized))
    let received = 0
    idle.on('data', (chunk) => {
      received += chunk.length
    })
    await expect.poll(() => host.listenerCount()).toBe(1)
    emitMuch()
    await expect.poll(() => received).toBeGreaterThan(100 * filler.length)
    for (const _ of ['first look', 'second', 'third']) {
      vi.advanceTimersByTime(stalledMs)
      expect(await isAnswered()).toBe(true)
    }
    expect(host.listenerCount()).toBe(1)
    host.emit({ type: 'ended', text: '' })
    idle.destroy()
    await expect.poll(() => host.listenerCount()).toBe(0)
  })
})

describe('several requests at once on one connection', () => {
  it('are answered one after the other', async () => {
    await start()
    const socket = await open(head('/api/score', authorized).repeat(3))
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    await expect.poll(() => received.split('"score":10').length).toBe(4)
  })

  it('leave nothing open if the connection closes before their turn', async () => {
    await start()
    const socket = await open(head('/api/events', authorized).repeat(3))
    socket.pause()
    await expect.poll(() => host.listenerCount()).toBeGreaterThan(0)
    emitMuch()
    expect(await isAnswered()).toBe(true)
    socket.destroy()
    await expect.poll(() => host.listenerCount()).toBe(0)
  })

  it('are not handled after the server stops', async () => {
    await start()
    await open(`POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${authorized}`.repeat(2))
    await expect.poll(() => host.runningCount()).toBe(1)
    const stopped = server.stop()
    host.finishRuns()
    await stopped
    expect(host.runningCount()).toBe(0)
  })
})

describe('a server that stops does not wait for', () => {
  /** So long that a test which waits for it fails. */
  const stopGraceMs = 600_000
  const unended = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`
  const withBody = 'Content-Type: application/json\r\nContent-Length: 9\r\n'

  it.each([
    ['a silent client', () => ''],
    ['a head that never ends', () => unended('GET', '/api/score')],
    ['a body that never ends', () => unended('POST', '/api/run') + withBody + authorized],
    ['the body of a refused request', () => `${unended('POST', '/api/run')}${withBody}\r\n`],
    [
      'a client that requests a web socket',
      () => `${unended('GET', '/api/score')}Connection: Upgrade\r\nUpgrade: websocket\r\n${authorized}`,
    ],
    ['a client that requests a tunnel', () => unended('CONNECT', 'example.org:443') + authorized],
    ['bytes that are not HTTP', () => '\u0016\u0003\u0001\u0002\u0000\u0001'],
  ])('%s', async (_, bytes) => {
    await start({ stopGraceMs })
    await open(bytes())
    expect(await isAnswered()).toBe(true)
    await server.stop()
  })

  it('a client of live events that never reads', async () => {
    await start({ stopGraceMs })
    const socket = await open(head('/api/events', authorized))
    socket.pause()
    await expect.poll(() => host.listenerCount()).toBe(1)
    emitMuch()
    expect(await isAnswered()).toBe(true)
    await server.stop()
  })
})
