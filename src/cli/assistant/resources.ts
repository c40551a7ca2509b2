import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type McpServer, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { ApiClient } from '../../api/client.ts'
import { type FollowClock, followHost } from '../../api/follow.ts'
import { RequestProblem } from '../../api/request-problem.ts'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import { harmlessLine } from '../../core/text/harmless.ts'
import { QUOTING_NOTICE, quoteData } from './quote-data.ts'

/*
 * The resources that an assistant can read and subscribe to: the list of workspaces, and each workspace's state and decisions.
 * 1. Changes are reported only while a host runs. Without one, nothing changes except through commands.
 * 2. After each change, the documents are compared with the last reported ones. Unchanged documents are not reported again; those that
 *    changed while the host was down are reported once it is back.
 * 3. The next comparison waits until the client has received the previous reports, so a client that doesn't read costs no memory.
 */

const JSON_TYPE = 'application/json'
const ALL = 'pulseward://workspaces'

export interface ResourceHosts {
  /** Where messages for the client are written. */
  readonly output: Writable
  withHost<T>(work: (client: ApiClient) => Promise<T>): Promise<T>
  /** Returns a client of the running host that can follow its events; `null` if there is none. */
  findHost(): Promise<ApiClient | null>
}

/**
 * Adds the documents to a server, and reports their changes until it is closed. Since 2026-07-28 the connection passes on only what
 * the client listens to; for the version before (`isFormer`) that is done here.
 */
export function serveResources({ server }: McpServer, hosts: ResourceHosts, isFormer: boolean): void {
  const subscribed = new Set<string>()
  const closed = new AbortController()
  const { signal } = closed
  server.onclose = () => closed.abort()
  // The MCP library does not wait for a slow reader of notifications.
  const taken = async (): Promise<void> => {
    if (hosts.output.writableNeedDrain) await once(hosts.output, 'drain', { signal })
  }
  const reports = new Reports({
    listChanged: async () => {
      await server.sendResourceListChanged()
      await taken()
    },
    updated: async (uri) => {
      if (isFormer && !subscribed.has(uri)) return
      await server.sendResourceUpdated({ uri })
      await taken()
    },
  })
  const read = async (uri: string): Promise<Document> => {
    const document = (await hosts.withHost(documents)).get(uri)
    if (document === undefined) throw new ResourceNotFoundError(uri)
    return document
  }
  server.registerCapabilities({ resources: { subscribe: true, listChanged: true } })
  server.setRequestHandler('resources/list', async () => {
    const all = await hosts.withHost(documents)
    reports.list(all.keys())
    const resources = [...all].map(([uri, { text: _, ...words }]) => ({
      uri,
      name: uri,
      ...words,
      mimeType: JSON_TYPE,
    }))
    return { resources }
  })
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: JSON_TYPE, text: (await read(uri)).text }],
  }))
  if (isFormer) {
    server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      await read(uri)
      subscribed.add(uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscribed.delete(uri)
      return {}
    })
  }
  follow(hosts, reports, signal)
}

interface Document {
  readonly title: string
  readonly description: string
  readonly text: string
}

/** Returns all documents, by address. */
async function documents(client: ApiClient): Promise<ReadonlyMap<string, Document>> {
  const { workspaces, unopened } = await client.status()
  return new Map([
    [
      ALL,
      {
        title: 'All workspaces',
        description: 'Score, standing, next heartbeat, what runs, and what needs the operator.',
        text: textOf({ workspaces, unopened }),
      },
    ],
    ...workspaces.flatMap((workspace): [string, Document][] => {
      const address = `${ALL}/${encodeURIComponent(workspace.id)}`
      const name = harmlessLine(workspace.name, 80)
      return [
        [
          address,
          {
            title: `State of ${name}`,
            description: 'The same for one workspace.',
            text: textOf(workspace),
          },
        ],
        [
          `${address}/decisions`,
          {
            title: `Decisions in ${name}`,
            description: 'What needs the operator in one workspace, the most urgent first.',
            text: textOf({ decisions: workspace.needs }),
          },
        ],
      ]
    }),
  ])
}

function textOf(content: unknown): string {
  return JSON.stringify({ notice: QUOTING_NOTICE, ...quoteData(content) })
}

interface ToClient {
  listChanged(): Promise<void>
  updated(uri: string): Promise<void>
}

/** What the client was last told, and what has changed since. */
class Reports {
  readonly #toClient: ToClient
  readonly #reported = new Map<string, string>()
  /** `null`: the client has not asked for the list yet. */
  #listed: string | null = null
  #comparing: Promise<void> | null = null
  #isStale = false

  constructor(toClient: ToClient) {
    this.#toClient = toClient
  }

  list(addresses: Iterable<string>): void {
    this.#listed = listOf(addresses)
  }

  /** Reports what differs. Changes during a comparison trigger one more. */
  compare(client: ApiClient): Promise<void> {
    this.#isStale = true
    this.#comparing ??= this.#compareAll(client).finally(() => {
      this.#comparing = null
    })
    return this.#comparing
  }

  async #compareAll(client: ApiClient): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      const current = await documents(client)
      const addresses = listOf(current.keys())
      if (this.#listed !== null && this.#listed !== addresses) {
        await this.#toClient.listChanged()
        this.#listed = addresses
      }
      for (const uri of this.#reported.keys()) if (!current.has(uri)) this.#reported.delete(uri)
      for (const [uri, { text }] of current) {
        if (this.#reported.get(uri) === text) continue
        await this.#toClient.updated(uri)
        this.#reported.set(uri, text)
      }
    }
  }
}

function listOf(addresses: Iterable<string>): string {
  return [...addresses].join('\n')
}

/** Events that may change a document. */
const CHANGING: ReadonlySet<LiveEvent['type']> = new Set([
  'workspace-updated',
  'workspaces-changed',
  'permissions-changed',
])

const clock: FollowClock = {
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
}

function follow({ findHost }: ResourceHosts, reports: Reports, signal: AbortSignal): void {
  let host: ApiClient | null = null
  const running = (): ApiClient => {
    if (host === null) throw new RequestProblem('unavailable', 'No host is running.')
    return host
  }
  const connect: ApiClient['events'] = async (input, options) => {
    host = await findHost()
    return running().events(input, options)
  }
  followHost(
    { events: connect as ApiClient['events'] },
    {
      opened: () => reports.compare(running()),
      // If the host goes away, it is looked up again below; after any other failure, the next change compares again.
      take: ({ type }) => {
        if (CHANGING.has(type)) reports.compare(running()).catch(() => undefined)
      },
      pulse: (limit) => running().settings.get(undefined, { signal: limit }),
      lost: () => {},
    },
    { clock, signal },
  )
}
