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
import { withoutSecrets } from '../../core/text/secrets.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { writeFileAtomically } from '../files/durable-file.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { putContent } from './content-bucket.ts'
import { isNoResponder } from './hub-stream.ts'

/** A workspace whose attempts may leave this machine. */
export interface ContentSource {
  readonly workspace: string
  /** `…/workspaces/<id>`. */
  readonly dataDirectory: string
  readonly attemptsDirectory: string
  /** By the configuration in force. */
  allowed(): AllowedContent
  /** The finished ones, newest first. */
  attempts(): readonly { readonly attemptId: string; readonly seq: number }[]
}

export interface ContentSenderOptions {
  readonly clock: Clock
  readonly log: Log
  readonly host: string
  readonly workspaces: () => readonly ContentSource[]
  /** `null`: there is none just now. */
  readonly connection: () => NatsConnection | null
}

/** Between two looks: what was asked and said is read by people, later. */
const LOOK_MS = 2_000
const LONGEST_PAUSE_MS = 60_000

/*
 * Invariants:
 * 1. What was made before it was allowed stays here, and what is made while it is not; what waits when that changes
 *    stays here as well.
 * 2. How far it was sent stands on the disk behind what the hub has confirmed: killed in between, an attempt is sent
 *    again, under its name.
 * 3. One attempt at a time, one chunk at a time, read and packed beside whatever else this process does.
 */
/** Sends what was asked, said and changed in attempts, where that is allowed. */
export class ContentSender {
  readonly #options: ContentSenderOptions
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  /** By workspace, the line of the last attempt that was sent, or that is not to be. */
  readonly #sentTo = new Map<string, number>()
  /** By workspace, what was allowed when it was looked at last. */
  readonly #allowed = new Map<string, string>()
  #sent = 0
  #problem: string | null = null

  constructor(options: ContentSenderOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  /** `null`: nothing may leave this machine beside the records. */
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
        if (pauseMs === LOOK_MS)
          log.warn('What was asked and said in attempts is sent later', { problem: this.#problem })
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      }
      await clock.sleep(pauseMs, signal)
    }
  }

  /** One whose place cannot be written does not hold up the others. */
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
      // Allowed again, it begins with what is made then.
      if (known !== Number.POSITIVE_INFINITY) await rm(placePath(source), { force: true })
      this.#sentTo.set(workspace, Number.POSITIVE_INFINITY)
      return
    }
    if (known === undefined || known === Number.POSITIVE_INFINITY) {
      const read = known === undefined ? await readPlace(source) : null
      if (read === null) await writePlace(source, newest)
      this.#sentTo.set(workspace, read ?? newest)
    } else if (before !== JSON.stringify(allowed)) {
      // What waits was made under another word of the operator's: more may go now, or less.
      await writePlace(source, newest)
      this.#sentTo.set(workspace, newest)
    }
    for (const { attemptId, seq } of this.#due(source)) {
      const connection = this.#options.connection()
      if (connection === null || this.#stopping.signal.aborted) return
      // Taken back while it is sent: the next look sees to it.
      if (JSON.stringify(source.allowed()) !== JSON.stringify(allowed)) return
      const content = await contentOf(source, attemptId, allowed)
      if (content !== null)
        await putContent(connection, this.#options.host, contentName(workspace, attemptId), content)
      await writePlace(source, seq)
      this.#sentTo.set(workspace, seq)
      // Together with its place, so that no attempt is both sent and waiting.
      if (content !== null) this.#sent += 1
    }
  }

  /** Oldest first. */
  #due(source: ContentSource): readonly { readonly attemptId: string; readonly seq: number }[] {
    const sentTo = this.#sentTo.get(source.workspace) ?? Number.POSITIVE_INFINITY
    const attempts = source.attempts()
    const end = attempts.findIndex(({ seq }) => seq <= sentTo)
    return attempts.slice(0, end < 0 ? attempts.length : end).toReversed()
  }
}

/** `null`: nothing of it is kept any more. */
async function contentOf(
  { attemptsDirectory }: ContentSource,
  attemptId: string,
  { sendPrompts, sendOutput, sendDifferences }: AllowedContent,
): Promise<AttemptContent | null> {
  const part = async (isAllowed: boolean, ending: 'prompt' | 'log' | 'diff'): Promise<string | null> => {
    if (!isAllowed) return null
    const reading = await readBoundedFile(join(attemptsDirectory, `${attemptId}.${ending}`), MAX_CONTENT_PART)
    // Whoever waits for this process has its turn between one text and the next.
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

/** `null`: there is none, or none that can be read; then it begins with what is made from now on. */
async function readPlace(source: ContentSource): Promise<number | null> {
  try {
    return placeSchema.parse(JSON.parse(await readFile(placePath(source), 'utf8'))).seq
  } catch {
    return null
  }
}

async function writePlace(source: ContentSource, seq: number): Promise<void> {
  await writeFileAtomically(placePath(source), `${JSON.stringify({ v: 1, seq })}\n`)
}

/** The server's words where a bucket is full, as they are in 2.9 and later. */
const FULL = /maximum (bytes|messages)/i

function inWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  // As a client of NATS takes it where no stream has the subject.
  if (isNoResponder(error) || (error instanceof Error && error.name === 'JetStreamNotEnabled'))
    return 'The centre has not made room for prompts, output and differences yet.'
  return error instanceof JetStreamApiError && FULL.test(message)
    ? 'The room of this host for prompts, output and differences is full at the hub: it goes on when what is there has gone.'
    : message
}
