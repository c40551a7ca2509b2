import { errors, type NatsConnection } from '@nats-io/transport-node'
import { type LeaseReply, type LeaseRequest, leaseReplySchema } from '../../core/fleet/lease.ts'
import { leaseAskSubject } from '../../core/fleet/names.ts'
import type { HeldLease } from '../../core/fleet/status.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { LeaseAnswer, LeaseTerms, WorkLease } from '../ports/work-lease.ts'
import { createSerializer } from '../process/serialize.ts'
import { isNoResponder } from './hub-stream.ts'

/** The current connection for leases, and this host's identity. */
export interface LeaseLink {
  readonly connection: NatsConnection
  readonly host: string
  readonly instance: string
  readonly labels: readonly string[]
}

export interface LeasesOptions {
  readonly clock: Clock
  readonly log: Log
  /** Returns the link to the hub, or a sentence that says why there is none. */
  readonly link: () => LeaseLink | string
  /** Called when another host has taken a lease that this one was working under. */
  readonly onLost?: (lost: {
    readonly name: string
    readonly workspace: string
    readonly holder: string | null
  }) => void
}

interface Held {
  /** The workspace that runs the work. */
  readonly by: string
  readonly epoch: number
  readonly ttlMs: number
  /** Until then, by the monotonic clock, no other host gets the lease, whatever happens to the hub. */
  untilMs: number
  /** Until then, by the monotonic clock, the lease must be valid even without being renewed. */
  neededMs: number
  readonly renewing: AbortController
}

const ASKING_MS = 5_000
/** How long to wait before asking an unavailable hub again. */
const AGAIN_MS = 5_000
/** How long to wait if a label is missing; labels change only when the host joins again, which is noticed at once. */
const DAY_MS = 24 * 60 * 60 * 1000

/*
 * Invariants:
 * 1. The holder counts a lease from before it was requested; the arbiter, which later grants it to others, counts from when it
 *    was written. So it ends first for the holder, no matter how much the clocks differ.
 * 2. Only the arbiter decides and writes: if two hosts ask at once, one gets the lease.
 * 3. An attempt begins only once its lease is known to last until the attempt's time limit.
 */
/** A host's leases, one for each workspace with shared work. */
export class Leases {
  readonly #options: LeasesOptions
  readonly #held = new Map<string, Held>()
  /** Sends one request to the arbiter at a time. */
  readonly #next = createSerializer()

  constructor(options: LeasesOptions) {
    this.#options = options
  }

  /** Returns the leases that this host holds. */
  list(): readonly HeldLease[] {
    const nowMs = this.#options.clock.monotonicMs()
    return [...this.#held].flatMap(([name, { by, epoch, untilMs }]) =>
      untilMs > nowMs ? [{ name, workspace: by, epoch }] : [],
    )
  }

  /** Returns a workspace's lease, under whatever name its configuration gives it. */
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
        `${name} runs only on hosts with the label ${missing.join(', ')}, which this one does not have.`,
        DAY_MS,
        missing.join(', '),
      )
    const held = this.#held.get(name)
    if (held !== undefined && held.by !== workspace)
      return kept(`${name} is run by the workspace ${held.by} of this host.`, held.ttlMs, link.host)
    try {
      return await this.#ask(name, workspace, terms.leaseSeconds * 1000, forMs, link)
    } catch (error) {
      const why = isNoResponder(error)
        ? 'its center is not running: start `pulseward serve --fleet` there'
        : error instanceof errors.TimeoutError
          ? 'no answer came in time'
          : String(error instanceof Error ? error.message : error)
      return kept(`${name} is shared work, but the hub that knows who runs it does not answer (${why}).`)
    }
  }

  async #ask(name: string, by: string, ttlMs: number, forMs: number, link: LeaseLink): Promise<LeaseAnswer> {
    const { clock } = this.#options
    const neededMs = clock.monotonicMs() + forMs
    const held = this.#held.get(name)
    if (held !== undefined) {
      held.neededMs = neededMs
      const renewed = await this.#renew(name, held, link)
      if (renewed.kind === 'held') return HELD
      if (renewed.kind === 'refused') throw new Error(renewed.problem)
      this.#lose(name, renewed.kind === 'kept' ? renewed.holder : null)
    }
    const sentMs = clock.monotonicMs()
    const wantedMs = Math.ceil(Math.max(ttlMs, forMs))
    const reply = await this.#send(link, { name, action: 'take', epoch: 0, ttlMs: wantedMs })
    if (reply.kind === 'refused') throw new Error(reply.problem)
    if (reply.kind !== 'held') {
      const { holder, waitMs } = reply.kind === 'kept' ? reply : { holder: null, waitMs: ttlMs }
      return kept(
        `${holder ?? 'Another host'} runs ${name}, which is shared work.`,
        Math.min(Math.max(waitMs, 1), ttlMs),
        holder,
      )
    }
    const taken: Held = {
      by,
      epoch: reply.epoch,
      ttlMs,
      untilMs: sentMs + wantedMs,
      neededMs,
      renewing: new AbortController(),
    }
    this.#held.set(name, taken)
    void this.#keep(name, taken)
    return HELD
  }

  /** Renews a lease after a third of its time, until it is released or another host has it. */
  async #keep(name: string, held: Held): Promise<void> {
    const { clock, link } = this.#options
    const { signal } = held.renewing
    for (;;) {
      await clock.sleep(held.ttlMs / 3, signal)
      if (signal.aborted) return
      await this.#next(async () => {
        const there = link()
        if (signal.aborted || typeof there === 'string') return
        // The outage may be short: ask again after another third.
        const renewed = await this.#renew(name, held, there).catch(() => null)
        if (renewed?.kind === 'kept') this.#lose(name, renewed.holder)
      })
    }
  }

  /** Rejects if the answer is unknown. */
  async #renew(name: string, held: Held, link: LeaseLink): Promise<LeaseReply> {
    const sentMs = this.#options.clock.monotonicMs()
    const ttlMs = Math.ceil(Math.max(held.ttlMs, held.neededMs - sentMs))
    const reply = await this.#send(link, { name, action: 'renew', epoch: held.epoch, ttlMs })
    if (reply.kind === 'held') held.untilMs = sentMs + ttlMs
    return reply
  }

  async #send(
    { connection, host, instance }: LeaseLink,
    asked: Omit<LeaseRequest, 'v' | 'instance'>,
  ): Promise<LeaseReply> {
    const request: LeaseRequest = { v: 1, instance, ...asked }
    const message = await connection.request(leaseAskSubject(host), JSON.stringify(request), {
      timeout: ASKING_MS,
    })
    return leaseReplySchema.parse(message.json())
  }

  #lose(name: string, holder: string | null): void {
    const held = this.#held.get(name)
    if (held === undefined) return
    held.renewing.abort()
    this.#held.delete(name)
    this.#options.log.warn('Another host runs the shared work now', { name, holder })
    this.#options.onLost?.({ name, workspace: held.by, holder })
  }

  /** Releases a lease. If the arbiter cannot be told, the others wait until it expires. */
  async #giveBack(name: string): Promise<void> {
    const held = this.#held.get(name)
    if (held === undefined) return
    held.renewing.abort()
    this.#held.delete(name)
    const link = this.#options.link()
    if (typeof link === 'string') return
    const { epoch, ttlMs } = held
    await this.#send(link, { name, action: 'release', epoch, ttlMs }).catch(() => undefined)
  }
}

const HELD: LeaseAnswer = { kind: 'held' }

function kept(reason: string, againMs = AGAIN_MS, holder: string | null = null): LeaseAnswer {
  return { kind: 'kept', reason, againMs, holder }
}
