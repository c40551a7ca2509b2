import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import {
  type Ask,
  type AskAnswer,
  askEnvelopeSchema,
  askRefusal,
  askSchema,
  certificateSchema,
  type RefusedAsk,
} from '../../core/fleet/ask.ts'
import { readJson } from '../../core/text/json.ts'
import { ASK_REFUSAL_WORDS, type AskRefusal } from '../../core/vocabulary/fleet.ts'
import { setAside, writeFileAtomically } from '../files/durable-file.ts'
import { errorCode } from '../files/storage-error.ts'
import type { Clock } from '../ports/clock.ts'
import type { AskedDesk } from '../ports/fleet.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import { createSerializer } from '../process/serialize.ts'
import { isSignedBy } from './sign.ts'

export interface AskDeskOptions {
  readonly clock: Clock
  readonly log: Log
  readonly notifier: Notifier
  /** Carries out requests in the operator's name. */
  readonly desk: () => AskedDesk
  /** Formats a time in ISO 8601 with offset. */
  readonly timestamp: (ms: number) => string
  /** The file that stores which requests were carried out. */
  readonly path: string
  /** Returns whether the pass with this signing key was revoked. */
  readonly isRevoked: (key: string) => Promise<boolean>
}

/** The identity under which a host receives requests. */
export interface AskedAs {
  readonly host: string
  /** `null`: the host has no authority that names operators. */
  readonly authority: string | null
}

/** A complete request, signed by its operator's key. */
interface Seen {
  readonly ask: Ask
  readonly key: string
}

const MAX_BYTES = 64 * 1024
/** How long a request is remembered: longer than it is valid, so that it does not become new if a clock is set back. */
const KEPT_MS = 24 * 60 * 60_000
const MAX_KEPT = 10_000

const pendingSchema = askSchema.pick({ id: true, operator: true, workspace: true, action: true })
type PendingAsk = z.infer<typeof pendingSchema>

const doneSchema = z.object({
  v: z.literal(1),
  done: z.record(z.string(), z.number()),
  /** Requests that were saved and are not answered yet. */
  pending: z.array(pendingSchema).max(1_000).default([]),
})

/*
 * 1. A request is saved before it is carried out: after a kill it is not repeated, and the next start reports that it was
 *    interrupted.
 * 2. A refused request leaves only a count.
 */
/** Decides which remote requests a host carries out. */
export class AskDesk {
  readonly #options: AskDeskOptions
  readonly #serialize = createSerializer()
  readonly #refused = new Map<AskRefusal, RefusedAsk>()
  /** Until when (epoch ms) each request is remembered; `null`: not read yet. */
  #done: Map<string, number> | null = null
  #pending: readonly PendingAsk[] = []

  constructor(options: AskDeskOptions) {
    this.#options = options
  }

  get refused(): readonly RefusedAsk[] {
    return [...this.#refused.values()]
  }

  /** Answers a request; `operator` is the owner of the key that it came with. Never rejects. */
  async answer(data: Uint8Array, operator: string, as: AskedAs): Promise<AskAnswer> {
    const seen = this.#look(data, operator, as)
    if (typeof seen === 'string') return this.#refuse(seen, operator)
    const { ask, key } = seen
    try {
      if (await this.#options.isRevoked(key)) return this.#refuse('revoked', operator)
      const refusal = ask.action === 'look' ? null : await this.#serialize(() => this.#writeDown(ask))
      if (refusal !== null) return this.#refuse(refusal, operator)
      const done = await this.#options
        .desk()
        .carryOut(ask)
        .finally(() => this.#settle(ask))
      return { kind: 'done', ...done }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      this.#options.log.warn('A remote request could not be carried out', { operator, problem })
      return { kind: 'failed', problem }
    }
  }

  #look(data: Uint8Array, operator: string, { host, authority }: AskedAs): Seen | AskRefusal {
    if (authority === null) return 'no-authority'
    const envelope =
      data.length > MAX_BYTES ? null : readJson(askEnvelopeSchema, new TextDecoder().decode(data))
    if (envelope === null) return 'malformed'
    if (!isSignedBy(authority, 'certificate', envelope.certificate)) return 'certificate'
    const certificate = readJson(certificateSchema, envelope.certificate.text)
    if (certificate === null) return 'certificate'
    if (!isSignedBy(certificate.key, 'request', envelope.ask)) return 'signature'
    const ask = readJson(askSchema, envelope.ask.text)
    if (ask === null) return 'malformed'
    const refusal = askRefusal(ask, certificate, { host, operator, nowMs: this.#options.clock.nowMs() })
    return refusal ?? { ask, key: certificate.key }
  }

  /** Reports requests that the end of an earlier run interrupted. Never rejects. */
  async tellInterrupted(): Promise<void> {
    const { desk, log } = this.#options
    await this.#serialize(async () => {
      this.#done ??= await this.#read()
      for (const ask of this.#pending) await desk().interrupted(ask)
      if (this.#pending.length > 0) await this.#write(this.#done, [])
    }).catch((error: unknown) =>
      log.error('Interrupted remote requests could not be recorded', { error: String(error) }),
    )
  }

  /** Marks the request as answered. Never rejects: at worst it is reported as interrupted once more. */
  async #settle({ id, action }: Ask): Promise<void> {
    if (action === 'look') return
    await this.#serialize(() =>
      this.#write(
        this.#done ?? new Map(),
        this.#pending.filter((each) => each.id !== id),
      ),
    ).catch((error: unknown) =>
      this.#options.log.error('The list of remote requests could not be saved', {
        error: String(error),
      }),
    )
  }

  async #write(done: Map<string, number>, pending: readonly PendingAsk[]): Promise<void> {
    const text = JSON.stringify({ v: 1, done: Object.fromEntries(done), pending })
    await writeFileAtomically(this.#options.path, `${text}\n`)
    this.#done = done
    this.#pending = pending
  }

  async #writeDown({ id, operator, workspace, action, expiresAt }: Ask): Promise<AskRefusal | null> {
    const { clock } = this.#options
    const nowMs = clock.nowMs()
    this.#done ??= await this.#read()
    if (this.#done.has(id)) return 'replayed'
    const kept = new Map([...this.#done].filter(([, untilMs]) => untilMs > nowMs))
    if (kept.size >= MAX_KEPT) return 'too-many'
    kept.set(id, Date.parse(expiresAt) + KEPT_MS)
    await this.#write(kept, [...this.#pending, { id, operator, workspace, action }])
    return null
  }

  /** Sets an unreadable file aside; the requests in it expire soon anyway. */
  async #read(): Promise<Map<string, number>> {
    const { clock, log, path } = this.#options
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    })
    if (text === null) return new Map()
    const found = readJson(doneSchema, text)
    if (found !== null) {
      this.#pending = found.pending
      return new Map(Object.entries(found.done))
    }
    const aside = await setAside(path, clock.nowMs())
    log.error('The list of remote requests could not be read', { path, aside })
    return new Map()
  }

  #refuse(refusal: AskRefusal, operator: string): AskAnswer {
    const { clock, log, notifier, timestamp } = this.#options
    const problem = ASK_REFUSAL_WORDS[refusal]
    const count = (this.#refused.get(refusal)?.count ?? 0) + 1
    const lastAt = timestamp(clock.nowMs())
    this.#refused.set(refusal, { kind: refusal, count, lastAt, operator: operator.slice(0, 60) })
    log.warn('A remote request was refused', { operator, refusal })
    notifier.notify({
      key: `fleet-ask:${operator}:${refusal}`,
      about: 'trouble',
      // Only a warning, because nothing was done.
      severity: 'warning',
      workspaceId: '',
      title: `A request by ${operator} was refused`,
      body: problem,
    })
    return { kind: 'refused', refusal, problem }
  }
}
