import type { ApiClient } from '../api/client.ts'
import { createFileLog } from '../main/host/log.ts'
import { offerOwnNode } from '../main/host/offer-own-node.ts'
import { systemClock } from '../main/host/system-clock.ts'
import { createHost } from '../main/host.ts'

export interface OwnHostOptions {
  readonly dataDirectory: string
  /** Loopback port; 0 takes any free one, undefined uses the setting. */
  readonly port: number | undefined
  /** False: heartbeats run only when asked for. */
  readonly scheduled: boolean
  /** False: only the API is served, for the commands of other processes. */
  readonly withPage: boolean
  /** The folder of the hub for which this host is the center; omitted if it is none. */
  readonly hubDirectory?: string
  /** Called with what the desktop would show as a notification. */
  readonly onNotification: (title: string, body: string) => void
}

/** A host within this process. */
export interface OwnHost {
  readonly url: string
  readonly port: number
  readonly token: string
  /** Calls the host without a connection, with the authority of this process. */
  readonly client: ApiClient
  /** Returns the page's address, valid once and for one minute. */
  pageAddress(): string
  /** See `Host`. */
  finish(signal: AbortSignal, onWaiting: () => void): Promise<void>
  /** Later calls wait for the first. */
  stop(): Promise<void>
}

/** Starts a host for one command, or for `serve`. */
export async function startOwnHost(
  options: OwnHostOptions,
  installation: {
    readonly environment: Readonly<Record<string, string | undefined>>
    readonly version: string
    readonly sampleDirectory: string
    readonly reportServer?: string
    readonly pageDirectory: string
  },
): Promise<OwnHost> {
  offerOwnNode(process.env)
  const host = await createHost({
    dataDirectory: options.dataDirectory,
    version: installation.version,
    clock: systemClock,
    log: createFileLog(options.dataDirectory, installation.environment),
    notifier: { notify: ({ title, body }) => options.onNotification(title, body) },
    pageDirectory: options.withPage ? installation.pageDirectory : null,
    sampleDirectory: installation.sampleDirectory,
    ...(installation.reportServer !== undefined && { reportServer: installation.reportServer }),
    port: options.port,
    scheduled: options.scheduled,
    ...(options.hubDirectory !== undefined && { hubDirectory: options.hubDirectory }),
  })
  let stopping: Promise<void> | null = null
  return {
    ...host.server,
    client: host.commandClient,
    finish: host.finish,
    stop: () => {
      stopping ??= host.stop()
      return stopping
    },
  }
}
