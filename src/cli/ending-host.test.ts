import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture, firstLine } from './testing/cli-fixture.ts'

/*
 * A host that is told to stop does so whatever is connected to it. Uses a real process, and clients that misbehave as Pulseward's own never
 * do.
 */

let cli: CliFixture
let sockets: Socket[]

beforeEach(async () => {
  sockets = []
  cli = await createCliFixture()
  await cli.write({ 'inbox/HEARTBEAT.md': '## Tasks\n- [ ] mail | Look | verify: exists("mail.txt")\n' })
  expect((await cli.run(['add', 'inbox'])).exitCode).toBe(0)
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await cli.close()
})

interface Serving {
  readonly port: number
  /** The header lines of every operator request. */
  readonly head: string
}

/** Starts a host with one workspace, whose first events are sent to every watcher. */
async function startHost() {
  const child = cli.start(['serve'])
  const ended = once(child, 'exit')
  const said = textOf(child.stderr as Readable)
  await firstLine(child)
  const { token, url } = JSON.parse((await cli.run(['token', '--json'])).stdout)
  const port = Number(new URL(url).port)
  const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`
  return { child, ended, said, serving: { port, head } }
}

/** Opens a connection, sends these bytes, and reads nothing. */
async function open({ port }: Serving, bytes: string | Buffer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  if (bytes.length > 0) await new Promise((resolve) => socket.write(bytes, resolve))
  return socket
}

const watch = (serving: Serving) => open(serving, `GET /api/events HTTP/1.1\r\n${serving.head}\r\n`)

async function openMany(count: number, opened: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await opened()
}

const CLIENTS: readonly (readonly [string, (serving: Serving) => Promise<unknown>])[] = [
  [
    'event watchers that disconnect before they are accepted',
    (serving) => openMany(20, async () => (await watch(serving)).resetAndDestroy()),
  ],
  ['event watchers that never read', (serving) => openMany(20, () => watch(serving))],
  [
    'so many idle connections that all earlier ones are closed',
    async (serving) => {
      await openMany(100, () => watch(serving))
      await openMany(300, () => open(serving, ''))
    },
  ],
  [
    'requests with unfinished bodies',
    (serving) =>
      openMany(20, () =>
        open(
          serving,
          `POST /api/score/feedback HTTP/1.1\r\n${serving.head}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
        ),
      ),
  ],
  [
    'a WebSocket upgrade request',
    (serving) =>
      open(
        serving,
        `GET /api/events HTTP/1.1\r\n${serving.head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      ),
  ],
  ['the start of a TLS handshake', (serving) => open(serving, Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252]))],
]

it.each(CLIENTS)('stops and leaves nothing behind after %s', async (_, come) => {
  const { child, ended, said, serving } = await startHost()
  await come(serving)
  // Once this is answered, the earlier connections, if still open, have been accepted.
  expect((await cli.run(['status'])).exitCode).toBe(0)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(await said).toBe('Stopping …\n')
  expect(existsSync(join(cli.dataDirectory, 'server.json'))).toBe(false)
  expect(existsSync(join(cli.dataDirectory, 'lock'))).toBe(false)
})
