import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../api/client.ts'
import { type HttpLimits, type HttpServer, PortUnavailable, startHttpServer } from './http-server.ts'
import { TEST_TOKEN } from './testing/adapters.ts'
import { createInMemoryHost, type InMemoryHost } from './testing/in-memory-host.ts'
import { openSocket } from './testing/raw-http.ts'
import { createRecordingLog } from './testing/recording-log.ts'

let host: InMemoryHost
let server: HttpServer
const log = createRecordingLog()

function start(options: { port?: number; staticDirectory?: string; limits?: Partial<HttpLimits> } = {}) {
  return startHttpServer({
    service: host,
    token: TEST_TOKEN,
    port: 0,
    staticDirectory: null,
    log,
    ...options,
  })
}

beforeEach(async () => {
  host = createInMemoryHost(['one', 'two'])
  server = await start()
})
afterEach(async () => {
  await server.stop()
  expect(host.listenerCount()).toBe(0)
  expect(log.lines).toEqual([])
})

/** One server-sent event or comment at a time. */
async function* openEvents(query = ''): AsyncGenerator<string, void> {
  const response = await fetch(`${server.url}/api/events${query}`, {
    headers: { authorization: `Bearer ${TEST_TOKEN}` },
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const frames = rest.split('\n\n')
    rest = frames.pop() ?? ''
    yield* frames
  }
}

async function nextFrame(events: AsyncGenerator<string, void>): Promise<string> {
  const { value } = await events.next()
  return value ?? 'the stream ended'
}

describe('GET /api/events', () => {
  it("begins with every workspace's score and goes on with what happens, named and numbered", async () => {
    const events = openEvents()
    expect(await nextFrame(events)).toMatch(/^id: 1\nevent: score-updated\ndata: \{.*"workspace":"one".*\}$/)
    expect(await nextFrame(events)).toMatch(/^id: 2\nevent: score-updated\ndata: \{.*"workspace":"two".*\}$/)
    const client = createHttpClient({ url: server.url, token: TEST_TOKEN })
    await client.score.feedback({ workspace: 'two', feedback: 'up' })
    expect(await nextFrame(events)).toMatch(/^id: 3\nevent: score-updated\ndata: \{.*"score":13.*\}$/)
    host.emit({ type: 'attempt-output', workspace: 'one', attemptId: 'a', stream: 'stdout', text: 'a\n\nb' })
    expect(await nextFrame(events)).toBe(
      'id: 4\nevent: attempt-output\ndata: {"type":"attempt-output","workspace":"one","attemptId":"a","stream":"stdout","text":"a\\n\\nb"}',
    )
    await events.return()
    await expect.poll(() => host.listenerCount()).toBe(0)
  })

  it('keeps to the workspace that is named', async () => {
    const events = openEvents('?workspace=two')
    expect(await nextFrame(events)).toContain('"workspace":"two"')
    host.emit({ type: 'workspace-updated', workspace: 'one' })
    host.emit({ type: 'workspace-updated', workspace: 'two' })
    expect(await nextFrame(events)).toBe(
      'id: 2\nevent: workspace-updated\ndata: {"type":"workspace-updated","workspace":"two"}',
    )
    await events.return()
  })

  it('answers 404 for a workspace that is not there', async () => {
    const response = await fetch(`${server.url}/api/events?workspace=nowhere`, {
      headers: { authorization: `Bearer ${TEST_TOKEN}` },
    })
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: { code: 'NOT_FOUND', message: 'No workspace nowhere; there are: one, two' } },
    ])
  })

  it('says now and then that it is alive', async () => {
    await server.stop()
    server = await start({ limits: { eventKeepAliveMs: 20 } })
    const events = openEvents('?workspace=one')
    await nextFrame(events)
    expect(await nextFrame(events)).toBe(': keep-alive')
    await events.return()
  })

  it('stays bounded behind a client that does not read, which still learns how it ended', async () => {
    const socket = await openSocket(server.port)
    socket.pause()
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${TEST_TOKEN}\r\n\r\n`,
    )
    await expect.poll(() => host.listenerCount()).toBe(1)
    const text = 'x'.repeat(16 * 1024)
    for (let count = 0; count < 10_000; count += 1) {
      host.emit({ type: 'attempt-output', workspace: 'one', attemptId: 'a', stream: 'stdout', text })
      // Lets the server write: it fills the socket's buffers first.
      if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    host.emit({ type: 'attempt-finished', workspace: 'one', attemptId: 'a', taskId: 't' })

    let received = 0
    let tail = ''
    socket.on('data', (chunk) => {
      received += chunk.length
      tail = (tail + chunk.toString()).slice(-1000)
    })
    socket.resume()
    await expect.poll(() => tail).toContain('event: attempt-finished')
    // Of 160 MB: what the system's socket buffers took, and 1 MiB of queue.
    expect(received).toBeLessThan(20 * 1024 * 1024)
    socket.destroy()
    await expect.poll(() => host.listenerCount()).toBe(0)
  })
})

describe('stop', () => {
  it('ends the event streams of both kinds', async () => {
    const events = openEvents('?workspace=one')
    await nextFrame(events)
    const rpcEvents = await createHttpClient({ url: server.url, token: TEST_TOKEN }).events({
      workspace: 'one',
    })
    await rpcEvents.next()
    const ends = [events.next(), rpcEvents.next()]
    await server.stop()
    expect(await Promise.all(ends)).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ])
  })

  it('waits for the request being answered, and takes no new one', async () => {
    const client = createHttpClient({ url: server.url, token: TEST_TOKEN })
    const run = client.heartbeat.run({ workspace: 'one' })
    await expect.poll(() => host.runningCount()).toBe(1)
    const stopped = server.stop()
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed')
    host.finishRuns()
    expect(await run).toMatchObject({ workspace: 'one' })
    await stopped
  })

  it('does not wait for ever', async () => {
    await server.stop()
    server = await start({ limits: { stopGraceMs: 50 } })
    const client = createHttpClient({ url: server.url, token: TEST_TOKEN })
    const run = client.heartbeat.run({ workspace: 'one' }).catch((error: unknown) => error)
    await expect.poll(() => host.runningCount()).toBe(1)
    await server.stop()
    expect(await run).toBeInstanceOf(TypeError)
    host.finishRuns()
  })

  it('closes connections that are merely kept alive', async () => {
    const agent = new Agent({ keepAlive: true })
    const [response] = await once(get(`${server.url}/healthz`, { agent }), 'response')
    await once(response.resume(), 'end')
    await server.stop()
    agent.destroy()
  })
})

describe('start', () => {
  it('says what to do when the port is in use', async () => {
    const second = start({ port: server.port })
    await expect(second).rejects.toThrow(PortUnavailable)
    await expect(second).rejects.toThrow(
      `Port ${server.port} on 127.0.0.1 is in use: stop the program that has it, or choose another with --port`,
    )
  })

  it('says that there is no such port', async () => {
    await expect(start({ port: 70_000 })).rejects.toThrow('There is no port 70000: ports go from 1 to 65535')
  })

  it('says what to do when the page is not built', async () => {
    await expect(start({ staticDirectory: path.join(tmpdir(), 'pulseward-nothing') })).rejects.toThrow(
      'npm run build',
    )
  })
})

describe('a client', () => {
  it('is told that its token is wrong', async () => {
    const client = createHttpClient({ url: server.url, token: 'wrong' })
    await expect(client.status()).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
  })

  it('is told where nothing answers', async () => {
    await server.stop()
    const client = createHttpClient({ url: server.url, token: TEST_TOKEN })
    await expect(client.status()).rejects.toBeInstanceOf(TypeError)
  })
})
