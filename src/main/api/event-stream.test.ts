import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { clientGone, writeAtPace } from './client-pace.ts'
import { writeEventStream } from './event-stream.ts'
import { openSocket } from './testing/raw-http.ts'

/* A client that sends a request, reads nothing and disconnects; later writes to it hang forever or end. */

let server: Server
let client: Socket
let response: ServerResponse

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  client = await openSocket(await portOf(server))
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [, given] = await once(server, 'request')
  response = given
})

afterEach(() => {
  client.destroy()
  server.close()
})

async function portOf(listening: Server): Promise<number> {
  await once(listening, 'listening')
  return (listening.address() as AddressInfo).port
}

async function clientGoes(): Promise<void> {
  client.destroy()
  await once(response, 'close')
}

/** More than the system's own buffers hold. */
const FILLER = 'x'.repeat(16 * 1024 * 1024)

/** Yields the same event until it is stopped; calls `onNext` for each. */
function endlessEvents(onNext: () => void) {
  const state = { isEnded: false }
  const events: AsyncIteratorObject<{ type: string; text: string }, undefined, void> = {
    next: async () => {
      if (state.isEnded) return { done: true, value: undefined }
      onNext()
      return { done: false, value: { type: 'said', text: FILLER } }
    },
    return: async () => {
      state.isEnded = true
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => events,
    [Symbol.asyncDispose]: async () => {},
  }
  return { events, state }
}

it('writes no events to a client that was gone before they began, and ends them', async () => {
  await clientGoes()
  let asked = 0
  const { events, state } = endlessEvents(() => {
    asked += 1
  })
  await writeEventStream(response, events)
  expect({ asked, ...state }).toEqual({ asked: 0, isEnded: true })
})

it('ends the events of a client that disconnects with much data unread', async () => {
  const { events, state } = endlessEvents(() => client.destroy())
  await writeEventStream(response, events)
  expect(state.isEnded).toBe(true)
})

it('does not wait for a disconnected client to read', async () => {
  await clientGoes()
  await expect(writeAtPace(response, FILLER, clientGone(response))).resolves.toBeUndefined()
})
