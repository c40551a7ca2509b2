import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { parseJson } from '../../core/text/json.ts'
import type { Clock } from '../ports/clock.ts'

/** Only the end of a transcript matters. */
const TAIL_BYTES = 512 * 1024

/** Copilot writes its transcript up to a second late: at a stop, the whole turn may still be missing. */
const PATIENCE_MS = 2000
const LOOK_EVERY_MS = 20

/**
 * Returns the agent's last message from the end of the transcript that its program writes, one JSON document per line; for programs that do
 * not pass it to their hook. Waits at most two seconds for the transcript to reach this stop; after that, a message counts only if nothing
 * began after it. `null`: the agent said nothing; `undefined`: there is no readable regular file. Never rejects, and never waits for a pipe
 * or device that an agent put there.
 */
export async function lastMessageIn(
  path: string,
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>,
): Promise<string | null | undefined> {
  const endMs = clock.monotonicMs() + PATIENCE_MS
  for (;;) {
    const text = await readTail(path)
    if (text === undefined) return undefined
    const { said, isComplete } = endOf(text)
    if (isComplete || clock.monotonicMs() >= endMs) return said
    await clock.sleep(LOOK_EVERY_MS)
  }
}

interface TranscriptEnd {
  /** What the agent said after the last prompt, step or tool call; `null`: nothing. */
  readonly said: string | null
  /** False: the program will write more shortly. */
  readonly isComplete: boolean
}

/** Reads the end of a transcript by Copilot, which also records each hook call, including this stop's: the message comes before it. */
function endOf(text: string): TranscriptEnd {
  let hook: Entry | null = null
  let said: string | null | undefined
  let hasBegun = false
  for (const line of text.split('\n').reverse()) {
    const entry = entryOf(line)
    const type = String(entry?.type)
    if (entry !== null && hook === null && type.startsWith('hook.')) hook = entry
    if (entry === null || said !== undefined) continue
    hasBegun = BEGINNINGS.has(type)
    said = messageOf(entry) ?? (hasBegun ? null : undefined)
  }
  const isAtStop = hook === null || isStop(hook)
  return { said: said ?? null, isComplete: isAtStop && !hasBegun }
}

/** A line of Copilot's transcript. */
const BEGINNINGS: ReadonlySet<string> = new Set([
  'user.message',
  'assistant.turn_start',
  'tool.execution_complete',
])

function isStop({ type, data }: Entry): boolean {
  return type === 'hook.start' && typeof data === 'object' && data.hookType === 'agentStop'
}

type Entry = Readonly<Record<string, Record<string, unknown> | string | undefined>>

function entryOf(line: string): Entry | null {
  if (!/assistant|user|tool|hook/.test(line)) return null
  const entry = parseJson(line)
  return typeof entry === 'object' ? (entry as Entry | null) : null
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
function messageOf({ type, data, message }: Entry): string | null {
  if (type !== 'assistant.message' && type !== 'assistant') return null
  const holder = typeof data === 'object' ? data : typeof message === 'object' ? message : undefined
  return textOf(holder?.content)
}

function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content === '' ? null : content
  if (!Array.isArray(content)) return null
  const texts = content.flatMap((part: { type?: unknown; text?: unknown } | null) =>
    part?.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  )
  return texts.length === 0 ? null : texts.join('\n')
}
