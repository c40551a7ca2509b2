import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLoopbackClient } from './loopback-link.ts'

let server: ReturnType<typeof createServer>
let url: string
let answer: { status: number; body: string }

beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === '/rpc/silent') return
    if (request.url === '/rpc/ends') return request.socket.resetAndDestroy()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, headers } = request
      const seen = {
        method,
        url: request.url,
        token: headers.authorization,
        sent: JSON.parse(String(Buffer.concat(chunks))),
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(answer.body || JSON.stringify({ json: seen }))
    })
  })
  answer = { status: 200, body: '' }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

/** Calls an arbitrary procedure: the link should send and parse anything, whatever the contract names it. */
function ask(input: unknown, options?: { readonly signal: AbortSignal }, path = 'ask'): Promise<unknown> {
  const client = createLoopbackClient(url, 'secret') as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >
  return (client[path] as (...args: unknown[]) => Promise<unknown>)(input, options)
}

describe('the client of the host on this machine', () => {
  it('sends the token and the input, and returns the answer', async () => {
    await expect(ask({ text: 'größe', at: new Date(0) })).resolves.toEqual({
      method: 'POST',
      url: '/rpc/ask',
      token: 'Bearer secret',
      sent: { json: { text: 'größe', at: '1970-01-01T00:00:00.000Z' }, meta: [[1, 'at']] },
    })
  })

  it('says what to do if the host stops before it has answered', async () => {
    await expect(ask({}, undefined, 'ends')).rejects.toThrow(
      /^The running Pulseward ended before it had answered\. Look with `pulseward status`/,
    )
  })

  it("returns values that JSON can't represent", async () => {
    answer.body = JSON.stringify({ json: { at: '1970-01-01T00:00:00.000Z' }, meta: [[1, 'at']] })
    await expect(ask({})).resolves.toEqual({ at: new Date(0) })
  })

  it('rejects with the host’s error', async () => {
    answer = {
      status: 409,
      body: JSON.stringify({
        json: { defined: true, code: 'CONFLICT', status: 409, message: 'Runs already.', data: null },
      }),
    }
    await expect(ask({})).rejects.toMatchObject({ code: 'CONFLICT', status: 409, message: 'Runs already.' })
  })

  it('rejects if the answer is not from a host', async () => {
    answer.body = '<html>'
    await expect(ask({})).rejects.toThrow('Cannot parse response body')
  })

  it('rejects if nothing answers', async () => {
    await new Promise((resolve) => server.close(resolve))
    await expect(ask({})).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('ends when its signal aborts', async () => {
    const abort = new AbortController()
    server.once('request', () => abort.abort())
    await expect(ask({}, { signal: abort.signal }, 'silent')).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('does not load fetch, which takes longer than everything else', () => {
    const program = `
      const { createLoopbackClient } = await import(${JSON.stringify(join(import.meta.dirname, 'loopback-link.ts'))})
      const answer = await createLoopbackClient(${JSON.stringify('http://127.0.0.1:9')}, 'x').status().catch((error) => error.code)
      console.log(answer, process.moduleLoadList.filter((name) => name.includes('undici')).length)`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(stdout).toBe('ECONNREFUSED 0\n')
  })
})
