import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection between hosts and their hub that can be cut. */
export interface Wire {
  readonly port: number
  /** Drops everything in transit and lets nothing through. */
  cut(): void
  heal(): void
  close(): Promise<void>
}

export async function openWire(to: number): Promise<Wire> {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const drop = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
      drop()
    },
    heal: () => {
      isCut = false
    },
    close: async () => {
      server.close()
      drop()
      await once(server, 'close')
    },
  }
}
