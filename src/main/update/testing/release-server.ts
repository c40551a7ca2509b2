import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FEED_FORMAT, type Feed, type Release, SIGNED_AS } from '../../../core/update/feed.ts'

/** A publisher: its keys, and a local server with its feed and its packages. */
export interface ReleaseServer {
  readonly url: string
  /** As named in an installation's `updates.json`. */
  readonly key: string
  /** Requested paths, in order. */
  readonly asked: string[]
  /** The answers by path, which tests can change. */
  readonly answers: Map<string, string | Buffer | ((response: ServerResponse) => void)>
  release(version: string, content: Buffer, form?: string): Release
  publish(feed: Partial<Feed>, options?: { readonly signedBy?: KeyObject; readonly format?: number }): string
  close(): Promise<void>
}

export async function releaseServer(): Promise<ReleaseServer> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const answers: ReleaseServer['answers'] = new Map()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = answers.get(path)
    if (typeof answer === 'function') answer(response)
    else if (answer === undefined) response.writeHead(404).end()
    else response.end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    key: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64'),
    asked,
    answers,
    release: (version, content, form = 'npm') => {
      const name = `pulseward-${version}.${form}`
      answers.set(`/${name}`, content)
      const sha256 = createHash('sha256').update(content).digest('hex')
      const file = { name, form, arch: 'any', url: `${url}/${name}`, bytes: content.length, sha256 }
      return { version, date: '2026-11-20', changes: `- What ${version} brings`, files: [file] }
    },
    publish: (feed, { signedBy = privateKey, format = FEED_FORMAT } = {}) => {
      const whole = { issuedAt: '2026-11-20T00:00:00Z', expiresAt: '2027-02-20T00:00:00Z', releases: [] }
      const text = JSON.stringify({ ...whole, ...feed })
      const signature = sign(null, Buffer.from(`${SIGNED_AS}${text}`), signedBy).toString('base64')
      const envelope = JSON.stringify({ format, feed: text, signature })
      answers.set('/feed.json', envelope)
      return envelope
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
