import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../api/client.ts'
import { type HttpLimits, type HttpServer, PortUnavailable, startHttpServer } from './http-server.ts'
import { TEST_TOKEN } from './testing/adapters.ts'
import { createRecordingLog } from './testing/recording-log.ts'
import { createSmallHost, type SmallClient, type SmallHost } from './testing/small-host.ts'

let host: SmallHost
let server: HttpServer
const log = createRecordingLog()

function start(options: { port?: number; staticDirectory?: string; limits?: Partial<HttpLimits> } = {}) {
  return startHttpServer({
    served: host.served,
    token: TEST_TOKEN,
    port: 0,
    staticDirectory: null,
    log,
    ...options,
  })
}

beforeEach(async () => {
  host = createSmallHost(log)
  server = await start()
})
afterEach(async () => {
  await server.stop()
  expect(host.listenerCount()).toBe(0)
  expect(log.lines).toEqual([])
})

/** Yields one server-sent event or comment at a time. */
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

/** Returns true once the stream has ended; ignores comments before that. */
async function last(events: AsyncGenerator<string, void>): Promise<boolean> {
  for await (const frame of events) expect(frame).toBe(': keep-alive')
  return true
}

describe('GET /api/events', () => {
  it('reports what happens, each event named and numbered, and leaves no listener behind', async () => {
    const events = openEvents()
    const first = nextFrame(events)
    await expect.poll(() => host.listenerCount()).toBe(1)
    host.emit({ type: 'said', text: 'a\n\nb' })
    expect(await first).toBe('id: 1\nevent: said\ndata: {"type":"said","text":"a\\n\\nb"}')
    host.emit({ type: 'ended', text: '' })
    expect(await nextFrame(events)).toBe('id: 2\nevent: ended\ndata: {"type":"ended","text":""}')
    await events.return()
    await expect.poll(() => host.listenerCount()).toBe(0)
  })

  it('answers 404 for an unknown workspace', async () => {
    const response = await fetch(`${server.url}/api/events?workspace=nowhere`, {
      headers: { authorization: `Bearer ${TEST_TOKEN}` },
    })
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: { code: 'NOT_FOUND', message: 'No workspace nowhere; there are: one, two' } },
    ])
  })

  it('sends a keep-alive from time to time', async () => {
    const events = openEvents('?lively')
    expect(await nextFrame(events)).toBe(': keep-alive')
    await events.return()
  })
})

describe('stop', () => {
  it('ends the event streams of both kinds', async () => {
    const events = openEvents()
    const client: SmallClient = createHttpClient({ url: server.url, token: TEST_TOKEN })
    const rpcEvents = await client.events({})
    const ends = [last(events), rpcEvents.next().then(({ done }) => done)]
    await expect.poll(() => host.listenerCount()).toBe(2)
    await server.stop()
    expect(await Promise.all(ends)).toEqual([true, true])
  })

  it('finishes the request being answered, and takes no new one', async () => {
    const client: SmallClient = createHttpClient({ url: server.url, token: TEST_TOKEN })
    const run = client.run({})
    await expect.poll(() => host.runningCount()).toBe(1)
    const stopped = server.stop()
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed')
    host.finishRuns()
    expect(await run).toEqual({ ran: true })
    await stopped
  })

  it('does not wait forever', async () => {
    await server.stop()
    server = await start({ limits: { stopGraceMs: 50 } })
    const client: SmallClient = createHttpClient({ url: server.url, token: TEST_TOKEN })
    const run = client.run({}).catch((error: unknown) => error)
    await expect.poll(() => host.runningCount()).toBe(1)
    await server.stop()
    expect(await run).toBeInstanceOf(TypeError)
    host.finishRuns()
  })

  it('closes idle connections', async () => {
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
      `Port ${server.port} on 127.0.0.1 is in use: stop the program that uses it, or choose another with --port`,
    )
  })

  it('reports an invalid port', async () => {
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
    const client: SmallClient = createHttpClient({ url: server.url, token: 'wrong' })
    await expect(client.score.get({})).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
  })

  it('is told if nothing answers', async () => {
    await server.stop()
    const client: SmallClient = createHttpClient({ url: server.url, token: TEST_TOKEN })
    await expect(client.score.get({})).rejects.toBeInstanceOf(TypeError)
  })
})
