import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** What connections may take of the server. */
export interface ConnectionLimits {
  /** Connections that have shown no right to ask yet. One more, and the oldest of them is closed. */
  readonly maxStrangers: number
  /** A client that takes nothing of what waits for it for this long is cut off. */
  readonly stalledMs: number
  /** Those who asked just now are waited for no longer, at the end: a host does not stay because others go on to ask it. */
  readonly settledWithinMs: number
}

/** The connections of a server. */
export interface Connections {
  /** A request on this connection has shown its right to ask. */
  letIn(socket: Socket): void
  /** It is this response's turn on its connection. */
  answers(response: ServerResponse): void
  /**
   * Resolves once all is answered, and nobody has asked for a moment: at once where nobody did just now, and in any case after a few.
   * Live events are not waited for.
   */
  settled(): Promise<void>
  /** Closes each connection for which nothing is to be waited, the others once they are answered. */
  stop(): void
}

/** Between two requests of one command of another process, on a machine that has much to do. */
const BETWEEN_REQUESTS_MS = 250
const LOOK_AGAIN_MS = 20

/**
 * Bounds the connections of a server, so that nobody without the token keeps the operator out by holding all of them, and no client
 * that never reads makes the host keep what it is to be sent.
 */
export function boundConnections(server: Server, limits: ConnectionLimits): Connections {
  // A set keeps the order of arrival: the operator's own request is there within milliseconds, the oldest silent one is not his.
  const strangers = new Set<Socket>()
  /** What each has been sent, as of the last look at it. */
  const known = new Map<Socket, number>()
  const underWay = new Set<ServerResponse>()
  let isStopping = false
  let busyAt = Number.NEGATIVE_INFINITY
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
    answers: (response) => {
      underWay.add(response)
      busyAt = performance.now()
      response.once('close', () => {
        underWay.delete(response)
        busyAt = performance.now()
        if (isStopping) response.req.socket.destroy()
      })
    },
    settled: async () => {
      const isBusy = () =>
        performance.now() - busyAt < BETWEEN_REQUESTS_MS ||
        [...underWay].some((response) => response.req.complete && !isOfEvents(response))
      for (let waitedMs = 0; waitedMs < limits.settledWithinMs && isBusy(); waitedMs += LOOK_AGAIN_MS)
        await delay(LOOK_AGAIN_MS)
    },
    stop: () => {
      isStopping = true
      clearInterval(looking)
      const awaited = new Set([...underWay].filter(isAwaited).map(({ req }) => req.socket))
      for (const socket of [...strangers, ...known.keys()]) if (!awaited.has(socket)) socket.destroy()
    },
  }
}

/**
 * Nothing has been begun for a request that has not arrived whole. What a client of live events has not taken, it is told by the next
 * host that it follows.
 */
function isAwaited(response: ServerResponse): boolean {
  if (!response.req.complete) return false
  return !isOfEvents(response) || response.req.socket.writableLength === 0
}

function isOfEvents(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream')
}

/** `bytesWritten` counts what only waits to be sent, too. */
function sentOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}

function first(sockets: ReadonlySet<Socket>): Socket | undefined {
  for (const socket of sockets) return socket
  return undefined
}
