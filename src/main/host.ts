import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { RequestProblem } from '../api/request-problem.ts'
import { createAgentDiscovery } from './agents/discovery.ts'
import { startHttpServer } from './api/http-server.ts'
import { openSettings } from './config/settings.ts'
import { createEventHub } from './host/event-hub.ts'
import { createNotificationGate } from './host/notification-gate.ts'
import { createPermissions } from './host/permissions.ts'
import { createService, defaultSampleTarget } from './host/service.ts'
import { createSettingsService } from './host/settings.ts'
import { createSetupService } from './host/setup.ts'
import { openWorkspaces } from './host/workspaces.ts'
import { claimDataFolder } from './ledger/data-folder.ts'
import { removeServerFile, writeServerFile } from './ledger/server-file.ts'
import type { Clock } from './ports/clock.ts'
import type { DesktopIntegration } from './ports/desktop-integration.ts'
import type { HostService } from './ports/host-service.ts'
import type { Log } from './ports/log.ts'
import type { Notifier } from './ports/notifier.ts'
import { findMeans } from './sandbox/find-means.ts'
import { createSandbox, takesMore } from './sandbox/sandbox.ts'
import { openTracer } from './telemetry/open-tracer.ts'

/** What a host is built from: the world's parts that differ between desktop, serve, the CLI and tests. */
export interface HostOptions {
  readonly dataDirectory: string
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  readonly notifier: Notifier
  /** Folder with the built page; `null` serves the API only. */
  readonly pageDirectory: string | null
  /** Folder with the embedded sample. */
  readonly sampleDirectory: string
  /** Loopback port; 0 takes any free one. Left out: the setting. */
  readonly port?: number
  /** The built script of `mcp/report-server.ts`, which agents report through. Left out: they report in words only. */
  readonly reportServer?: string
  /** False: heartbeats run only when asked for. */
  readonly scheduled: boolean
  /** Left out: dialogs, the file manager and start at login are answered with "not available here". */
  readonly desktop?: DesktopIntegration
}

/** The one owner of a data folder: supervises its workspaces and answers its clients. */
export interface Host {
  readonly service: HostService
  readonly server: { readonly url: string; readonly port: number; readonly token: string }
  /** Ends running attempts and records their end, answers requests under way, gives the data folder back. */
  stop(): Promise<void>
}

/**
 * Claims the data folder, opens its workspaces and serves loopback HTTP. Rejects with a `RequestProblem` of kind `conflict`
 * where another host owns the folder, and with a plain error (what, where, the remedy) where the folder cannot be used.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const claim = await claimDataFolder(options.dataDirectory)
  if (claim.kind === 'owned') {
    throw new RequestProblem(
      'conflict',
      `Another Pulseward${claim.pid === null ? '' : ` (process ${claim.pid})`} owns ${options.dataDirectory}. Use that one, or name another folder with --data-dir.`,
    )
  }
  const closers: (() => Promise<unknown>)[] = [claim.release]
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) {
      await close().catch((error: unknown) =>
        options.log.error('A part did not stop cleanly', { error: String(error) }),
      )
    }
  }
  try {
    return await openHost(options, closers, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function openHost(
  options: HostOptions,
  closers: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<Host> {
  const { dataDirectory, log, clock } = options
  const settings = await openSettings(dataDirectory, log)
  const withSlot = pLimit(settings.current.maxConcurrentCycles)
  const telemetry = await openTracer(process.env, { version: options.version, log })
  closers.push(telemetry.close)
  const hub = createEventHub(log)
  const gate = createNotificationGate({
    notifier: options.notifier,
    emit: hub.emit,
    clock,
    settings: () => settings.current.notifications,
  })
  closers.push(gate.stop)
  const permissions = createPermissions({
    clock,
    notifier: gate,
    emit: hub.emit,
    isAttended: () => hub.listenerCount() > 0,
  })
  warnWithoutSandbox(log)
  let openedFolders = (): readonly string[] => []
  const workspaces = await openWorkspaces({
    version: options.version,
    dataDirectory,
    clock,
    log,
    tracer: telemetry.tracer,
    notifier: gate,
    operator: permissions,
    reportServer: options.reportServer ?? null,
    sandbox: createSandbox({
      containing: findMeans,
      surroundings: {
        home: homedir(),
        environment: process.env,
        ownData: ownDataFolders(dataDirectory),
        installation: join(options.sampleDirectory, '../..'),
        workspaces: () => openedFolders(),
      },
    }),
    emit: hub.emit,
    withSlot,
    scheduled: options.scheduled,
  })
  openedFolders = () => workspaces.all().map(({ directory }) => directory)
  closers.push(workspaces.stop)
  const discovery = createAgentDiscovery({
    environment: process.env,
    homeDirectory: homedir(),
    clock,
  })
  closers.push(discovery.stop)
  const service = createService({
    version: options.version,
    dataDirectory,
    sampleDirectory: options.sampleDirectory,
    sampleTarget: defaultSampleTarget(dataDirectory),
    clock,
    workspaces,
    hub,
    permissions,
    discoverAgents: discovery.discover,
    setup: createSetupService({
      // Beside the sample, in the installation's resources.
      templatesDirectory: join(options.sampleDirectory, '../templates'),
      homeDirectory: homedir(),
      workspaces,
      clock,
      log,
    }),
    settings: createSettingsService({
      store: settings,
      desktop: options.desktop ?? null,
      folderOf: (id) => workspaces.get(id).directory,
      onChange: (document) => {
        gate.settingsChanged()
        withSlot.concurrency = document.settings.maxConcurrentCycles
        hub.emit({ type: 'settings-changed', ...document })
      },
    }),
  })
  const token = randomBytes(32).toString('base64url')
  const server = await startHttpServer({
    service,
    token,
    port: options.port ?? settings.current.port,
    staticDirectory: options.pageDirectory,
    log,
  })
  // Workspaces stop before the server: whoever waits for the end of a heartbeat is still answered.
  closers.splice(1, 0, server.stop)
  await writeServerFile(dataDirectory, { port: server.port, token, pid: process.pid })
  closers.push(() => removeServerFile(dataDirectory))
  return { service, server: { url: server.url, port: server.port, token }, stop }
}

/** What is Pulseward's alone, wherever this host keeps it. */
function ownDataFolders(dataDirectory: string): readonly string[] {
  const home = homedir()
  return [
    dataDirectory,
    ...['.pulseward', '.local/state/pulseward', '.config/pulseward', '.config/Pulseward'].map((path) =>
      join(home, path),
    ),
  ]
}

/** Once at each start: what is configured as "auto" is then no more than a program run as ever. */
function warnWithoutSandbox(log: Log): void {
  void findMeans().then(({ found, failed }) => {
    if (found === null)
      log.warn(`Agents are not contained on this machine. ${takesMore()}`, { tried: failed })
  })
}
