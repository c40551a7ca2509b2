import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** What connections may take of the server. */
export interface ConnectionLimits {
  /** Connections that have shown no right to ask yet. One more, and the oldest of them is closed. */
  readonly maxStrangers: number
  /** A client that takes nothing of what waits for it for this long is cut off. */
  readonly stalledMs: number
}

/** The connections of a server. */
export interface Connections {
  /** A request on this connection has shown its right to ask. */
  letIn(socket: Socket): void
  stop(): void
}

/**
 * Bounds the connections of a server, so that nobody without the token keeps the operator out by holding all of them, and no client
 * that never reads makes the host keep what it is to be sent.
 */
export function boundConnections(server: Server, limits: ConnectionLimits): Connections {
  // A set keeps the order of arrival: the operator's own request is there within milliseconds, the oldest silent one is not his.
  const strangers = new Set<Socket>()
  /** What each has been sent, as of the last look at it. */
  const known = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    strangers.add(socket)
    socket.once('close', () => {
      strangers.delete(socket)
      known.delete(socket)
    })
    if (strangers.size > limits.maxStrangers) first(strangers)?.destroy()
  })
  const looking = setInterval(() => {
    for (const [socket, before] of known) {
      const sent = sentOf(socket)
      if (socket.writableLength > 0 && sent === before) socket.destroy()
      else known.set(socket, sent)
    }
  }, limits.stalledMs)
  looking.unref()
  return {
    letIn: (socket) => {
      if (!strangers.delete(socket)) return
      known.set(socket, Number.NaN)
    },
    stop: () => clearInterval(looking),
  }
}

/** `bytesWritten` counts what only waits to be sent, too. */
function sentOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}

function first(sockets: ReadonlySet<Socket>): Socket | undefined {
  for (const socket of sockets) return socket
  return undefined
}
