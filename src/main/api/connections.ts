import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Limits for the connections of a server. */
export interface ConnectionLimits {
  /** How many connections may lack a valid token so far. Beyond this, the oldest of them is closed. */
  readonly maxStrangers: number
  /** A client that has read none of its buffered data for this long is disconnected. */
  readonly stalledMs: number
  /** How long to wait at the end: a host must not keep running just because clients keep sending requests. */
  readonly settledWithinMs: number
}

/** The connections of a server. */
export interface Connections {
  /** Called when a request on this connection has shown a valid token. */
  letIn(socket: Socket): void
  /** Called when it is this response's turn on its connection. */
  answers(response: ServerResponse): void
  /**
   * Resolves once everything is answered and no request has come for a moment: at once if none came recently, at the latest after the
   * limit. Does not wait for live events.
   */
  settled(): Promise<void>
  /** Closes idle connections, and the others once they are answered. */
  stop(): void
}

/** The pause between two requests of one command in another process, on a busy machine. */
const BETWEEN_REQUESTS_MS = 250
const LOOK_AGAIN_MS = 20

/**
 * Limits a server's connections, so that no one without the token can lock the operator out by holding all of them, and no client
 * that never reads can make the host buffer its data.
 */
export function boundConnections(server: Server, limits: ConnectionLimits): Connections {
  // A set keeps the order of arrival: the operator's own request arrives within milliseconds, so the oldest silent connection is
  // not theirs.
  const strangers = new Set<Socket>()
  /** How much each connection had been sent at the last check. */
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
 * Returns whether to wait for this response. An incomplete request has not begun, and a client of live events gets what it has not read
 * from the next host that it follows.
 */
function isAwaited(response: ServerResponse): boolean {
  if (!response.req.complete) return false
  return !isOfEvents(response) || response.req.socket.writableLength === 0
}

function isOfEvents(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream')
}

/** Subtracts what is only buffered, which `bytesWritten` includes. */
function sentOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}

function first(sockets: ReadonlySet<Socket>): Socket | undefined {
  for (const socket of sockets) return socket
  return undefined
}
