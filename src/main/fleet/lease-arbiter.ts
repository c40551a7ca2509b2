import { JetStreamApiError, jetstream } from '@nats-io/jetstream'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import {
  decideLease,
  type Lease,
  type LeaseReply,
  type LeaseRequest,
  leaseRequestSchema,
  leaseSchema,
} from '../../core/fleet/lease.ts'
import { hostNameSchema, LEASE_BUCKET, leaseAskSubject, leaseSubject } from '../../core/fleet/names.ts'
import { readJson } from '../../core/text/json.ts'
import type { Clock } from '../ports/clock.ts'
import { createSerializer } from '../process/serialize.ts'
import { WRONG_LAST_SEQUENCE } from './hub-stream.ts'

export interface ArbiterOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Someone sent or wrote an invalid lease. `host: null`: it is unknown whose key it was. */
  readonly onFinding: (finding: { readonly host: string | null; readonly problem: string }) => void
}

interface Seen {
  readonly revision: number
  readonly lease: Lease | null
  /** Time by the monotonic clock. */
  readonly sinceMs: number
}

const ASKING_MS = 5_000
const MAX_TRIES = 4
const MAX_REQUEST_BYTES = 4096

/*
 * Invariants:
 * 1. Hosts never write leases: each sends requests on a subject with its own name, and only the center's key may write.
 * 2. A lease lasts as long as its holder requested, counted from when this arbiter wrote it or first saw it: a restarted arbiter
 *    counts from the start again, so a lease never ends early.
 * 3. Each write names the previous one, so only one of two arbiters succeeds.
 * 4. Epochs never decrease, whatever anyone writes there.
 */
/** Decides which host of a hub runs shared work. */
export class LeaseArbiter {
  readonly #connection: NatsConnection
  readonly #options: ArbiterOptions
  readonly #seen = new Map<string, Seen>()
  readonly #next = createSerializer()

  /** `before`: the arbiter of an earlier connection, whose leases keep their times. */
  constructor(connection: NatsConnection, options: ArbiterOptions, before?: LeaseArbiter) {
    this.#connection = connection
    this.#options = options
    if (before !== undefined) for (const [name, seen] of before.#seen) this.#seen.set(name, seen)
  }

  /** Answers requests until the connection ends. */
  listen(): void {
    this.#connection.subscribe(leaseAskSubject('*'), {
      // Only one of several arbiters answers.
      queue: 'arbiter',
      callback: (error, message) => {
        if (error === null) void this.#answer(message)
      },
    })
  }

  async #answer(message: Msg): Promise<void> {
    const reply = await this.#decide(message).catch(
      (error: unknown): LeaseReply => ({
        kind: 'refused',
        problem:
          `The center can't decide right now: ${error instanceof Error ? error.message : String(error)}`.slice(
            0,
            500,
          ),
      }),
    )
    if (!this.#connection.isClosed()) message.respond(JSON.stringify(reply))
  }

  async #decide(message: Msg): Promise<LeaseReply> {
    const host = hostNameSchema.safeParse(message.subject.split('.')[2]).data
    const request = requestOf(message.data)
    if (host === undefined || request === null) {
      const problem = 'It sent an invalid request for shared work.'
      this.#options.onFinding({ host: host ?? null, problem })
      return { kind: 'refused', problem }
    }
    return this.#next(() => this.#settle(host, request))
  }

  async #settle(host: string, request: LeaseRequest): Promise<LeaseReply> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { revision, lease: current, sinceMs } = await this.#look(request.name)
      const nowMs = this.#options.clock.monotonicMs()
      // Each write has its own revision, and each epoch was once a revision, so no epoch exceeds the current revision.
      const floor = current === null ? revision : 0
      const { next, reply } = decideLease(request, host, { current, seenForMs: nowMs - sinceMs, floor })
      if (next === null) return reply
      const written = await write(this.#connection, request.name, revision, next)
      if (written === null) continue
      this.#seen.set(request.name, {
        revision: written,
        lease: next,
        sinceMs: this.#options.clock.monotonicMs(),
      })
      return reply
    }
    return { kind: 'refused', problem: 'Too many writes there at once: ask again.' }
  }

  /** Returns the valid lease. Ignores and reports what another key wrote if it is not a lease or has a lower epoch. */
  async #look(name: string): Promise<Seen> {
    const found = await read(this.#connection, name)
    const known = this.#seen.get(name)
    if (known?.revision === found.revision) return known
    const nowMs = this.#options.clock.monotonicMs()
    const isLower = known?.lease != null && (found.lease?.epoch ?? 0) < known.lease.epoch
    if ((found.revision > 0 && found.lease === null) || isLower)
      this.#options.onFinding({
        host: null,
        problem: `The lease of ${name} was overwritten at the hub, by a key that is not a host's. The previous lease still counts.`,
      })
    const seen: Seen = isLower
      ? { ...known, revision: found.revision }
      : { revision: found.revision, lease: found.lease, sinceMs: nowMs }
    this.#seen.set(name, seen)
    return seen
  }
}

function requestOf(data: Uint8Array): LeaseRequest | null {
  return data.length > MAX_REQUEST_BYTES ? null : readJson(leaseRequestSchema, new TextDecoder().decode(data))
}

/** Reads the current value; `lease: null`: there is none, or it is not a lease. */
async function read(
  connection: NatsConnection,
  name: string,
): Promise<{ readonly revision: number; readonly lease: Lease | null }> {
  const subject = `$JS.API.DIRECT.GET.KV_${LEASE_BUCKET}.${leaseSubject(name)}`
  const message = await connection.request(subject, undefined, { timeout: ASKING_MS })
  if (message.headers?.code === 404) return { revision: 0, lease: null }
  const revision = Number(message.headers?.get('Nats-Sequence'))
  if (!(revision > 0)) throw new Error('the hub sent an unexpected answer')
  return { revision, lease: readJson(leaseSchema, new TextDecoder().decode(message.data)) }
}

/** Returns the new revision; `null`: another write was first. */
async function write(
  connection: NatsConnection,
  name: string,
  after: number,
  lease: Lease,
): Promise<number | null> {
  try {
    const acknowledged = await jetstream(connection, { timeout: ASKING_MS }).publish(
      leaseSubject(name),
      JSON.stringify(lease),
      { expect: { lastSubjectSequence: after, streamName: `KV_${LEASE_BUCKET}` }, timeout: ASKING_MS },
    )
    return acknowledged.seq
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return null
    throw error
  }
}
