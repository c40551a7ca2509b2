import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../api/client.ts'
import { type HttpLimits, type HttpServer, startHttpServer } from './http-server.ts'
import { TEST_TOKEN } from './testing/adapters.ts'
import { openSocket, readAll, sendBytes, sendRequest } from './testing/raw-http.ts'
import { createRecordingLog } from './testing/recording-log.ts'
import { createSmallHost, type SmallClient } from './testing/small-host.ts'

const bearer = { authorization: `Bearer ${TEST_TOKEN}` }
const json = { 'content-type': 'application/json' }
const feedback = { method: 'POST', body: '{"feedback":"up"}' }

const log = createRecordingLog()
const host = createSmallHost(log)
let folder: string
let server: HttpServer

function start(limits: Partial<HttpLimits> = {}) {
  const staticDirectory = path.join(folder, 'page')
  return startHttpServer({ served: host.served, token: TEST_TOKEN, port: 0, staticDirectory, log, limits })
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pulseward-page-'))
  await mkdir(path.join(folder, 'page/assets'), { recursive: true })
  await writeFile(path.join(folder, 'secret.txt'), 'the secret')
  await writeFile(path.join(folder, 'page/index.html'), '<title>the page</title>')
  await writeFile(path.join(folder, 'page/.hidden'), 'the secret')
  await writeFile(path.join(folder, 'page/assets/index-4f2a.js'), 'void 0')
  server = await start()
})

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
  expect(log.lines).toEqual([])
})

const codePath = () => server.pageAddress().replace(/^http:\/\/[^/]+/, '')

/** Returns the page's cookie, as a browser would send it. */
async function pageCookie(): Promise<string> {
  const { headers } = await sendRequest(server.port, codePath())
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

describe('a client without the token', () => {
  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['the beginning of the token', { authorization: `Bearer ${TEST_TOKEN.slice(0, -1)}` }],
    ['the token with more appended', { authorization: `Bearer ${TEST_TOKEN}x` }],
    ['the token with another scheme', { authorization: `Basic ${TEST_TOKEN}` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['the token as the cookie', { cookie: `pulseward_PORT=${TEST_TOKEN}` }],
    ['an empty cookie', { cookie: 'pulseward_PORT=' }],
    ['a wrong token with the right cookie', { authorization: 'Bearer wrong', cookie: 'RIGHT' }],
  ])('is refused with 401: %s', async (_, headers: { authorization?: string; cookie?: string }) => {
    const cookie = headers.cookie?.replace('PORT', String(server.port)).replace('RIGHT', await pageCookie())
    const sent = cookie === undefined ? headers : { ...headers, cookie }
    for (const target of ['/api/score', '/api/events', '/api/nothing', '/metrics']) {
      const response = await sendRequest(server.port, target, { headers: sent as Record<string, string> })
      expect(response.status).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Bearer realm="pulseward"')
      expect(JSON.parse(response.body)).toEqual({
        error: { code: 'UNAUTHORIZED', message: expect.stringContaining('pulseward token') },
      })
    }
  })

  it('is refused on every path that does something, whatever the method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      for (const target of [
        '/api/score/feedback',
        '/api/text',
        '/rpc/score/get',
        '/',
        '/assets/index-4f2a.js',
      ]) {
        expect((await sendRequest(server.port, target, { method })).status).toBe(401)
      }
    }
    expect(host.score).toBe(10)
  })

  it('may ask whether the server is up', async () => {
    const { status, body } = await sendRequest(server.port, '/healthz')
    expect([status, body]).toEqual([200, '{"status":"ok"}'])
  })

  it('gets plain instructions for opening the page', async () => {
    const { status, headers, body } = await sendRequest(server.port, '/')
    expect(status).toBe(401)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain(
      'Open the address that <code>pulseward serve</code> printed: it is good once, for a minute.',
    )
  })
})

describe('a request that was not meant for this server', () => {
  const at = (text: string) => text.replace('PORT', String(server.port))

  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.evil.example:PORT',
    '0.0.0.0:PORT',
  ])('is refused with 403 even with the token: Host "%s"', async (name) => {
    for (const target of ['/api/score', '/healthz', '/', '/assets/index-4f2a.js', codePath()]) {
      const response = await sendRequest(server.port, target, { headers: { ...bearer, host: at(name) } })
      expect(response.status).toBe(403)
      expect(response.headers['set-cookie']).toBeUndefined()
    }
  })

  it.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT'])(
    'is answered if it names this server: Host "%s"',
    async (name) => {
      const response = await sendRequest(server.port, '/api/score', {
        headers: { ...bearer, host: at(name) },
      })
      expect(response.status).toBe(200)
    },
  )

  it.each([
    'http://evil.example',
    'null',
    'https://127.0.0.1:PORT',
    'http://127.0.0.1:1',
    'http://localhost',
    'file://',
    '',
  ])('is refused with 403 even with the token: Origin "%s"', async (origin) => {
    for (const target of ['/api/score', '/healthz', '/api/events']) {
      const response = await sendRequest(server.port, target, { headers: { ...bearer, origin: at(origin) } })
      expect(response.status).toBe(403)
      expect(JSON.parse(response.body).error.code).toBe('FORBIDDEN')
      expect(response.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it('is refused with 403 from a page on another port, which is the same site', async () => {
    const headers = { cookie: await pageCookie(), 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }
    expect((await sendRequest(server.port, '/api/score', { headers })).status).toBe(403)
  })

  it.each([
    ['no Host in HTTP/1.0', `GET /healthz HTTP/1.0\r\n\r\n`, 403],
    ['no Host in HTTP/1.1', `GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
    ['an empty Host', `GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`, 403],
    [
      'two Hosts',
      `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      403,
    ],
    [
      'two Origins',
      `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\nOrigin: null\r\nConnection: close\r\n\r\n`,
      403,
    ],
    [
      'an absolute target',
      `GET http://evil.example/healthz HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n`,
      400,
    ],
    ['no path', `OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n`, 400],
    ['not HTTP', `hello\r\n\r\n`, 400],
  ])('is refused: %s', async (_, bytes, status) => {
    expect(await sendBytes(server.port, bytes.replaceAll('PORT', String(server.port)))).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `),
    )
  })
})

describe('the page', () => {
  it('gets its cookie for the code in the printed address, once, and an address without the code', async () => {
    const code = new URL(server.pageAddress()).searchParams.get('code') ?? ''
    const path = `/?workspace=one&code=${code}&view=day`
    const { status, headers } = await sendRequest(server.port, path)
    expect((await sendRequest(server.port, path)).status).toBe(401)
    expect(status).toBe(303)
    expect(headers.location).toBe('/?workspace=one&view=day')
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^pulseward_${server.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=\\d+$`),
      ),
    ])
    expect(JSON.stringify(headers)).not.toContain(TEST_TOKEN)
  })

  it('gets no cookie for a wrong code', async () => {
    const { status, headers, body } = await sendRequest(server.port, '/?code=wrong')
    expect(status).toBe(401)
    expect(headers['set-cookie']).toBeUndefined()
    expect(body).toContain('pulseward serve --open')
    const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}';`)
  })

  it('is served with its cookie, among others, with a strict policy and never cached', async () => {
    const headers = { cookie: `other=1; ${await pageCookie()}; pulseward_1=x` }
    const page = await sendRequest(server.port, '/', { headers })
    expect([page.status, page.body]).toEqual([200, '<title>the page</title>'])
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; /)
    expect(page.headers['content-security-policy']).not.toContain('unsafe')
  })

  it('has its hashed files cached forever', async () => {
    const { status, headers } = await sendRequest(server.port, '/assets/index-4f2a.js', { headers: bearer })
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/javascript/)
    expect(headers['cache-control']).toBe('private, max-age=31536000, immutable')
  })

  it('reads with its cookie, and changes something only from its own origin', async () => {
    const cookie = await pageCookie()
    const post = async (headers: Record<string, string>) =>
      (
        await sendRequest(server.port, '/api/score/feedback', {
          ...feedback,
          headers: { ...json, cookie, ...headers },
        })
      ).status

    expect((await sendRequest(server.port, '/api/score', { headers: { cookie } })).status).toBe(200)
    expect(await post({})).toBe(403)
    expect(await post({ 'sec-fetch-site': 'none' })).toBe(403)
    expect(await post({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await post({ origin: 'http://127.0.0.1:1' })).toBe(403)
    expect(await post({ origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-origin' })).toBe(403)
    expect(host.score).toBe(10)
    expect(await post({ origin: server.url })).toBe(200)
    expect(await post({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(host.score).toBe(16)
  })

  it('changes nothing by a mere GET', async () => {
    const before = host.score
    const data = encodeURIComponent('{"json":{"feedback":"up"}}')
    const headers = { cookie: await pageCookie() }
    const response = await sendRequest(server.port, `/rpc/score/feedback?data=${data}`, { headers })
    expect(response.status).toBe(405)
    expect(host.score).toBe(before)
  })

  it("can be opened from a link on another site's page", async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const { status, headers: answer } = await sendRequest(server.port, codePath(), { headers })
    expect([status, answer.location]).toEqual([303, '/'])
    // The browser withholds the strict cookie this one time; the page shown instead links to the real one.
    expect((await sendRequest(server.port, '/', { headers })).body).toContain('<a href="/">')
  })

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/../../secret.txt',
    '//../secret.txt',
    '/%00',
    '/index.html%00.js',
    '/%',
    '/.hidden',
    '/assets',
    '/assets/',
    '/nothing.js',
  ])('never leaves its folder: %s', async (target) => {
    const response = await sendRequest(server.port, target, { headers: bearer })
    expect(response.status).toBe(404)
    expect(response.body).not.toContain('the secret')
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('can only be read', async () => {
    expect((await sendRequest(server.port, '/', { method: 'POST', headers: bearer })).status).toBe(405)
  })
})

describe('a client with the read-only token', () => {
  const readingToken = async (headers: Record<string, string>) =>
    sendRequest(server.port, '/api/session/reading-token', { headers })
  const withIt = async () => {
    const { token } = JSON.parse((await readingToken(bearer)).body)
    return { authorization: `Bearer ${token}` }
  }

  it('gets it in exchange for the other token, and can pass on neither', async () => {
    const reading = await withIt()
    expect(reading.authorization).not.toContain(TEST_TOKEN)
    expect((await readingToken(reading)).status).toBe(403)
    expect((await readingToken({ cookie: await pageCookie() })).status).toBe(403)
  })

  it('can read, and cannot change anything on any path', async () => {
    const reading = await withIt()
    const before = host.score
    const asked = async (target: string, request: object = {}) =>
      (await sendRequest(server.port, target, { headers: { ...json, ...reading }, ...request })).status
    expect(await asked('/api/score')).toBe(200)
    expect(await asked('/rpc/score/get', { method: 'POST', body: '{"json":{}}' })).toBe(200)
    expect(await asked('/api/score/feedback', feedback)).toBe(403)
    expect(await asked('/api/run', { method: 'POST', body: '{}' })).toBe(403)
    for (const path of ['/rpc/score/feedback', '/rpc/score/get/../feedback', '/rpc/score%2Ffeedback']) {
      const call = { method: 'POST', body: '{"json":{"feedback":"up"}}' }
      expect(await asked(path, call)).toBe(403)
    }
    expect(host.score).toBe(before)
  })

  it('opens a read-only page', async () => {
    const headers = await withIt()
    const { body } = await sendRequest(server.port, '/api/session/code', { method: 'POST', headers })
    const opened = await sendRequest(server.port, `/?code=${JSON.parse(body).code}`)
    const cookie = opened.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const own = { cookie, ...json, 'sec-fetch-site': 'same-origin' }
    expect((await sendRequest(server.port, '/', { headers: own })).status).toBe(200)
    expect((await sendRequest(server.port, '/api/score', { headers: own })).status).toBe(200)
    const call = { ...feedback, headers: own }
    expect((await sendRequest(server.port, '/api/score/feedback', call)).status).toBe(403)
    // A client with full access is not restricted by an earlier read-only session.
    const both = { ...own, cookie: `${cookie}; ${await pageCookie()}` }
    expect(
      (await sendRequest(server.port, '/api/score/feedback', { ...feedback, headers: both })).status,
    ).toBe(200)
  })
})

describe('a client that sends too much or too slowly', () => {
  it('gets 413 for a body over 4 MiB, whether or not it announces the length', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(4 * 1024 * 1024), hash: '' })
    for (const framing of ['content-length', 'transfer-encoding']) {
      const length = framing === 'content-length' ? String(body.length) : 'chunked'
      const response = await sendRequest(server.port, '/api/text', {
        method: 'PUT',
        body,
        headers: { ...bearer, ...json, [framing]: length },
      })
      expect(response.status).toBe(413)
      expect(JSON.parse(response.body)).toEqual({
        error: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 4 MiB.' },
      })
    }
  })

  it('gets the same error in the typed client, for a text of 10 MB', async () => {
    const client: SmallClient = createHttpClient({ url: server.url, token: TEST_TOKEN })
    await expect(client.text({ text: 'x'.repeat(10_000_000), hash: '' })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      status: 413,
    })
  })

  it('is disconnected if it keeps sending', async () => {
    const socket = await openSocket(server.port)
    const ended = readAll(socket)
    const head = `PUT /api/text HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`
    socket.write(`${head}Authorization: Bearer ${TEST_TOKEN}\r\nContent-Length: 999999999\r\n\r\n`)
    const megabyte = 'x'.repeat(1024 * 1024)
    const push = () => {
      while (!socket.destroyed && socket.write(megabyte));
    }
    socket.on('drain', push)
    push()
    expect(await ended).toBe('')
    expect(socket.bytesWritten).toBeLessThan(100 * 1024 * 1024)
  })

  it('can send a body of 3 MiB', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(3 * 1024 * 1024), hash: '' })
    const headers = { ...bearer, ...json }
    const response = await sendRequest(server.port, '/api/text', { method: 'PUT', body, headers })
    expect(response.status).toBe(200)
  })

  it('gets 431 for a huge header', async () => {
    const headers = { ...bearer, 'x-filler': 'x'.repeat(64 * 1024) }
    const answer = await sendRequest(server.port, '/api/score', { headers }).catch((error: unknown) => error)
    // The server may close before the client has sent everything, which causes a reset.
    expect(answer).toSatisfy(
      (it: { status?: number; code?: string }) => it.status === 431 || it.code !== undefined,
    )
  })

  it.each([
    ['a head that never ends', 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '],
    [
      'a body that never comes',
      `POST /api/score/feedback HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nAuthorization: Bearer ${TEST_TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
    ],
  ])('is disconnected: %s', async (_, bytes) => {
    const impatient = await start({ headersTimeoutMs: 100, requestTimeoutMs: 200 })
    const socket = await openSocket(impatient.port)
    socket.write(bytes.replace('PORT', String(impatient.port)))
    expect(await readAll(socket)).toMatch(/^(HTTP\/1.1 408 |$)/)
    await impatient.stop()
  })
})

describe('the content of a request', () => {
  it.each([
    ['invalid JSON', '{"feedback":', json, 400],
    ['an empty body', '', json, 400],
    ['not an object', '[]', json, 400],
    ['null', 'null', json, 400],
    ['a form', 'feedback=up', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    [
      'JSON sent as text, as a foreign page could',
      '{"feedback":"up"}',
      { 'content-type': 'text/plain' },
      415,
    ],
  ])('is checked: %s', async (_, body, headers, status) => {
    const response = await sendRequest(server.port, '/api/score/feedback', {
      method: 'POST',
      body,
      headers: { ...bearer, ...headers } as Record<string, string>,
    })
    expect(response.status).toBe(status)
    expect(JSON.parse(response.body)).toEqual({
      error: { code: expect.any(String), message: expect.any(String) },
    })
  })

  it.each([
    ['GET', '/api/nothing'],
    ['GET', '/api'],
    ['GET', '/apiary'],
    ['POST', '/api/session/nothing'],
    ['GET', '/rpc/nothing'],
    ['POST', '/rpc/__proto__'],
    ['POST', '/rpc/constructor'],
  ])('is refused with 404 if nothing exists there: %s %s', async (method, target) => {
    expect((await sendRequest(server.port, target, { method, headers: bearer })).status).toBe(404)
  })

  it.each([
    ['POST', '/api/score', 'GET'],
    ['HEAD', '/api/score', 'GET'],
    ['PUT', '/api/score/', 'GET'],
    ['OPTIONS', '/api/score', 'GET'],
    ['GET', '/api/score/feedback', 'POST'],
    ['GET', '/api/text', 'PUT, DELETE'],
    ['POST', '/api/notes/7', 'GET, DELETE'],
    ['DELETE', '/api/events', 'GET'],
    ['GET', '/api/session', 'POST'],
    ['GET', '/api/session/code', 'POST'],
    ['DELETE', '/api/session/reading-token', 'GET'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])(
    'is refused with 405 and the allowed methods if %s does not accept %s',
    async (method, target, allowed) => {
      // Sends a body that would itself be refused, if the client sends one: the wrong method is reported first.
      const body = method.startsWith('P') ? { body: 'feedback=up' } : {}
      const headers = { ...bearer, 'content-type': 'application/x-www-form-urlencoded' }
      const response = await sendRequest(server.port, target, { method, headers, ...body })
      expect([response.status, response.headers.allow]).toEqual([405, allowed])
      if (method === 'HEAD') return expect(response.body).toBe('')
      expect(JSON.parse(response.body)).toEqual({
        error: {
          code: 'METHOD_NOT_SUPPORTED',
          message: `${target} does not accept ${method}: use ${allowed.replace(', ', ' or ')}.`,
        },
      })
    },
  )

  it('is told which method an RPC call accepts', async () => {
    const { status, headers } = await sendRequest(server.port, '/rpc/score/feedback', { headers: bearer })
    expect([status, headers.allow]).toEqual([405, 'POST'])
  })

  it.each([
    ['POST', '/api/score'],
    ['GET', '/api/session/code'],
    ['PUT', '/api/nothing'],
  ])('reveals nothing of %s %s without a token', async (method, target) => {
    const { status, headers } = await sendRequest(server.port, target, { method })
    expect([status, headers.allow]).toEqual([401, undefined])
  })
})

it('listens on the loopback address only', async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
  expect(new URL(server.url).hostname).toBe('127.0.0.1')
  for (const { address } of others) {
    await expect(fetch(`http://${address}:${server.port}/healthz`)).rejects.toThrow('fetch failed')
  }
})
