import { join } from 'node:path'
import { z } from 'zod'
import { messageSchema } from '../../core/channels/message.ts'
import { parseJson } from '../../core/text/json.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { PRIVATE_FILE } from '../files/durable-file.ts'
import type { Log } from '../ports/log.ts'

const MAXIMUM_BYTES = 64 * 1024 * 1024

const waitingSchema = z.object({
  channel: z.string(),
  message: messageSchema,
  /** True if it is about a channel; if it is lost too, that is not reported. */
  isAboutChannel: z.boolean(),
  /** Number of attempts so far. */
  attempt: z.int().min(0),
  /** Time of the next attempt (epoch ms). */
  dueMs: z.number(),
  /** Time of the first attempt (epoch ms); `null`: none yet. */
  firstMs: z.number().nullable(),
})

/** A message that its channel has not accepted yet. */
export type WaitingMessage = z.infer<typeof waitingSchema>

/** Messages that wait for a service or for the end of quiet hours, so that a restart does not lose them: `waiting.json`. */
export interface WaitingStore {
  /** The messages that the last run left waiting. */
  readonly found: readonly WaitingMessage[]
  /** Saves what `current` returns at the time of writing. Never rejects. */
  save(current: () => readonly WaitingMessage[]): void
  /** Resolves once everything is written. */
  close(): Promise<void>
}

/** Opens the store. An unusable file counts as empty, because the messages are in the app as well. */
export async function openWaiting(dataDirectory: string, log: Log): Promise<WaitingStore> {
  const path = join(dataDirectory, 'waiting.json')
  const reading = await readBoundedFile(path, MAXIMUM_BYTES)
  const parsed = reading.ok
    ? z.object({ waiting: z.array(waitingSchema) }).safeParse(parseJson(reading.bytes.toString('utf8'))).data
    : undefined
  const found = parsed?.waiting ?? []
  let isEmpty = !reading.ok
  let isAsked = false
  let writing: Promise<void> = Promise.resolve()
  const write = async (current: () => readonly WaitingMessage[]): Promise<void> => {
    isAsked = false
    const waiting = current()
    if (waiting.length === 0 && isEmpty) return
    try {
      await replaceFile(path, `${JSON.stringify({ waiting })}\n`, PRIVATE_FILE)
      isEmpty = waiting.length === 0
    } catch (error) {
      log.warn('Messages that wait could not be saved: a restart would lose them', { error: String(error) })
    }
  }
  return {
    found,
    save: (current) => {
      if (isAsked) return
      isAsked = true
      writing = writing.then(() => write(current))
    },
    close: async () => {
      await writing
    },
  }
}
