import { JetStreamApiError, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { type Lease, leaseSchema, leftAloneMs } from '../../core/fleet/lease.ts'
import { LEASE_BUCKET, leaseSubject } from '../../core/fleet/names.ts'
import type { HeldLease } from '../../core/fleet/status.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { LeaseAnswer, LeaseTerms, WorkLease } from '../ports/work-lease.ts'
import { createTurns } from '../process/in-turn.ts'
import { WRONG_LAST_SEQUENCE } from './hub-stream.ts'

/** How the leases reach the hub just now, and as whom. */
export interface LeaseLink {
  readonly connection: NatsConnection
  readonly host: string
  readonly instance: string
  readonly labels: readonly string[]
}

export interface LeasesOptions {
  readonly clock: Clock
  readonly log: Log
  /** A string says why there is none. */
  readonly link: () => LeaseLink | string
}

interface Held {
  /** The workspace whose work it is. */
  readonly by: string
  readonly epoch: number
  /** Of its last writing: whoever writes must have seen it. */
  revision: number
  readonly ttlMs: number
  /** By the monotonic clock: until then nobody else takes it, whatever happens to the hub. */
  untilMs: number
  /** By the monotonic clock: until then it is to last without being renewed. */
  neededMs: number
  readonly renewing: AbortController
}

interface Seen {
  readonly revision: number
  readonly sinceMs: number
}

type Entry = { readonly revision: number; readonly lease: Lease | null }

const ASKING_MS = 5_000
/** How soon a hub that is away is asked again. */
const AGAIN_MS = 5_000
/** Labels change when the host joins anew, which is noticed at once. */
const DAY_MS = 24 * 60 * 60 * 1000

/*
 * Invariants:
 * 1. A lease lasts, for its holder, from before it was written; for everybody else, from when they first saw that
 *    writing. So the holder's end comes first, by however different clocks.
 * 2. Each writing names the one before it: of two that want it at once, one gets it.
 * 3. An attempt begins only after a writing that lasts until its limit was confirmed.
 */
/** The leases of a host: for each workspace whose work is shared, one. */
export class Leases {
  readonly #options: LeasesOptions
  readonly #held = new Map<string, Held>()
  readonly #seen = new Map<string, Seen>()
  /** One question to the hub at a time: each names the writing before it. */
  readonly #next = createTurns()

  constructor(options: LeasesOptions) {
    this.#options = options
  }

  /** What this host has just now. */
  list(): readonly HeldLease[] {
    const nowMs = this.#options.clock.monotonicMs()
    return [...this.#held].flatMap(([name, { by, epoch, untilMs }]) =>
      untilMs > nowMs ? [{ name, workspace: by, epoch }] : [],
    )
  }

  /** The lease of one workspace, by whatever name its configuration gives it. */
  of(workspace: string): WorkLease {
    let current: string | null = null
    const ours = (): Held | undefined => {
      const held = current === null ? undefined : this.#held.get(current)
      return held?.by === workspace ? held : undefined
    }
    const release = async (): Promise<void> => {
      const name = current
      if (name !== null && ours() !== undefined) await this.#next(() => this.#giveBack(name))
    }
    return {
      hold: async (terms, forMs) => {
        if (current !== terms.lease) await release()
        current = terms.lease
        const name = current
        return name === null ? HELD : this.#next(() => this.#hold(name, workspace, terms, forMs))
      },
      rest: () => {
        const held = ours()
        if (held !== undefined) held.neededMs = 0
      },
      release,
      get epoch() {
        return ours()?.epoch ?? null
      },
    }
  }

  async stop(): Promise<void> {
    for (const name of [...this.#held.keys()]) await this.#next(() => this.#giveBack(name))
  }

  async #hold(name: string, workspace: string, terms: LeaseTerms, forMs: number): Promise<LeaseAnswer> {
    const link = this.#options.link()
    if (typeof link === 'string') return kept(`${name} is shared work. ${link}`)
    const missing = terms.leaseLabels.filter((label) => !link.labels.includes(label))
    if (missing.length > 0)
      return kept(
        `${name} is left to hosts with the label ${missing.join(', ')}, which this one has not.`,
        DAY_MS,
        missing.join(', '),
      )
    const held = this.#held.get(name)
    if (held !== undefined && held.by !== workspace)
      return kept(`${name} is run by the workspace ${held.by} of this host.`, held.ttlMs, link.host)
    try {
      return await this.#ask(name, workspace, terms.leaseSeconds * 1000, forMs, link)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return kept(`${name} is shared work, and the hub that knows who runs it does not answer (${why}).`)
    }
  }

  async #ask(name: string, by: string, ttlMs: number, forMs: number, link: LeaseLink): Promise<LeaseAnswer> {
    const { clock } = this.#options
    const nowMs = clock.monotonicMs()
    const neededMs = nowMs + forMs
    const held = this.#held.get(name)
    if (held !== undefined) {
      held.neededMs = neededMs
      if (await this.#write(name, held, link)) return HELD
      this.#lose(name)
    }
    const { revision, lease } = await read(link.connection, name)
    const seen = this.#seen.get(name)
    const sinceMs = seen?.revision === revision ? seen.sinceMs : nowMs
    this.#seen.set(name, { revision, sinceMs })
    const waitMs = leftAloneMs(lease, link, clock.monotonicMs() - sinceMs)
    if (waitMs > 0)
      return kept(
        `${lease?.holder ?? 'Another host'} runs ${name}, which is shared work.`,
        Math.min(waitMs, ttlMs),
        lease?.holder ?? null,
      )
    const taken: Held = {
      by,
      epoch: (lease?.epoch ?? 0) + 1,
      revision,
      ttlMs,
      untilMs: 0,
      neededMs,
      renewing: new AbortController(),
    }
    if (!(await this.#write(name, taken, link)))
      return kept(`Another host was faster to take ${name}.`, ttlMs)
    this.#held.set(name, taken)
    void this.#keep(name, taken)
    return HELD
  }

  /** Renewed at a third of its time, until it is given back or somebody else has it. */
  async #keep(name: string, held: Held): Promise<void> {
    const { clock, link } = this.#options
    const { signal } = held.renewing
    for (;;) {
      await clock.sleep(held.ttlMs / 3, signal)
      if (signal.aborted) return
      await this.#next(async () => {
        const there = link()
        if (signal.aborted || typeof there === 'string') return
        // Away for a moment: it is asked again in a third of the time.
        const isOurs = await this.#write(name, held, there).catch(() => true)
        if (!isOurs) this.#lose(name)
      })
    }
  }

  /** False: somebody else has written meanwhile. Rejects where that is not known. */
  async #write(name: string, held: Held, { connection, host, instance }: LeaseLink): Promise<boolean> {
    const sentMs = this.#options.clock.monotonicMs()
    const ttlMs = Math.ceil(Math.max(held.ttlMs, held.neededMs - sentMs))
    const lease: Lease = { v: 1, holder: host, instance, epoch: held.epoch, ttlMs }
    const revision = await write(connection, name, held.revision, lease)
    if (revision === null) return this.#isOwnWriting(name, held, connection, { host, instance })
    held.revision = revision
    held.untilMs = sentMs + ttlMs
    return true
  }

  /** A writing whose confirmation was lost stands there all the same: the next one follows it. */
  async #isOwnWriting(
    name: string,
    held: Held,
    connection: NatsConnection,
    own: { readonly host: string; readonly instance: string },
  ): Promise<boolean> {
    const { revision, lease } = await read(connection, name)
    if (lease?.holder !== own.host || lease.instance !== own.instance || lease.epoch !== held.epoch)
      return false
    const sentMs = this.#options.clock.monotonicMs()
    const ttlMs = Math.ceil(Math.max(held.ttlMs, held.neededMs - sentMs))
    const next = await write(connection, name, revision, { ...lease, ttlMs })
    if (next === null) return false
    held.revision = next
    held.untilMs = sentMs + ttlMs
    return true
  }

  #lose(name: string): void {
    this.#held.get(name)?.renewing.abort()
    this.#held.delete(name)
    this.#options.log.warn('Another host runs the shared work now', { name })
  }

  /** Where the hub cannot be told, the others wait until it has run out. */
  async #giveBack(name: string): Promise<void> {
    const held = this.#held.get(name)
    if (held === undefined) return
    held.renewing.abort()
    this.#held.delete(name)
    const link = this.#options.link()
    if (typeof link === 'string') return
    const { instance } = link
    const lease: Lease = { v: 1, holder: null, instance, epoch: held.epoch, ttlMs: held.ttlMs }
    await write(link.connection, name, held.revision, lease).catch(() => undefined)
  }
}

const HELD: LeaseAnswer = { kind: 'held' }

function kept(reason: string, againMs = AGAIN_MS, holder: string | null = null): LeaseAnswer {
  return { kind: 'kept', reason, againMs, holder }
}

/** What stands there; something that is no lease is taken over as none. */
async function read(connection: NatsConnection, name: string): Promise<Entry> {
  const subject = `$JS.API.DIRECT.GET.KV_${LEASE_BUCKET}.${leaseSubject(name)}`
  const message = await connection.request(subject, undefined, { timeout: ASKING_MS })
  if (message.headers?.code === 404) return { revision: 0, lease: null }
  const revision = Number(message.headers?.get('Nats-Sequence'))
  if (!(revision > 0)) throw new Error('it answered with something else')
  return { revision, lease: leaseOf(message.data) }
}

function leaseOf(bytes: Uint8Array): Lease | null {
  try {
    return leaseSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null
  } catch {
    return null
  }
}

/** The revision that it has now; `null`: another writing came first. */
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
