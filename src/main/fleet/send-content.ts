import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { JetStreamApiError } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { z } from 'zod'
import {
  type AllowedContent,
  type AttemptContent,
  type ContentStatus,
  contentName,
  isAnyAllowed,
  MAX_CONTENT_PART,
} from '../../core/fleet/content.ts'
import { readJson } from '../../core/text/json.ts'
import { withoutSecrets } from '../../core/text/secrets.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { writeFileAtomically } from '../files/durable-file.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { putContent } from './content-bucket.ts'
import { isNoResponder } from './hub-stream.ts'

/** A workspace with attempts whose content may leave this machine. */
export interface ContentSource {
  readonly workspace: string
  /** `…/workspaces/<id>`. */
  readonly dataDirectory: string
  readonly attemptsDirectory: string
  /** Returns what the current configuration allows. */
  allowed(): AllowedContent
  /** Returns the finished attempts, newest first. */
  attempts(): readonly { readonly attemptId: string; readonly seq: number }[]
}

export interface ContentSenderOptions {
  readonly clock: Clock
  readonly log: Log
  readonly host: string
  readonly workspaces: () => readonly ContentSource[]
  /** Returns `null` if there is no connection right now. */
  readonly connection: () => NatsConnection | null
}

/** How often to check for content; it is read later, so it is not urgent. */
const LOOK_MS = 2_000
const LONGEST_PAUSE_MS = 60_000

/*
 * Invariants:
 * 1. Content made while it was not allowed is never sent; nor is content that is still waiting when the permission changes.
 * 2. The position on disk is never past what the hub has confirmed: after a kill, an attempt is sent again under the same
 *    name.
 * 3. Attempts are sent one at a time and chunk by chunk, read and compressed without blocking the rest of this process.
 */
/** Sends those prompts, output and differences of attempts that the operator allows. */
export class ContentSender {
  readonly #options: ContentSenderOptions
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  /** By workspace, the record line of the last attempt that was sent, or that must not be sent. */
  readonly #sentTo = new Map<string, number>()
  /** What was allowed at the last check, by workspace. */
  readonly #allowed = new Map<string, string>()
  #sent = 0
  #problem: string | null = null

  constructor(options: ContentSenderOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  /** `null`: only the records may leave this machine. */
  get status(): ContentStatus | null {
    const allowed = this.#options.workspaces().filter((source) => isAnyAllowed(source.allowed()))
    if (allowed.length === 0) return null
    const waiting = allowed.reduce((sum, source) => sum + this.#due(source).length, 0)
    return { sent: this.#sent, waiting, problem: this.#problem }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { clock, log, workspaces } = this.#options
    const { signal } = this.#stopping
    let pauseMs = LOOK_MS
    while (!signal.aborted) {
      try {
        await this.#lookAtAll(workspaces())
        this.#problem = null
        pauseMs = LOOK_MS
      } catch (error) {
        this.#problem = inWords(error)
        if (pauseMs === LOOK_MS) log.warn('The content of attempts is sent later', { problem: this.#problem })
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      }
      await clock.sleep(pauseMs, signal)
    }
  }

  /** Continues with other workspaces if the position of one cannot be saved. */
  async #lookAtAll(sources: readonly ContentSource[]): Promise<void> {
    const errors: unknown[] = []
    for (const source of sources) await this.#look(source).catch((error: unknown) => errors.push(error))
    if (errors.length > 0) throw errors[0]
  }

  async #look(source: ContentSource): Promise<void> {
    const { workspace } = source
    const allowed = source.allowed()
    const before = this.#allowed.get(workspace)
    this.#allowed.set(workspace, JSON.stringify(allowed))
    const newest = source.attempts()[0]?.seq ?? 0
    const known = this.#sentTo.get(workspace)
    if (!isAnyAllowed(allowed)) {
      // Once content is allowed again, only later attempts are sent.
      if (known !== Number.POSITIVE_INFINITY) await rm(placePath(source), { force: true })
      this.#sentTo.set(workspace, Number.POSITIVE_INFINITY)
      return
    }
    if (known === undefined || known === Number.POSITIVE_INFINITY) {
      const read = known === undefined ? await readPlace(source) : null
      if (read === null) await writePlace(source, newest)
      this.#sentTo.set(workspace, read ?? newest)
    } else if (before !== JSON.stringify(allowed)) {
      // Waiting content was made when something else was allowed, and may now contain too much or too little.
      await writePlace(source, newest)
      this.#sentTo.set(workspace, newest)
    }
    for (const { attemptId, seq } of this.#due(source)) {
      const connection = this.#options.connection()
      if (connection === null || this.#stopping.signal.aborted) return
      // The setting was changed while sending; the next check handles it.
      if (JSON.stringify(source.allowed()) !== JSON.stringify(allowed)) return
      const content = await contentOf(source, attemptId, allowed)
      if (content !== null)
        await putContent(connection, this.#options.host, contentName(workspace, attemptId), content)
      await writePlace(source, seq)
      this.#sentTo.set(workspace, seq)
      // Counted together with saving its position, so that no attempt counts as both sent and waiting.
      if (content !== null) this.#sent += 1
    }
  }

  /** Returns the attempts to send, oldest first. */
  #due(source: ContentSource): readonly { readonly attemptId: string; readonly seq: number }[] {
    const sentTo = this.#sentTo.get(source.workspace) ?? Number.POSITIVE_INFINITY
    const attempts = source.attempts()
    const end = attempts.findIndex(({ seq }) => seq <= sentTo)
    return attempts.slice(0, end < 0 ? attempts.length : end).toReversed()
  }
}

/** Returns `null` if none of the attempt's content is stored any more. */
async function contentOf(
  { attemptsDirectory }: ContentSource,
  attemptId: string,
  { sendPrompts, sendOutput, sendDifferences }: AllowedContent,
): Promise<AttemptContent | null> {
  const part = async (isAllowed: boolean, ending: 'prompt' | 'log' | 'diff'): Promise<string | null> => {
    if (!isAllowed) return null
    const reading = await readBoundedFile(join(attemptsDirectory, `${attemptId}.${ending}`), MAX_CONTENT_PART)
    // Yield to other work between two texts.
    await setImmediate()
    return reading.ok ? withoutSecrets(reading.bytes.toString('utf8')).slice(0, MAX_CONTENT_PART) : null
  }
  const prompt = await part(sendPrompts, 'prompt')
  const output = await part(sendOutput, 'log')
  const difference = await part(sendDifferences, 'diff')
  return prompt === null && output === null && difference === null
    ? null
    : { v: 1, prompt, output, difference }
}

const placeSchema = z.object({ v: z.literal(1), seq: z.int().min(0) })

const placePath = ({ dataDirectory }: ContentSource): string => join(dataDirectory, 'fleet-content.json')

/** Returns `null` if the position is missing or unreadable; then only content made afterwards is sent. */
async function readPlace(source: ContentSource): Promise<number | null> {
  const text = await readFile(placePath(source), 'utf8').catch(() => '')
  return readJson(placeSchema, text)?.seq ?? null
}

async function writePlace(source: ContentSource, seq: number): Promise<void> {
  await writeFileAtomically(placePath(source), `${JSON.stringify({ v: 1, seq })}\n`)
}

/** The server's message when a bucket is full, in 2.9 and later. */
const FULL = /maximum (bytes|messages)/i

function inWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  // A NATS client's error when no stream has the subject.
  if (isNoResponder(error) || (error instanceof Error && error.name === 'JetStreamNotEnabled'))
    return 'The center has not made room for prompts, output and differences yet.'
  return error instanceof JetStreamApiError && FULL.test(message)
    ? "This host's room for prompts, output and differences is full at the hub: sending continues when old content expires."
    : message
}
