import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { findPeer } from './peer.ts'

const CONNECTIONS = 60

/** Starts a server that records what it accepted; `close` stops it. */
async function listening() {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    sockets.push(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = async (count: number): Promise<readonly Socket[]> => {
    while (sockets.length < count) await once(server, 'connection')
    return sockets
  }
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, accepted, close }
}

describe.skipIf(process.platform !== 'linux')('the peer of a local connection', () => {
  it('is found for each of many at once, from any process', async () => {
    const { port, accepted, close } = await listening()
    const child = spawn(process.execPath, [
      '-e',
      `for (let i = 0; i < ${CONNECTIONS}; i++) require('node:net').connect(${port}, '127.0.0.1')`,
    ])
    const own = connect(port, '127.0.0.1')
    try {
      const sockets = await accepted(CONNECTIONS + 1)
      const found = await Promise.all(sockets.map((socket) => findPeer(socket)))
      expect(found.filter((pid) => pid === child.pid)).toHaveLength(CONNECTIONS)
      const ownPort = (own.address() as AddressInfo).port
      expect(found[sockets.findIndex(({ remotePort }) => remotePort === ownPort)]).toBe(process.pid)
    } finally {
      own.destroy()
      child.kill('SIGKILL')
      await close()
    }
  })

  it('is not found for a connection that does not exist, but is for one that does', async () => {
    const { port, accepted, close } = await listening()
    const own = connect(port, '127.0.0.1')
    try {
      const [socket] = await accepted(1)
      if (socket === undefined) throw new Error('no connection')
      const none = { remotePort: 1, localPort: port }
      expect(await Promise.all([findPeer(none), findPeer(socket)])).toEqual([null, process.pid])
      expect(await findPeer(none)).toBeNull()
    } finally {
      own.destroy()
      await close()
    }
  })
})
