import type { MessagePortMain } from 'electron'
import type { ApiClient } from '../../api/client.ts'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Settings } from '../../api/schemas/settings.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { followHost, type HostFollower } from './follow-host.ts'
import type { Windows } from './windows.ts'

/** The host to show: the app's own, or that of another process. */
export interface Connection {
  readonly log: Log
  readonly client: ApiClient
  /** The address at which another process's host serves its page; `null` for our own page. */
  readonly pageUrl: string | null
  /** Returns another address of that page, with a new one-time code; `null` if the host gives none now. */
  readonly renewPageUrl?: () => Promise<string | null>
  /** Serves the API to the page over a MessagePort; does nothing if the page uses HTTP. */
  readonly servePage: (port: MessagePortMain) => void
  readonly onNotification: (event: Extract<LiveEvent, { type: 'notification' }>) => void
  readonly onSettings: (settings: Settings) => void
  /**
   * For a host in another process that does not answer: starts our own host if that process is gone; `null` if it still owns the
   * data folder.
   */
  readonly takeOver?: () => Promise<Connection | null>
  /** Called once when the app quits, before it exits. */
  readonly onQuit: () => Promise<void>
}

interface ShownHostOptions {
  /** Our own page, shown until a host provides another. */
  readonly ownPageUrl: string
  readonly windows: () => Windows
  readonly connect: () => Promise<Connection>
  readonly follower: Pick<HostFollower, 'onView' | 'onSettings' | 'onLost'>
  readonly onFailure: (error: unknown) => void
  readonly clock: Clock
}

/** The host that the windows show, until it ends and another one replaces it. */
export class ShownHost {
  pageUrl: string
  #connection: Promise<Connection> = new Promise(() => {})
  readonly #ended = new AbortController()
  readonly #options: ShownHostOptions

  constructor(options: ShownHostOptions) {
    this.#options = options
    this.pageUrl = options.ownPageUrl
  }

  get connection(): Promise<Connection> {
    return this.#connection
  }

  /** Shows our own page, whose requests wait for the host. */
  showOwnPage(): void {
    const { ownPageUrl, windows } = this.#options
    windows().connect({ url: ownPageUrl, serve: (port) => this.#serveOwnPage(port) })
  }

  connect(): void {
    this.#connection = this.#options.connect()
    this.#connection.then(
      (host) => this.#attach(host),
      (error: unknown) => {
        // A start that was cut off because the app quits has not failed.
        if (!this.#ended.signal.aborted) this.#options.onFailure(error)
      },
    )
  }

  /** Resolves when the host has ended everything that ends with the app. */
  async quit(): Promise<void> {
    const { onQuit } = await this.#connection
    await onQuit()
  }

  /** Stops following the host. */
  leave(): void {
    this.#ended.abort()
  }

  #serveOwnPage(port: MessagePortMain): () => void {
    // The port queues the page's requests until a host answers.
    this.#connection.then(({ servePage }) => servePage(port)).catch(() => port.close())
    return () => port.close()
  }

  #attach(host: Connection): void {
    this.#showPageOf(host)
    const { follower, clock } = this.#options
    const attached = new AbortController()
    const takeOver = async (): Promise<void> => {
      const next = (await host.takeOver?.()) ?? null
      if (next === null || attached.signal.aborted) return
      attached.abort()
      this.#connection = Promise.resolve(next)
      this.#attach(next)
    }
    followHost(
      host.client,
      {
        ...follower,
        onSettings: (settings) => {
          follower.onSettings(settings)
          host.onSettings(settings)
        },
        onNotification: host.onNotification,
        onLost: () => {
          follower.onLost()
          if (!this.#ended.signal.aborted) takeOver().catch((error: unknown) => host.log.error(String(error)))
        },
      },
      {
        clock,
        log: host.log,
        signal: AbortSignal.any([this.#ended.signal, attached.signal]),
        isForeign: host.takeOver !== undefined,
      },
    )
  }

  #showPageOf(host: Connection): void {
    const { ownPageUrl, windows } = this.#options
    const url = host.pageUrl ?? ownPageUrl
    if (url === this.pageUrl) return
    this.pageUrl = url
    if (host.pageUrl === null) this.showOwnPage()
    else
      windows().connect({
        url,
        serve: () => () => {},
        ...(host.renewPageUrl && { renew: host.renewPageUrl }),
      })
    windows().reload()
  }
}
