import type { ServerResponse } from 'node:http'
import { clientGone, writeAtPace } from './client-pace.ts'

/**
 * Writes `events` as server-sent events, each named by its type, and resolves when they end or the client is gone. Takes the next
 * event only when the client has taken the last, so that events wait in the bounded queue behind `events`. `id` counts from 1
 * within the connection: nothing is replayed, a new connection begins with the state.
 */
export async function writeEventStream(
  response: ServerResponse,
  events: AsyncIteratorObject<{ readonly type: string }>,
  keepAliveMs = 15_000,
): Promise<void> {
  const gone = clientGone(response)
  if (gone.aborted) return void (await events.return?.())
  gone.addEventListener('abort', () => void events.return?.())
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.flushHeaders()
  const keepAlive = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': keep-alive\n\n')
  }, keepAliveMs)
  try {
    let id = 0
    for await (const event of events) {
      id += 1
      const frame = `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
      await writeAtPace(response, frame, gone)
      if (gone.aborted) return
    }
    response.end()
  } catch (error) {
    if (!gone.aborted) throw error
  } finally {
    clearInterval(keepAlive)
  }
}
