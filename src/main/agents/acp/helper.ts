import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { parseJson } from '../../../core/text/json.ts'
import { ownNode } from '../../process/own-node.ts'
import { createLineSplitter } from '../streams/line-splitter.ts'
import { HELPER_PROGRAM } from './helper-program.ts'

/** The connection to the helper. */
export interface HelperLink {
  readonly input: Writable
  readonly output: Readable
}

/** Limits what a helper may touch. Absolute paths. */
export interface HelperRules {
  /** The workspace's real path; nothing outside it is opened. */
  readonly root: string
  readonly unread: readonly string[]
  readonly unwritten: readonly string[]
}

/** How a command ended. */
interface Ended {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** Why a request failed: a system error code, or `REFUSED`, `NOFILE`, `GONE`. */
export class HelperError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Returns the command that starts the helper; `channel`: the number of its open socket, or `-`. */
export function helperCommand(rules: HelperRules, channel: number | '-'): readonly string[] {
  const { program, env } = ownNode()
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const start = variables.length === 0 ? [] : ['/usr/bin/env', ...variables]
  return [...start, program, '-e', HELPER_PROGRAM, String(channel), JSON.stringify(rules)]
}

/** An answer contains a file of at most 8 MiB, in base64. The limit is needed because an agent could send data in its helper's name. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024
/** Long enough, because requests only wait for a disk. */
const PATIENCE_MS = 60_000
/** The helper's messages: answers, and reports of commands that ended. */
const answerSchema = z.union([
  z.object({ id: z.number(), result: z.unknown() }),
  z.object({ id: z.number(), code: z.string(), message: z.string() }),
  z.object({ ended: z.string(), exitCode: z.number().nullable(), signal: z.string().nullable() }),
])

const readSchema = z.object({ size: z.number(), content: z.string().nullable() })
const writtenSchema = z.object({ isNew: z.boolean() })
const outputSchema = z.object({ output: z.string(), truncated: z.boolean() })
const doneSchema = z.object({})

interface CommandStart {
  readonly command: readonly string[]
  /** An absolute path. */
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  readonly maxBytes: number
}

/**
 * Does what an agent asks of us, inside the agent's sandbox. The helper's output is as untrusted as the agent's: it is parsed by schema,
 * and limited.
 */
export class Helper {
  readonly #open: () => Promise<HelperLink>
  #link: Promise<HelperLink> | null = null
  #isClosed = false
  #count = 0
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: HelperError): void }>()
  readonly #commands = new Map<string, (ended: Ended) => void>()

  /** Calls `open` when it is first needed. */
  constructor(open: () => Promise<HelperLink>) {
    this.#open = open
  }

  /** `parts`: the names along the path, starting in the workspace. `content` is `null` if the file is larger than `maxBytes`. */
  async read(parts: readonly string[], maxBytes: number): Promise<{ size: number; content: string | null }> {
    const { size, content } = await this.#ask(readSchema, 'read', { parts, maxBytes })
    return { size, content: content === null ? null : Buffer.from(content, 'base64').toString('utf8') }
  }

  async write(parts: readonly string[], content: string): Promise<{ isNew: boolean }> {
    return this.#ask(writtenSchema, 'write', { parts, content: Buffer.from(content).toString('base64') })
  }

  /** Starts a command under this name. `ended` resolves when the command has ended or the helper is gone. */
  async start(terminal: string, start: CommandStart): Promise<{ readonly ended: Promise<Ended> }> {
    const ended = new Promise<Ended>((resolve) => this.#commands.set(terminal, resolve))
    await this.#ask(doneSchema, 'start', { terminal, ...start }).catch((error: unknown) => {
      this.#commands.delete(terminal)
      throw error
    })
    return { ended }
  }

  async output(terminal: string): Promise<{ bytes: Buffer; truncated: boolean }> {
    const { output, truncated } = await this.#ask(outputSchema, 'output', { terminal })
    return { bytes: Buffer.from(output, 'base64'), truncated }
  }

  /** Ends a command: SIGTERM, and SIGKILL after the grace period. */
  async end(terminal: string, graceMs: number, isReleased: boolean): Promise<void> {
    await this.#ask(doneSchema, 'end', { terminal, graceMs, isReleased })
  }

  /** Accepts no more requests and ends what it runs. */
  close(): void {
    this.#isClosed = true
    for (const { reject } of this.#waiting.values()) reject(gone())
    this.#waiting.clear()
    for (const end of this.#commands.values()) end({ exitCode: null, signal: 'SIGKILL' })
    this.#commands.clear()
    void this.#link?.then(
      ({ input }) => input.destroy(),
      () => {},
    )
  }

  async #ask<T>(schema: z.ZodType<T>, act: string, request: object): Promise<T> {
    if (this.#isClosed) throw gone()
    this.#link ??= this.#listen()
    const { input } = await this.#link
    const id = ++this.#count
    let timer: NodeJS.Timeout | undefined
    try {
      const answer = await new Promise<unknown>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        timer = setTimeout(() => reject(new HelperError('ETIMEDOUT', 'no answer')), PATIENCE_MS)
        input.write(`${JSON.stringify({ id, act, ...request })}\n`)
      })
      const read = schema.safeParse(answer)
      if (!read.success) throw new HelperError('EPROTO', 'an invalid answer')
      return read.data
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  async #listen(): Promise<HelperLink> {
    const link = await this.#open()
    const lines = createLineSplitter((line) => this.#take(line), MAX_LINE_CHARACTERS)
    link.output.setEncoding('utf8')
    link.output.on('data', (text: string) => lines.write(text))
    for (const stream of [link.input, link.output]) stream.on('error', () => this.close())
    link.output.on('close', () => this.close())
    return link
  }

  #take(line: string): void {
    const read = answerSchema.safeParse(parseJson(line))
    if (!read.success) return
    const answer = read.data
    if ('ended' in answer) {
      const { ended, exitCode, signal } = answer
      this.#commands.get(ended)?.({ exitCode, signal })
      this.#commands.delete(ended)
    } else if ('code' in answer)
      this.#waiting.get(answer.id)?.reject(new HelperError(answer.code, answer.message.slice(0, 500)))
    else this.#waiting.get(answer.id)?.resolve(answer.result)
  }
}

function gone(): HelperError {
  return new HelperError('GONE', 'the turn is over')
}
