import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { OPERATOR_MARK, type OperatorPass, operatorPassSchema } from '../../../core/fleet/ask.ts'
import { passOf } from '../../../core/fleet/join-token.ts'
import { ledgerStream, ledgerSubject } from '../../../core/fleet/names.ts'
import type { OperatorRole } from '../../../core/vocabulary/fleet.ts'
import { systemClock } from '../../host/system-clock.ts'
import type { Clock } from '../../ports/clock.ts'
import { connectHub } from '../connect-hub.ts'
import { type AddedKey, addKey, createHub, nameOperator } from '../hub.ts'
import { LeaseArbiter } from '../lease-arbiter.ts'
import { type CentreFile, readCentreFile, writeMemberFile } from '../pass-file.ts'
import { ensureContentBucket, ensureLedgerStream, ensureSharedStreams } from '../streams.ts'
import { freePort, type RunningServer, startServer } from './nats-server.ts'

/** A hub with a real server, and the streams that its center would create. */
export interface TemporaryHub {
  readonly directory: string
  readonly url: string
  server: RunningServer
  /** What its arbiter has reported. */
  readonly findings: readonly { readonly host: string | null; readonly problem: string }[]
  /** Connects with the center's key. */
  connect(): Promise<NatsConnection>
  add(name: string): Promise<AddedKey>
  /** Adds a host and returns the file it connects with. */
  pass(name: string): Promise<CentreFile>
  /** Creates an operator's pass. */
  operator(name: string, role?: OperatorRole): Promise<OperatorPass>
  /** Makes a host that starts on this data folder join. */
  joinFolder(name: string, dataDirectory: string): Promise<void>
  /** Creates streams like the center does. */
  prepare(host: string): Promise<void>
  /** Returns the hub's lines of a record, in order of arrival. */
  lines(host: string, workspace: string): Promise<string[]>
  /** Restarts its arbiter, which then knows only what is at the hub. */
  forgetLeases(): Promise<void>
  restart(): Promise<void>
  remove(): Promise<void>
}

/** `clock`: measures how long the arbiter's leases last. */
export async function temporaryHub(clock: Pick<Clock, 'monotonicMs'> = systemClock): Promise<TemporaryHub> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-hub-')))
  const directory = join(root, 'hub')
  const made = await createHub(directory, `127.0.0.1:${await freePort()}`, Date.now())
  const connect = async (): Promise<NatsConnection> => connectHub(await readCentreFile(directory))
  const asCentre = async <T>(work: (connection: NatsConnection) => Promise<T>): Promise<T> => {
    const connection = await connect()
    try {
      return await work(connection)
    } finally {
      await connection.close()
    }
  }
  const pass = async (name: string): Promise<CentreFile> => {
    const { url, token } = await addKey(directory, name, Date.now())
    const given = passOf(token, (text) => Buffer.from(text, 'base64url').toString('utf8'))
    if ('problem' in given) throw new Error(given.problem)
    return { ...given, url }
  }
  let isRemoved = false
  let arbiting: Promise<void> | null = null
  let arbitingBy: NatsConnection | null = null
  let arbiter: LeaseArbiter | undefined
  let listens: () => void = () => {}
  /** Runs an arbiter like the center does, and again whenever the server comes back. */
  const arbit = async (): Promise<void> => {
    while (!isRemoved) {
      const connection = await connect().catch(() => null)
      if (connection === null) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        continue
      }
      arbitingBy = connection
      arbiter = new LeaseArbiter(
        connection,
        { clock, onFinding: (finding) => void findings.push(finding) },
        arbiter,
      )
      arbiter.listen()
      await connection.flush().catch(() => undefined)
      listens()
      await connection.closed()
    }
  }
  const findings: { readonly host: string | null; readonly problem: string }[] = []
  const hub: TemporaryHub = {
    directory,
    findings,
    url: made.url,
    server: await startServer(directory),
    connect,
    add: (name) => addKey(directory, name, Date.now()),
    pass,
    operator: async (name, role = 'operator') => {
      const { token } = await nameOperator(directory, { name, role, days: 1 }, Date.now())
      const text = Buffer.from(token.slice(OPERATOR_MARK.length), 'base64url').toString('utf8')
      return operatorPassSchema.parse(JSON.parse(text))
    },
    joinFolder: async (name, dataDirectory) => {
      await writeMemberFile(dataDirectory, { ...(await pass(name)), group: null, labels: [], instance: name })
    },
    prepare: async (host) => {
      arbiting ??= arbit()
      return asCentre(async (connection) => {
        const manager = await jetstreamManager(connection)
        await ensureSharedStreams(manager)
        await ensureLedgerStream(manager, host)
        await ensureContentBucket(manager, host)
      })
    },
    lines: (host, workspace) =>
      asCentre(async (connection) => {
        const manager = await jetstreamManager(connection)
        const { state } = await manager.streams.info(ledgerStream(host))
        const lines: string[] = []
        for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq += 1) {
          const message = await manager.streams.getMessage(ledgerStream(host), { seq })
          if (message?.subject !== ledgerSubject(host, workspace)) continue
          lines.push(message.header.get('Pw-Encoding') === '' ? message.string() : 'packed')
        }
        return lines
      }),
    forgetLeases: async () => {
      arbiter = undefined
      const again = new Promise<void>((resolve) => {
        listens = resolve
      })
      await arbitingBy?.close()
      await again
    },
    restart: async () => {
      hub.server = await startServer(directory)
    },
    remove: async () => {
      isRemoved = true
      await arbitingBy?.close()
      await arbiting
      await hub.server.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
  return hub
}
