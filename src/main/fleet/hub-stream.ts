import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { JetStreamApiError, type JetStreamClient, jetstream } from '@nats-io/jetstream'
import { errors, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import { ledgerStream, ledgerSubject } from '../../core/fleet/names.ts'
import { holdsSecret, withoutSecrets } from '../../core/text/secrets.ts'
import { LINE_HEADERS } from './line-headers.ts'
import type { OutgoingLine } from './read-lines.ts'

/** The hub's last line of a record. */
export interface HubLine {
  readonly seq: number
  readonly hash: string
  /** Its position in the stream. */
  readonly streamSeq: number
}

/** The hub's error if it has another line there than expected: ask for its position again. */
export const WRONG_LAST_SEQUENCE = 10_071
const PATIENCE_MS = 10_000
/** A missing stream does not answer at all. */
const ASKING_MS = 5_000
/** Limit for unconfirmed lines: enough for a distant hub, and small enough for a host with little memory. */
const WINDOW = { messages: 512, bytes: 4 * 1024 * 1024 }
/** Compressing shorter lines gains nothing. */
const COMPRESSED_FROM = 2048
const compress = promisify(deflateRaw)

/** This host's stream does not exist: the center has to create it. */
export class NoStream extends Error {
  override readonly name = 'NoStream'
}

/** The hub refuses for a reason that a retry does not change. */
export class HubSaysNo extends Error {
  override readonly name = 'HubSaysNo'
}

/** Unconfirmed lines were not taken: ask for the hub's position. */
export class OutOfStep extends Error {
  override readonly name = 'OutOfStep'
}

/*
 * Only this host writes to its stream, so it knows the position of each message before it is confirmed, and can send the next line at once
 * with the position that it must follow. If a line is refused, all later lines of its record are too, so none is stored out of order.
 */
/** The sending side of one connection. */
export class HubStream {
  readonly #connection: NatsConnection
  readonly #host: string
  readonly #jetstream: JetStreamClient
  /** The position of the next message; `null` if unknown. */
  #next: number | null = null
  #pending = new Set<Promise<void>>()
  #pendingBytes = 0
  #failure: unknown = null

  constructor(connection: NatsConnection, host: string) {
    this.#connection = connection
    this.#host = host
    this.#jetstream = jetstream(connection, { timeout: PATIENCE_MS })
  }

  /** Returns the hub's last line of a workspace; `null` if there is none. Rejects with `NoStream`. */
  async last(workspace: string): Promise<HubLine | null> {
    const stream = ledgerStream(this.#host)
    const subject = `$JS.API.DIRECT.GET.${stream}.${ledgerSubject(this.#host, workspace)}`
    const message = await this.#connection
      .request(subject, undefined, { timeout: ASKING_MS })
      .catch((error: unknown) => {
        if (isNoResponder(error) || error instanceof errors.TimeoutError)
          throw new NoStream(`There is no stream ${stream}`, { cause: error })
        throw error
      })
    const given = message.headers
    if (given?.code === 404) return null
    const line = lineOf(given)
    if (line === null) throw new HubSaysNo("The hub's answer is not a line")
    return line
  }

  /**
   * Sends a line that must follow position `after` (0: it is the first of its record) and returns its own position before that is
   * confirmed. Waits while too much is unconfirmed. Rejects with the error of an earlier line.
   */
  async send(
    workspace: string,
    line: OutgoingLine,
    after: number,
    confirmed: (at: HubLine) => void,
  ): Promise<number> {
    while (this.#pending.size >= WINDOW.messages || this.#pendingBytes > WINDOW.bytes)
      await Promise.race(this.#pending)
    if (this.#failure !== null) throw this.#failure
    const encoded = await encode(line)
    const { bytes } = encoded
    const limit = this.#connection.info?.max_payload ?? 0
    if (bytes.length + 1024 > limit)
      throw new HubSaysNo(
        `Line ${line.seq} has ${bytes.length} bytes, but the hub takes ${limit}: raise max_payload in nats-server.conf to 2MB.`,
      )
    const predicted = this.#next
    const sending = this.#publish(workspace, line, after, encoded).then((place) => {
      if (predicted !== null && place !== predicted)
        throw new OutOfStep(`line ${line.seq} was stored at another position`)
      confirmed({ seq: line.seq, hash: line.hash, streamSeq: place })
      return place
    })
    if (predicted === null) {
      const place = await sending
      this.#next = place + 1
      return place
    }
    this.#next = predicted + 1
    this.#track(sending, bytes.length)
    return predicted
  }

  /** Resolves when everything sent is confirmed; rejects with the first failure. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending)
    if (this.#failure !== null) throw this.#failure
  }

  /** Resets after a failure: nothing is in flight any more, and the position of the next message is unknown. */
  async restart(): Promise<void> {
    await Promise.all(this.#pending)
    this.#failure = null
    this.#next = null
  }

  #track(sending: Promise<unknown>, length: number): void {
    this.#pendingBytes += length
    const tracked: Promise<void> = sending
      .then(
        () => undefined,
        (error: unknown) => {
          this.#failure ??= error
        },
      )
      .finally(() => {
        this.#pendingBytes -= length
        this.#pending.delete(tracked)
      })
    this.#pending.add(tracked)
  }

  async #publish(
    workspace: string,
    line: OutgoingLine,
    after: number,
    { bytes, encoding, isRedacted }: Encoded,
  ): Promise<number> {
    const given = headers()
    given.set(LINE_HEADERS.seq, String(line.seq))
    given.set(LINE_HEADERS.hash, line.hash)
    given.set(LINE_HEADERS.prev, line.prev)
    if (encoding !== null) given.set(LINE_HEADERS.encoding, encoding)
    if (isRedacted) given.set(LINE_HEADERS.redacted, '1')
    try {
      const ack = await this.#jetstream.publish(ledgerSubject(this.#host, workspace), bytes, {
        headers: given,
        expect: { lastSubjectSequence: after, streamName: ledgerStream(this.#host) },
        timeout: PATIENCE_MS,
      })
      return ack.seq
    } catch (error) {
      throw meaning(error)
    }
  }
}

/** Converts an error; all that are not permanent refusals are retried. */
function meaning(error: unknown): Error {
  if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE)
    return new OutOfStep('the hub has another line there', { cause: error })
  if (error instanceof errors.PermissionViolationError)
    return new HubSaysNo("This host's key may not write there: it belongs to another host.", { cause: error })
  if (error instanceof JetStreamApiError)
    return new HubSaysNo(`The hub refuses it: ${error.message}`, { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}

export function isNoResponder(error: unknown): boolean {
  return (
    error instanceof errors.NoRespondersError ||
    (error instanceof errors.RequestError && error.isNoResponders())
  )
}

/** Returns a line's position from the headers of a direct answer. */
function lineOf(given: MsgHdrs | undefined): HubLine | null {
  const seq = Number(given?.get(LINE_HEADERS.seq))
  const hash = given?.get(LINE_HEADERS.hash) ?? ''
  const streamSeq = Number(given?.get('Nats-Sequence'))
  const isLine = Number.isSafeInteger(seq) && seq > 0 && /^[0-9a-f]{64}$/.test(hash) && streamSeq > 0
  return isLine ? { seq, hash, streamSeq } : null
}

interface Encoded {
  readonly bytes: Uint8Array
  readonly encoding: string | null
  readonly isRedacted: boolean
}

/**
 * Removes secrets from a line. It then no longer matches its hash, but a header has the original hash, so the line keeps its place in the
 * chain.
 */
async function encode(line: OutgoingLine): Promise<Encoded> {
  const text = line.bytes.toString('utf8')
  const isRedacted = holdsSecret(text)
  const bytes = isRedacted ? Buffer.from(withoutSecrets(text)) : line.bytes
  if (bytes.length < COMPRESSED_FROM) return { bytes, encoding: null, isRedacted }
  const packed = await compress(bytes, { level: 1 })
  return packed.length < bytes.length
    ? { bytes: packed, encoding: 'deflate', isRedacted }
    : { bytes, encoding: null, isRedacted }
}
