import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loopbackFetch } from './loopback-fetch.ts'

let server: ReturnType<typeof createServer>
let url: string

beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === '/silent') return
    if (request.url === '/empty') return void response.writeHead(204).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(409, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] })
      const body = Buffer.concat(chunks).toString('utf8')
      response.end(JSON.stringify({ method: request.method, header: request.headers.authorization, body }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

describe('the fetch for the host on this machine', () => {
  it('sends method, headers and body, and answers with status, headers and body', async () => {
    const response = await loopbackFetch(
      new Request(url, { method: 'POST', headers: { authorization: 'Bearer x' }, body: 'größe' }),
    )
    expect(response.status).toBe(409)
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.json()).toEqual({ method: 'POST', header: 'Bearer x', body: 'größe' })
  })

  it('takes an answer without a body', async () => {
    const response = await loopbackFetch(new Request(`${url}/empty`))
    expect(response.status).toBe(204)
    expect(response.body).toBeNull()
  })

  it('rejects where nothing answers', async () => {
    const free = url
    await new Promise((resolve) => server.close(resolve))
    await expect(loopbackFetch(new Request(free))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('ends when its signal aborts', async () => {
    const abort = new AbortController()
    const pending = loopbackFetch(new Request(`${url}/silent`, { signal: abort.signal }))
    server.once('request', () => abort.abort())
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  })
})
