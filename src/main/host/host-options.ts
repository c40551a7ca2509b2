import type { DataFolderOwner } from '../ledger/data-folder.ts'
import type { Clock } from '../ports/clock.ts'
import type { DesktopIntegration } from '../ports/desktop-integration.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'

/** What a host is built from: the parts that differ between desktop, serve, the CLI and tests. */
export interface HostOptions {
  readonly dataDirectory: string
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  readonly notifier: Notifier
  /** Folder with the built page; `null` serves the API only. */
  readonly pageDirectory: string | null
  /** Folder of the embedded sample. */
  readonly sampleDirectory: string
  /** Loopback port; 0 takes any free one. Omitted: the setting. */
  readonly port?: number
  /** The built script of `mcp/report-server.ts`, which agents report through. Omitted: they report in words only. */
  readonly reportServer?: string
  /** The script of `worker.ts`, which does slow work. Omitted: the built one, if heartbeats are scheduled and `reportServer` is set. */
  readonly worker?: string
  /** False: heartbeats run only when asked for. */
  readonly scheduled: boolean
  /** Returns whether to run a check although its result is known, to compare the two. Omitted: one in twenty, at random. */
  readonly drawn?: () => boolean
  /** The folder of the fleet's hub, if this host is its center. */
  readonly hubDirectory?: string
  /** Omitted: dialogs, the file manager and start at login are answered with "not available here". */
  readonly desktop?: DesktopIntegration
}

/** Options of a host that owns its folder. */
export type OwnerOptions = HostOptions & Pick<DataFolderOwner, 'lost'>

/** What is stopped at the end, last one first. */
export type Closers = (() => Promise<unknown>)[]
