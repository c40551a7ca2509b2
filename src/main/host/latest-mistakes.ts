import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson } from '../../core/text/json.ts'

/** Only the end of a log is read, because it has what just went wrong. */
const LOOKED_AT_BYTES = 1024 * 1024
const MOST = 10
const MOST_CHARACTERS = 2_000

const lineSchema = z.object({
  level: z.literal('error'),
  time: z.string(),
  msg: z.string(),
  cause: z.string().optional(),
  error: z.string().optional(),
})

/** Returns errors in the log of a data folder, newest first, each with its cause. Never rejects. */
export async function latestMistakes(dataDirectory: string): Promise<readonly string[]> {
  const lines = (await endOf(join(dataDirectory, 'pulseward.log'))).split('\n')
  return lines.flatMap(mistakeIn).slice(-MOST).reverse()
}

function mistakeIn(line: string): string[] {
  const mistake = readJson(lineSchema, line)
  // Of another level, or cut off at the start of what was read.
  if (mistake === null) return []
  const { time, msg, cause, error } = mistake
  return [`${time} ${msg}: ${cause ?? error ?? ''}`.slice(0, MOST_CHARACTERS)]
}

async function endOf(path: string): Promise<string> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const length = Math.min(size, LOOKED_AT_BYTES)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    return ''
  }
}
