import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { BlockList, connect, isIP, type Socket } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { allowsHost } from './host-list.ts'

/** A proxy that lets requests to certain hosts through; it listens on a socket in a private folder. */
export interface HostProxy {
  readonly socket: string
  close(): Promise<void>
}

const CONNECT_MS = 30_000
/** More than an agent needs at once. */
const MAX_CONNECTIONS = 200

/**
 * Starts a proxy for HTTP, and through CONNECT for TLS, that refuses all hosts except `hosts`. Resolves names itself: an allowed name that
 * leads to this machine is refused, unless this machine itself is listed.
 */
export async function openHostProxy(
  hosts: readonly string[],
  onRefused: (host: string) => void = () => {},
): Promise<HostProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-net-'))
  const socket = join(folder, 'proxy')
  const mayReach = (host: string, port: number): boolean => {
    if (allowsHost(hosts, host, port)) return true
    onRefused(`${host}:${port}`)
    return false
  }
  const server = createServer((request, response) => passOn(request, response, mayReach))
  server.maxConnections = MAX_CONNECTIONS
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) =>
    openTunnel(request, client, head, mayReach),
  )
  server.on('clientError', (_error, client) => client.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, resolve)
  })
  server.unref()
  return {
    socket,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type MayReach = (host: string, port: number) => boolean

function openTunnel({ url = '' }: IncomingMessage, client: Duplex, head: Buffer, mayReach: MayReach): void {
  client.on('error', () => client.destroy())
  const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(url) ?? []
  if (host === '' || !mayReach(host, Number(port))) {
    client.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${refusal(url)}`,
    )
    return
  }
  const server = reach(host, Number(port))
  server.once('connect', () => {
    if (server.destroyed) return
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) server.write(head)
    server.pipe(client).pipe(server)
  })
  server.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n'))
  client.on('close', () => server.destroy())
}

function passOn(request: IncomingMessage, response: ServerResponse, mayReach: MayReach): void {
  const target = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null
  const port = Number(target?.port) || 80
  if (target?.protocol !== 'http:' || !mayReach(target.hostname, port)) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end(refusal(request.url ?? ''))
    return
  }
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = request.headers
  const forwarded = httpRequest({
    method: request.method,
    path: target.pathname + target.search,
    headers: { ...headers, host: target.host },
    createConnection: () => reach(target.hostname.replace(/^\[|\]$/g, ''), port),
  })
  forwarded.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  forwarded.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  response.on('close', () => forwarded.destroy())
  request.pipe(forwarded)
}

function reach(host: string, port: number): Socket {
  const server = connect({ host, port, timeout: CONNECT_MS })
  server.once('timeout', () => server.destroy(new Error('it did not answer')))
  server.once('connect', () => {
    server.setTimeout(0)
    const isListed = isIP(host) !== 0 || host === 'localhost'
    if (!isListed && isOfThisMachine(server.remoteAddress ?? ''))
      server.destroy(new Error('the name leads to this machine'))
  })
  return server
}

/**
 * Returns whether an address is one of this machine's, by which the services that listen on it can be reached: loopback, link-local, or one
 * of its network cards.
 */
export function isOfThisMachine(
  address: string,
  cards: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): boolean {
  const own = new BlockList()
  own.addSubnet('127.0.0.0', 8)
  own.addSubnet('169.254.0.0', 16)
  own.addSubnet('0.0.0.0', 8)
  own.addSubnet('::', 127, 'ipv6')
  own.addSubnet('fe80::', 10, 'ipv6')
  for (const card of Object.values(cards).flatMap((all) => all ?? []))
    own.addAddress(card.address, card.family === 'IPv6' ? 'ipv6' : 'ipv4')
  const plain = address.replace(/%.*$/, '')
  return own.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

function refusal(host: string): string {
  return `${host.slice(0, 200)} is not in the list of hosts in pulseward.toml ([agent] network).\n`
}
