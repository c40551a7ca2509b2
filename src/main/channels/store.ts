import { join } from 'node:path'
import { type Channel, channelsFileSchema } from '../../core/channels/channel.ts'
import { parseJson } from '../../core/text/json.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { PRIVATE_FILE, setAside } from '../files/durable-file.ts'
import { isOfTheMoment, readError } from '../files/storage-error.ts'
import type { Log } from '../ports/log.ts'

const MAXIMUM_BYTES = 256 * 1024

/** Stores `channels.json`, which is private because some of its addresses grant access. */
export interface ChannelStore {
  readonly current: readonly Channel[]
  /** Rejects if the file cannot be written; nothing has changed then. */
  replace(channels: readonly Channel[]): Promise<void>
}

/** Opens the store. Sets an unusable file aside and reports it. Rejects with a `StorageError` if the machine cannot read right now. */
export async function openChannelStore(dataDirectory: string, log: Log): Promise<ChannelStore> {
  const path = join(dataDirectory, 'channels.json')
  let current = await readChannels(path, log)
  return {
    get current() {
      return current
    },
    replace: async (channels) => {
      await replaceFile(path, `${JSON.stringify({ channels }, null, 2)}\n`, PRIVATE_FILE)
      current = channels
    },
  }
}

async function readChannels(path: string, log: Log): Promise<readonly Channel[]> {
  const reading = await readBoundedFile(path, MAXIMUM_BYTES)
  if (!reading.ok && reading.code === 'ENOENT') return []
  if (!reading.ok && isOfTheMoment(reading.code)) {
    throw readError(path, reading.code)
  }
  const parsed = reading.ok ? channelsFileSchema.safeParse(parseJson(reading.bytes.toString('utf8'))) : null
  if (parsed?.success === true) return parsed.data.channels
  const aside = await setAside(path, Date.now())
  const where = parsed?.error.issues[0]?.path.map(String).join('.')
  log.warn(
    `${path} is not usable${where ? ` (${where})` : ''}, so no channel is notified. ${aside === null ? '' : `It is now ${aside}. `}Add the channels again with \`pulseward channels add\`.`,
  )
  return []
}
