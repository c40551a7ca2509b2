import { join } from 'node:path'
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { RequestProblem } from '../../api/request-problem.ts'
import { CENTRE_NAME } from '../../core/fleet/ask.ts'
import { type ContentAsk, contentName, type FleetContent } from '../../core/fleet/content.ts'
import {
  askSubject,
  HOSTS_STREAM,
  hostNameSchema,
  ledgerStream,
  workspaceIdSchema,
} from '../../core/fleet/names.ts'
import { presenceSchema, workspaceFactsSchema } from '../../core/fleet/presence.ts'
import { isFinding, REFUSAL_REMEDIES, REFUSAL_WORDS } from '../../core/vocabulary/fleet.ts'
import type { Clock } from '../ports/clock.ts'
import type { FleetCentre } from '../ports/fleet.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import { CentreStore, type HubMessage } from './centre-store.ts'
import { CentreViews } from './centre-views.ts'
import { connectHub } from './connect-hub.ts'
import { getContent } from './content-bucket.ts'
import { refreshUsers } from './hub.ts'
import { LeaseArbiter } from './lease-arbiter.ts'
import { LineBatches } from './line-batches.ts'
import { type CentreFile, readCentreFile } from './pass-file.ts'
import { revocationsOf } from './revocations.ts'
import { CONTENT_DAYS, ensureContentBucket, ensureLedgerStream, ensureSharedStreams } from './streams.ts'

export interface CentreOptions {
  readonly dataDirectory: string
  /** The hub's folder, with the center's key. */
  readonly hubDirectory: string
  readonly clock: Clock
  readonly log: Log
  readonly notifier: Notifier
  /** Formats a time in ISO 8601 with offset. */
  readonly timestamp: (ms: number) => string
  /** Called when the shown fleet changes, often once per message. Omit it when no one is watching. */
  readonly fleetChanged?: () => void
}

/** A center that runs until it is stopped. */
export interface RunningCentre extends FleetCentre {
  stop(): Promise<void>
}

const STREAM_PREFIX = ledgerStream('')
const CONSUMER = 'centre'
const PAUSE_MS = 2_000
/** How often to check whether a host went silent. */
const SILENCE_MS = 5_000
const NOT_FOUND: ReadonlySet<number> = new Set([10_014, 10_037, 10_059])

/**
 * Starts the center. Rejects with a `RequestProblem` if the folder is not a hub. Retries while the hub is unavailable and shows
 * what is known.
 */
export async function startCentre(options: CentreOptions): Promise<RunningCentre> {
  const file = await readCentreFile(options.hubDirectory)
  await refreshUsers(options.hubDirectory)
  const store = new CentreStore(join(options.dataDirectory, 'fleet.sqlite'), options.clock.nowMs())
  return new Centre(file, store, options)
}

class Centre extends CentreViews implements RunningCentre {
  readonly #file: CentreFile
  readonly #options: CentreOptions
  readonly #stopping = new AbortController()
  readonly #running: Promise<unknown>
  #connection: NatsConnection | null = null

  constructor(file: CentreFile, store: CentreStore, options: CentreOptions) {
    super(store, options.clock)
    this.#file = file
    this.#options = options
    this.#running = Promise.all([this.#run(), this.#tellSilence()])
  }

  async content({ host, workspace, attempt }: ContentAsk): Promise<FleetContent> {
    const connection = this.#connection
    if (connection === null)
      throw new RequestProblem('unavailable', this.problem ?? 'The hub has not answered yet: try again.')
    await this.caughtUp()
    const found = this.workspaces({ host }).filter(({ view }) => [view.id, view.name].includes(workspace))
    const id = found.length === 1 ? found[0]?.view.id : undefined
    if (id === undefined)
      throw new RequestProblem(
        'not-found',
        `${host} has ${found.length} workspaces called ${JSON.stringify(workspace)}: \`pulseward fleet workspaces --host ${host} --json\` lists their ids.`,
      )
    const manager = await jetstreamManager(connection)
    const got = await getContent(manager, host, contentName(id, attempt)).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      throw new RequestProblem('unprocessable', `${attempt} of ${host}: ${message}`, { cause: error })
    })
    if (got !== null) {
      const { prompt, output, difference } = got.content
      return { host, workspace: id, attempt, sentAt: got.sentAt, prompt, output, difference }
    }
    throw new RequestProblem(
      'not-found',
      `The hub has nothing of ${attempt} of ${host}: its pulseward.toml does not allow sending it ([fleet]), it was not sent yet, or it was deleted after ${CONTENT_DAYS} days.`,
    )
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    this.store.close()
  }

  /** Reports hosts that are late or down; silence sends no message, so check regularly. */
  async #tellSilence(): Promise<void> {
    const { clock, fleetChanged } = this.#options
    const { signal } = this.#stopping
    let known = this.heardStates()
    while (!signal.aborted) {
      await clock.sleep(SILENCE_MS, signal)
      const now = this.heardStates()
      if (now !== known) fleetChanged?.()
      known = now
    }
  }

  #setProblem(problem: string | null): void {
    if (problem !== this.problem) this.#options.fleetChanged?.()
    this.problem = problem
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options
    const { signal } = this.#stopping
    let arbiter: LeaseArbiter | undefined
    while (!signal.aborted) {
      try {
        const connection = await connectHub(this.#file, signal)
        this.#setProblem(null)
        this.#connection = connection
        const session: Session = new Session(connection, this, this.#options, arbiter)
        arbiter = session.arbiter
        const onAbort = (): void => void connection.close()
        signal.addEventListener('abort', onAbort, { once: true })
        await session.run().finally(() => signal.removeEventListener('abort', onAbort))
      } catch (error) {
        if (!signal.aborted) {
          this.#setProblem(error instanceof Error ? error.message : String(error))
          log.warn('The hub is unavailable', { problem: this.problem })
        }
      }
      this.#connection = null
      if (!signal.aborted) await clock.sleep(PAUSE_MS, signal)
    }
  }
}

/** One connection of the center. */
class Session {
  readonly #connection: NatsConnection
  readonly #views: CentreViews
  readonly #options: CentreOptions
  readonly #following = new Set<string>()
  readonly #lines = new LineBatches(
    (given) => this.#take(given),
    (error) => this.#failed(error),
  )
  #failed: (error: unknown) => void = () => {}
  readonly arbiter: LeaseArbiter

  constructor(connection: NatsConnection, views: CentreViews, options: CentreOptions, before?: LeaseArbiter) {
    this.#connection = connection
    this.#views = views
    this.#options = options
    const onFinding = ({ host, problem }: { readonly host: string | null; readonly problem: string }) =>
      this.#notify(
        `fleet-lease:${host ?? problem}`,
        host === null
          ? 'A lease of shared work was overwritten at the hub'
          : `A request by ${host} was refused`,
        problem,
      )
    this.arbiter = new LeaseArbiter(connection, { clock: options.clock, onFinding }, before)
  }

  /** Runs until the connection ends; rejects with an error that ended it early. */
  async run(): Promise<void> {
    const failure = new Promise<never>((_resolve, reject) => {
      this.#failed = reject
    })
    try {
      await Promise.race([this.#start().then(() => this.#connection.closed()), failure])
    } finally {
      await this.#connection.close()
    }
  }

  async #start(): Promise<void> {
    const manager = await jetstreamManager(this.#connection)
    const client = jetstream(this.#connection)
    await ensureSharedStreams(manager)
    this.arbiter.listen()
    this.#work(this.#answerHellos(manager, client))
    this.#work(this.#hear(client))
    for await (const name of manager.streams.names())
      if (name.startsWith(STREAM_PREFIX))
        await this.#follow(manager, client, name.slice(STREAM_PREFIX.length))
  }

  /** Watches background work: if it fails, only this session ends. */
  #work(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!this.#connection.isClosed()) this.#failed(error)
    })
  }

  /** Answers joined hosts that ask for a stream. */
  async #answerHellos(manager: JetStreamManager, client: JetStreamClient): Promise<void> {
    for await (const message of this.#connection.subscribe('pw.hello.*')) {
      const answer = await this.#makeRoom(manager, client, message).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      )
      message.respond(answer)
    }
  }

  async #makeRoom(manager: JetStreamManager, client: JetStreamClient, message: Msg): Promise<string> {
    const host = hostNameSchema.safeParse(message.subject.split('.')[2])
    if (!host.success) return 'invalid name'
    await ensureLedgerStream(manager, host.data)
    await this.#follow(manager, client, host.data)
    await this.#tellRevoked(host.data)
    await ensureContentBucket(manager, host.data).catch((error: unknown) =>
      this.#tellNoRoom(host.data, error),
    )
    return 'ok'
  }

  /** Notifies that there is no room for a host's content; its record is still accepted. */
  #tellNoRoom(host: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    this.#notify(
      `fleet-room:${host}`,
      `The hub has no room for prompts, output and differences of ${host}`,
      `Its record is taken all the same. The server says: ${reason}. Raise max_file_store under jetstream in nats-server.conf.`,
    )
  }

  /** Sends passes that were revoked while the host was away. */
  async #tellRevoked(host: string): Promise<void> {
    const revoked = await revocationsOf(this.#options.hubDirectory).catch((error: unknown) => {
      this.#options.log.warn('Hosts could not be told which passes were revoked', { error: String(error) })
      return null
    })
    if (revoked !== null) this.#connection.publish(askSubject(host, CENTRE_NAME), revoked)
  }

  /** Receives the last message of every host and workspace, then each new one. */
  async #hear(client: JetStreamClient): Promise<void> {
    const consumer = await client.consumers.get(HOSTS_STREAM, {
      deliver_policy: DeliverPolicy.LastPerSubject,
    })
    for await (const message of await consumer.consume()) {
      this.#heard(message)
      this.#options.fleetChanged?.()
    }
  }

  #heard(message: JsMsg): void {
    const [, kind, host = '', workspace = ''] = message.subject.split('.')
    const given = jsonOf(message)
    const atMs = Math.round(message.info.timestampNanos / 1e6)
    if (kind === 'host') {
      const presence = presenceSchema.safeParse(given)
      if (!presence.success) return
      if (this.#views.heard(host, presence.data, atMs))
        this.#notify(
          `fleet-two-instances:${host}`,
          `Two instances run as ${host}`,
          `${REFUSAL_WORDS['two-instances']}: ${REFUSAL_REMEDIES['two-instances']}`.replace(/^t/, 'T'),
        )
      for (const { workspace: id, state, problem } of presence.data.halted)
        this.#notify(`fleet:${host}:${id}:${state}`, `${host} stopped sending a record`, problem)
      return
    }
    const facts = workspaceFactsSchema.safeParse(given)
    if (facts.success && facts.data.id === workspace) this.#views.told(host, facts.data)
  }

  async #follow(manager: JetStreamManager, client: JetStreamClient, host: string): Promise<void> {
    if (!hostNameSchema.safeParse(host).success || this.#following.has(host)) return
    this.#following.add(host)
    const stream = ledgerStream(host)
    const from = await this.#startOf(manager, host)
    await manager.consumers.delete(stream, CONSUMER).catch(ignoreMissing)
    await manager.consumers.add(stream, {
      durable_name: CONSUMER,
      ack_policy: AckPolicy.All,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: from + 1,
      max_ack_pending: 10_000,
    })
    this.#work(this.#takeAll(client, host))
  }

  /** Returns the position after what was taken, if the stream is still the same; else its beginning. */
  async #startOf(manager: JetStreamManager, host: string): Promise<number> {
    const { store } = this.#views
    const { place, mark } = store.position(host)
    if (place === 0) return 0
    const there = await manager.streams
      .getMessage(ledgerStream(host), { seq: place })
      .catch((error: unknown) => {
        ignoreMissing(error)
        return null
      })
    if (there?.header.get('Pw-Hash') === mark) return place
    this.#options.log.warn(
      "The hub's history of a host differs from what was taken; all of it is taken again",
      {
        host,
      },
    )
    store.forget(host, this.#options.clock.nowMs())
    return 0
  }

  async #takeAll(client: JetStreamClient, host: string): Promise<void> {
    const consumer = await client.consumers.get(ledgerStream(host), CONSUMER)
    for await (const message of await consumer.consume({ max_messages: 1_000 }))
      await this.#lines.add(host, message)
  }

  #take(given: ReadonlyMap<string, readonly JsMsg[]>): void {
    // The next connection receives them again.
    if (this.#connection.isClosed()) return
    const { clock, timestamp } = this.#options
    const lines = new Map([...given].map(([host, messages]) => [host, messages.map(lineOf)]))
    const refusals = this.#views.store.take(lines, timestamp(clock.nowMs()))
    for (const messages of given.values()) messages.at(-1)?.ack()
    this.#options.fleetChanged?.()
    for (const [host, kinds] of refusals)
      for (const kind of new Set(kinds))
        this.#notify(
          `fleet-refused:${host}:${kind}`,
          isFinding(kind) ? `The hub lost messages of ${host}` : `Messages of ${host} were refused`,
          isFinding(kind)
            ? REFUSAL_REMEDIES[kind]
            : `A message of ${host} was not taken: ${REFUSAL_WORDS[kind]}. ${REFUSAL_REMEDIES[kind]} \`pulseward fleet hosts\` has the count.`,
          `fleet-refused:${host}`,
        )
  }

  #notify(key: string, title: string, body: string, cause?: string): void {
    this.#options.log.warn(title, { key })
    this.#options.notifier.notify({
      key,
      about: 'trouble',
      // Only a warning, because no agent is waiting for it.
      severity: 'warning',
      workspaceId: '',
      title,
      body,
      ...(cause !== undefined && { cause }),
    })
  }
}

function lineOf(message: JsMsg): HubMessage {
  return {
    workspace: workspaceOf(message.subject),
    place: message.seq,
    data: message.data,
    header: (name) => message.headers?.get(name) ?? '',
  }
}

/** Returns the workspace id in a subject, or `-`: a host can send any name there. */
function workspaceOf(subject: string): string {
  const name = subject.split('.')[3] ?? ''
  return workspaceIdSchema.safeParse(name).success ? name : '-'
}

function jsonOf(message: JsMsg): unknown {
  try {
    return message.json()
  } catch {
    return null
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof JetStreamApiError && NOT_FOUND.has(error.code))) throw error
}
