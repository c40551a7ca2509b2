import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** What counts stands at the end of a transcript. */
const TAIL_BYTES = 512 * 1024

/**
 * Returns what the agent said last, by the end of the transcript that its program writes, a JSON document a line; for programs that do not
 * say it to their hook. `null`: it said nothing there; `undefined`: there is no regular file that can be read. Never rejects, and never
 * waits for a pipe or device that an agent put there.
 */
export async function lastMessageIn(path: string): Promise<string | null | undefined> {
  const text = await readTail(path)
  if (text === undefined) return undefined
  for (const line of text.split('\n').reverse()) {
    const said = messageOf(line)
    if (said !== null) return said
  }
  return null
}

async function readTail(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const status = await file.stat()
      if (!status.isFile()) return undefined
      const length = Math.min(status.size, TAIL_BYTES)
      const buffer = Buffer.alloc(length)
      const { bytesRead } = await file.read(buffer, 0, length, status.size - length)
      return buffer.subarray(0, bytesRead).toString('utf8')
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}

/** Copilot: `{"type":"assistant.message","data":{"content"}}`; Claude's form: `{"type":"assistant","message":{"content":[…]}}`. */
function messageOf(line: string): string | null {
  if (!line.includes('assistant')) return null
  try {
    const { type, data, message } = JSON.parse(line) as Record<
      string,
      Record<string, unknown> | string | undefined
    >
    if (type !== 'assistant.message' && type !== 'assistant') return null
    const holder = typeof data === 'object' ? data : typeof message === 'object' ? message : undefined
    return textOf(holder?.content)
  } catch {
    return null
  }
}

function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content === '' ? null : content
  if (!Array.isArray(content)) return null
  const texts = content.flatMap((part: { type?: unknown; text?: unknown } | null) =>
    part?.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  )
  return texts.length === 0 ? null : texts.join('\n')
}
