import { join } from 'node:path'
import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { CENTRE_NAME } from '../../core/fleet/ask.ts'
import {
  askSubject,
  factsSubject,
  helloSubject,
  hostSubject,
  leaseAskSubject,
} from '../../core/fleet/names.ts'
import { type FleetWorkspaceFacts, PRESENCE_MS, type Presence } from '../../core/fleet/presence.ts'
import type { HeldLease, Membership } from '../../core/fleet/status.ts'
import type { Notice } from '../../core/read-model/notice.ts'
import type { HubState } from '../../core/vocabulary/fleet.ts'
import { AskDesk, type AskDeskOptions } from './ask-desk.ts'
import { connectHub, HubRefusal } from './connect-hub.ts'
import { HubStream, isNoResponder, NoStream } from './hub-stream.ts'
import type { LeaseLink } from './leases.ts'
import type { MemberFile } from './pass-file.ts'
import { Revocations } from './revocations.ts'
import { ContentSender, type ContentSource } from './send-content.ts'
import { RecordShipper, type RecordSource } from './ship-record.ts'

/** What the fleet sees about one workspace of this host. */
export interface MemberWorkspace extends RecordSource, ContentSource {
  facts(): FleetWorkspaceFacts
}

export interface MemberOptions extends Omit<AskDeskOptions, 'path' | 'isRevoked'> {
  readonly version: string
  readonly dataDirectory: string
  readonly workspaces: () => readonly MemberWorkspace[]
  /** Returns the leases of shared work that runs here. */
  readonly leases: () => readonly HeldLease[]
  /** Called when a record can no longer be sent, so that its workspace shows this. */
  readonly halted: (workspace: string) => void
}

export interface Member {
  status(): Membership
  notices(workspace: string): readonly Notice[]
  /** Returns the connection for leases, or why there is none. */
  link(): LeaseLink | string
  changed(): void
  /** Reports requests that an earlier run of this host began and did not finish. */
  tellInterrupted(): Promise<void>
  stop(): Promise<void>
}

/** How many lines of one record to send before it is the next record's turn. */
const TURN = 1000
const FIRST_PAUSE_MS = 1_000
const LOOK_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** Joins the hub named in the file, and again whenever the connection ends. Never rejects: an unavailable hub must not affect this host. */
export function startMember(file: MemberFile, options: MemberOptions): Member {
  return new RunningMember(file, options)
}

class RunningMember implements Member {
  readonly #file: MemberFile
  readonly #options: MemberOptions
  readonly #stopping = new AbortController()
  readonly #shippers = new Map<string, RecordShipper>()
  readonly #told = new Map<string, string>()
  readonly #desk: AskDesk
  readonly #revocations: Revocations
  readonly #content: ContentSender
  readonly #running: Promise<void>
  #state: HubState = 'connecting'
  #problem: string | null = null
  #connection: NatsConnection | null = null
  #wake: () => void = () => {}

  constructor(file: MemberFile, options: MemberOptions) {
    this.#file = file
    this.#options = options
    const pathOf = (name: string): string => join(options.dataDirectory, name)
    this.#revocations = new Revocations({ ...options, path: pathOf('fleet-revoked.json') })
    this.#desk = new AskDesk({
      ...options,
      path: pathOf('fleet-asked.json'),
      isRevoked: (key) => this.#revocations.has(key),
    })
    this.#content = new ContentSender({ ...options, host: file.name, connection: () => this.#connection })
    this.#running = this.#run()
  }

  status(): Membership {
    const { name, url, group, labels } = this.#file
    this.#takeWorkspaces()
    return {
      host: name,
      url,
      group,
      labels: [...labels],
      state: this.#state,
      problem: this.#problem,
      workspaces: [...this.#shippers.values()].map(({ status }) => status),
      leases: [...this.#options.leases()],
      refusedAsks: [...this.#desk.refused],
      content: this.#content.status,
    }
  }

  link(): LeaseLink | string {
    const { name: host, instance, labels } = this.#file
    if (this.#connection === null || this.#connection.isClosed())
      return `The hub at ${this.#file.url}, which knows who runs it, can't be asked right now.`
    return { connection: this.#connection, host, instance, labels }
  }

  notices(workspace: string): readonly Notice[] {
    const status = this.#shippers.get(workspace)?.status
    if (status?.state !== 'fork' && status?.state !== 'broken') return []
    const at = this.#options.timestamp(this.#options.clock.nowMs())
    return [{ code: 'record-forked', taskId: null, message: status.problem ?? '', remedy: null, at }]
  }

  changed(): void {
    this.#wake()
  }

  tellInterrupted(): Promise<void> {
    return this.#desk.tellInterrupted()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await Promise.all([this.#running, this.#content.stop()])
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options
    const { signal } = this.#stopping
    let pauseMs = FIRST_PAUSE_MS
    while (!signal.aborted) {
      try {
        const connection = await this.#connect()
        if (connection === null) return
        await this.#serve(connection, () => {
          pauseMs = FIRST_PAUSE_MS
        })
      } catch (error) {
        this.#state = error instanceof HubRefusal ? 'refused' : 'unreachable'
        this.#problem = error instanceof Error ? error.message : String(error)
        log.warn("The fleet's hub does not answer; the host keeps working", { problem: this.#problem })
      }
      if (signal.aborted) return
      // Random delay, so that not all hosts contact a returning hub at once.
      await clock.sleep(pauseMs * (0.5 + Math.random() / 2), signal)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  /** Returns `null` if the member was stopped, so that nothing waits for a hub that doesn't answer. */
  #connect(): Promise<NatsConnection | null> {
    const { signal } = this.#stopping
    const connecting = connectHub(this.#file, signal)
    return new Promise((resolve, reject) => {
      const onAbort = (): void => resolve(null)
      signal.addEventListener('abort', onAbort, { once: true })
      connecting
        .then(async (connection) => (signal.aborted ? connection.close() : resolve(connection)), reject)
        .finally(() => signal.removeEventListener('abort', onAbort))
    })
  }

  /** Runs until the connection ends. */
  async #serve(connection: NatsConnection, settled: () => void): Promise<void> {
    const { clock } = this.#options
    const { signal } = this.#stopping
    let end: string | null = null
    let saidMs = Number.NEGATIVE_INFINITY
    let said = -1
    const closed = connection.closed().then((error) => {
      end ??= error instanceof Error ? error.message : 'the connection ended'
      this.#wake()
    })
    const denied = watchDenials(connection, () => {
      end = 'not allowed'
      this.#wake()
    })
    const stream = new HubStream(connection, this.#file.name)
    this.#listen(connection)
    for (const shipper of this.#shippers.values()) shipper.forget()
    this.#told.clear()
    this.#state = 'connected'
    this.#connection = connection
    try {
      this.#problem = await this.#hello(connection)
      const sayWhenDue = (): void => {
        if (said === this.#shippers.size && clock.monotonicMs() - saidMs < PRESENCE_MS) return
        this.#say(connection)
        said = this.#shippers.size
        saidMs = clock.monotonicMs()
      }
      while (end === null && !signal.aborted) {
        this.#takeWorkspaces()
        sayWhenDue()
        this.#sayFacts(connection)
        const isReady = await this.#shipAll(connection, stream, sayWhenDue)
        if (isReady) {
          this.#problem = null
          settled()
        }
        await (isReady ? this.#pause() : clock.sleep(FIRST_PAUSE_MS, signal))
      }
    } finally {
      this.#connection = null
      await connection.close()
      await Promise.all([closed, denied])
    }
    if (end !== null && !this.#stopping.signal.aborted) throw refusalOf(end, this.#file.url)
  }

  /** Listens to operators' requests and to which passes were revoked; an older hub does not allow it. */
  #listen(connection: NatsConnection): void {
    const { name: host, authority } = this.#file
    const answer = async (message: Msg): Promise<void> => {
      const operator = message.subject.split('.').at(-1) ?? ''
      const answered =
        operator === CENTRE_NAME
          ? await this.#revocations.take(message.data, authority).catch(String)
          : JSON.stringify(await this.#desk.answer(message.data, operator, { host, authority }))
      if (!connection.isClosed()) message.respond(answered)
    }
    connection.subscribe(askSubject(host, '*'), {
      callback: (error, message) => void (error === null && answer(message)),
    })
  }

  /** Waits until there is something to send, or until it is time to check for newly opened workspaces. */
  async #pause(): Promise<void> {
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    const isDue = [...this.#shippers.values()].some((shipper) => shipper.isDue)
    if (!isDue && !this.#stopping.signal.aborted) await this.#options.clock.sleep(LOOK_MS, woken.signal)
    this.#wake = () => {}
  }

  /** Publishes the host's presence. */
  #say(connection: NatsConnection): void {
    const { clock, version, timestamp } = this.#options
    const { name, instance, group, labels } = this.#file
    this.#takeWorkspaces()
    const halted = [...this.#shippers.values()].flatMap(({ status: { workspace, state, problem } }) =>
      problem === null ? [] : [{ workspace, state, problem: problem.slice(0, 1_000) }],
    )
    const presence: Presence = {
      v: 1,
      version,
      instance,
      at: timestamp(clock.nowMs()),
      group,
      labels: [...labels],
      workspaces: this.#shippers.size,
      halted: halted.slice(0, 200),
    }
    connection.publish(hostSubject(name), JSON.stringify(presence))
  }

  #sayFacts(connection: NatsConnection): void {
    const { workspaces } = this.#options
    const { name } = this.#file
    for (const workspace of workspaces()) {
      const facts = JSON.stringify(workspace.facts())
      if (this.#told.get(workspace.workspace) === facts) continue
      this.#told.set(workspace.workspace, facts)
      connection.publish(factsSubject(name, workspace.workspace), facts)
    }
  }

  /**
   * Sends everything due, with the records taking turns. Calls `between` between turns, because days of records take longer than a host may
   * be silent. False: ask the hub again later.
   */
  async #shipAll(connection: NatsConnection, stream: HubStream, between: () => void): Promise<boolean> {
    try {
      for (;;) {
        this.#takeWorkspaces()
        const due = [...this.#shippers.values()].filter(({ isDue }) => isDue)
        if (due.length === 0 || this.#stopping.signal.aborted) return true
        for (const shipper of due) {
          between()
          await shipper.ship(stream, TURN)
        }
        await stream.settle()
      }
    } catch (error) {
      await stream.restart()
      for (const shipper of this.#shippers.values()) shipper.forget()
      if (connection.isClosed() || isDenied(error)) return false
      this.#problem = error instanceof NoStream ? await this.#hello(connection) : null
      if (!(error instanceof NoStream))
        this.#options.log.info('The hub is asked again for its position', { reason: String(error) })
      return false
    }
  }

  /** Asks the center to make room; returns why there is none yet. */
  async #hello(connection: NatsConnection): Promise<string | null> {
    try {
      const answer = await connection.request(helloSubject(this.#file.name), '', { timeout: 10_000 })
      const said = answer.string()
      return said === 'ok' ? null : `The center refuses room for this host: ${said.slice(0, 300)}`
    } catch (error) {
      return isNoResponder(error)
        ? 'The hub is running, but its center is not yet: start `pulseward serve --fleet` there. What is recorded here is sent then.'
        : `The center does not answer: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  #takeWorkspaces(): void {
    const present = new Map(this.#options.workspaces().map((each) => [each.workspace, each]))
    for (const id of this.#shippers.keys()) if (!present.has(id)) this.#shippers.delete(id)
    for (const [id, source] of present) {
      const known = this.#shippers.get(id)
      if (known?.source.dataDirectory === source.dataDirectory && known.source.seq() <= source.seq()) continue
      this.#shippers.set(
        id,
        new RecordShipper(source, ({ state, problem }) => this.#notify(source, state, problem)),
      )
    }
  }

  #notify({ workspace, name }: RecordSource, state: string, problem: string): void {
    this.#options.log.error('A record is no longer sent', { workspace, state, problem })
    this.#options.halted(workspace)
    this.#options.notifier.notify({
      key: `fleet:${workspace}:${state}`,
      about: 'trouble',
      // Only a warning, because the agents are still supervised.
      severity: 'warning',
      workspaceId: workspace,
      title: `The record of ${name} is no longer sent`,
      body: problem,
    })
  }
}

/** Reports what the hub does not allow this key; ends with the connection. */
async function watchDenials(connection: NatsConnection, onDenied: () => void): Promise<void> {
  for await (const status of connection.status())
    if (status.type === 'error' && isDenied(status.error)) onDenied()
}

function isDenied(error: unknown): boolean {
  return (
    error instanceof errors.PermissionViolationError &&
    error.operation === 'publish' &&
    // A hub of an earlier version has no arbiter: this host's records are still accepted.
    !error.subject.startsWith(leaseAskSubject(''))
  )
}

function refusalOf(end: string, url: string): Error {
  if (end === 'not allowed')
    return new HubRefusal(
      `The hub at ${url} accepts this key, but not for this host: it belongs to another host. Ask for a new one: pulseward fleet hub add NAME.`,
    )
  return /authoriz|authentic|revoked/i.test(end)
    ? new HubRefusal(
        `The hub at ${url} ended the connection: this host's key was revoked. Ask for a new one, or leave with \`pulseward fleet leave\`.`,
      )
    : new Error(`The connection to the hub at ${url} ended: ${end}.`)
}
