import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createRouterClient } from '@orpc/server'
import type { ApiClient, ApiPort } from '../api/client.ts'
import { RequestProblem } from '../api/request-problem.ts'
import { timestamp } from '../core/pacing/schedule.ts'
import { createAgentDiscovery } from './agents/discovery.ts'
import {
  type HttpServer,
  type HttpServerOptions,
  PortUnavailable,
  startHttpServer,
} from './api/http-server.ts'
import { servePort } from './api/message-port.ts'
import { createAuthority } from './authority/authority.ts'
import { openChannels } from './channels/channels.ts'
import { knownIds, listWorkspaces } from './config/registry.ts'
import { openSettings, type SettingsStore } from './config/settings.ts'
import { createAgentsAtWork } from './custody/agents-at-work.ts'
import { createAdmission, recordRefusedCommands } from './host/admission.ts'
import { backUpDaily } from './host/back-up-daily.ts'
import { checkRecordsDaily, verifyInThread } from './host/check-records.ts'
import { reportDay } from './host/daily-report.ts'
import { createEventHub, type EventHub } from './host/event-hub.ts'
import { watchEventLoop } from './host/event-loop-delay.ts'
import type { HostParts } from './host/host-parts.ts'
import { createNotificationGate } from './host/notification-gate.ts'
import { createPermissions, type PermissionDesk } from './host/permissions.ts'
import type { RuntimeOptions } from './host/runtime-options.ts'
import { createAppSettings } from './host/settings.ts'
import { createSlots, type Slots } from './host/slots.ts'
import { superviseAll, type Workspaces } from './host/workspaces.ts'
import { claimDataFolder, type DataFolderOwner } from './ledger/data-folder.ts'
import { keepPort, keptPort } from './ledger/kept-port.ts'
import { lostWorkspaces, sealsDirectory } from './ledger/seal.ts'
import { removeServerFile, writeServerFile } from './ledger/server-file.ts'
import { sessionSecret } from './ledger/session-secret.ts'
import type { Clock } from './ports/clock.ts'
import type { DesktopIntegration } from './ports/desktop-integration.ts'
import type { Log } from './ports/log.ts'
import type { Notifier } from './ports/notifier.ts'
import { endpointsOf } from './procedures/endpoints.ts'
import type { RequestContext } from './procedures/implementer.ts'
import { READING } from './procedures/reading.ts'
import { router } from './procedures/router.ts'
import { supervisedProcesses } from './process/process-origin.ts'
import { superviseFor, supervisorTag } from './process/supervisor-tag.ts'
import { findMeans } from './sandbox/find-means.ts'
import { createSandbox, takesMore } from './sandbox/sandbox.ts'
import { createParkingLot } from './supervisor/parking-lot.ts'
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
  /** Asks it within this process. */
  readonly client: ApiClient
  /** Serves its API to whoever holds the other end of `port`. */
  servePort(port: ApiPort): void
  readonly server: {
    readonly url: string
    readonly port: number
    readonly token: string
    readonly pageAddress: () => string
  }
  /** Ends running attempts and records their end, answers requests under way, gives the data folder back. */
  stop(): Promise<void>
}

/**
 * Claims the data folder, opens its workspaces and serves loopback HTTP. Rejects with a `RequestProblem` of kind `conflict`
 * where another host owns the folder, and with a plain error (what, where, the remedy) where the folder cannot be used.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const claim = await claimDataFolder(options.dataDirectory, (reason) => notifyOfLostFolder(options, reason))
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
    return await openHost(options, claim, closers, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

/** Somebody ended what holds the folder, and was faster than we: nothing is recorded from here on. */
function notifyOfLostFolder({ log, notifier }: HostOptions, reason: string): void {
  log.error('The data folder is no longer ours; nothing more is recorded', { reason })
  notifier.notify({
    key: 'data-folder-lost',
    about: 'trouble',
    workspaceId: '',
    title: 'Pulseward records nothing any more',
    body: `Another process has taken the data folder away: ${reason}. Find out which, end it, and start Pulseward again.`,
  })
}

type OwnerOptions = HostOptions & Pick<DataFolderOwner, 'lost'>

type Closers = (() => Promise<unknown>)[]

async function openHost(
  options: HostOptions,
  { lost }: DataFolderOwner,
  closers: Closers,
  stop: () => Promise<void>,
): Promise<Host> {
  const { dataDirectory, log } = options
  superviseFor(dataDirectory)
  // Nobody is let in to a data folder whose workspaces cannot be listed.
  await knownIds(dataDirectory)
  const settings = await openSettings(dataDirectory, log)
  const parts = await openParts({ ...options, lost }, settings, closers)
  const context: RequestContext = { host: parts }
  const audience = { workspaces: parts.workspaces.all, notifier: parts.notifier, log }
  const token = randomBytes(32).toString('base64url')
  const server = await startOnItsPort(options, settings.current.port, {
    served: {
      router,
      context: (arrival) => ({ ...context, ...arrival }),
      endpoints: endpointsOf(parts),
      reading: READING,
    },
    token,
    pageSecret: await sessionSecret(dataDirectory),
    staticDirectory: options.pageDirectory,
    admit: createAdmission({
      authority: createAuthority(dataDirectory),
      operator: parts.permissions,
      ...audience,
    }),
    log,
  })
  // Workspaces stop before the server: whoever waits for the end of a heartbeat is still answered.
  closers.splice(1, 0, server.stop)
  await writeServerFile(dataDirectory, { port: server.port, token, pid: process.pid })
  closers.push(() => removeServerFile(dataDirectory))
  parts.workspaces.begin()
  return {
    client: createRouterClient(router, { context }),
    servePort: (port) => servePort(port, router, context),
    server: { url: server.url, port: server.port, token, pageAddress: server.pageAddress },
    stop,
  }
}

/** On the port that is asked for; on the one it had last, where any is as good and that one is free. */
async function startOnItsPort<Context extends object>(
  { dataDirectory, port: asked, log }: HostOptions,
  setting: number,
  server: Omit<HttpServerOptions<Context>, 'port'>,
): Promise<HttpServer> {
  const wanted = asked ?? setting
  const kept = asked === undefined && wanted === 0 ? await keptPort(dataDirectory) : 0
  const started = await startHttpServer({ ...server, port: wanted || kept }).catch((error: unknown) => {
    if (kept === 0 || !(error instanceof PortUnavailable)) throw error
    log.warn('The port of before is taken; a page that is open has to be opened anew', { port: kept })
    return startHttpServer({ ...server, port: 0 })
  })
  // What one command starts for itself is nobody's address.
  if (asked !== 0) await keepPort(dataDirectory, started.port)
  return started
}

/** Opens everything that the procedures work with. */
async function openParts(
  options: OwnerOptions,
  settings: SettingsStore,
  closers: Closers,
): Promise<HostParts> {
  const { dataDirectory, sampleDirectory, log, clock, version } = options
  const hub = createEventHub(log)
  const loop = watchEventLoop(log)
  closers.push(async () => loop.stop())
  let names = (_id: string): string | null => null
  let onDayEnded = (_id: string): void => {}
  const channels = await openChannels({
    dataDirectory,
    clock,
    log,
    nameOf: (id) => names(id),
  })
  closers.push(channels.stop)
  const gate = createNotificationGate({
    notifier: options.notifier,
    emit: hub.emit,
    clock,
    settings: () => settings.current.notifications,
    elsewhere: channels,
  })
  closers.push(gate.stop)
  let changed = (_id: string): void => {}
  const permissions = createPermissions({
    clock,
    notifier: gate,
    emit: (event) => {
      hub.emit(event)
      // What an agent asks is one of the things that need the operator.
      if ('workspace' in event) changed(event.workspace)
    },
    isAttended: () => hub.listenerCount() > 0,
  })
  const slots = createSlots(settings.current.maxConcurrentCycles)
  const workspaces = await superviseWorkspaces(
    {
      ...options,
      gate,
      permissions,
      hub,
      slots,
      told: { onHeartbeat: channels.heartbeat, onDayEnded: (id) => onDayEnded(id) },
    },
    closers,
  )
  changed = (id) => workspaces.changed(workspaces.get(id))
  names = (id) => workspaces.all().find((each) => each.id === id)?.name ?? null
  onDayEnded = (id) => {
    // A day that ended while nothing ran ends while its workspace is being opened.
    void workspaces.whenOpen(id).then(() => {
      const runtime = workspaces.all().find((each) => each.id === id)
      if (runtime !== undefined) reportDay(runtime, gate)
    })
  }
  const discovery = createAgentDiscovery({ environment: process.env, homeDirectory: homedir(), clock })
  closers.push(discovery.stop)
  return {
    version,
    startedAt: timestamp(clock.nowMs(), 'local'),
    dataDirectory,
    sampleDirectory,
    sampleTarget: join(dataDirectory, 'sample'),
    // Beside the sample, in the installation's resources.
    templatesDirectory: join(sampleDirectory, '../templates'),
    homeDirectory: homedir(),
    clock,
    log,
    hub,
    eventLoopDelay: loop.read,
    workspaces,
    permissions,
    notifier: gate,
    channels,
    settings: createAppSettings(settings, (document) => {
      gate.settingsChanged()
      slots.resize(document.settings.maxConcurrentCycles)
      hub.emit({ type: 'settings-changed', ...document })
    }),
    desktop: options.desktop ?? null,
    discoverAgents: discovery.discover,
  }
}

/** After this heartbeats begin, though workspaces are still being opened. */
const OPENING_MS = 10_000

/** The workspaces with all that they share; none is open yet. */
async function superviseWorkspaces(
  options: OwnerOptions & {
    readonly gate: Notifier
    readonly permissions: PermissionDesk
    readonly hub: EventHub
    readonly slots: Slots
    readonly told: Pick<RuntimeOptions, 'onHeartbeat' | 'onDayEnded'>
  },
  closers: Closers,
): Promise<Workspaces> {
  const { version, dataDirectory, clock, log, scheduled, lost, hub, slots } = options
  const telemetry = await openTracer(process.env, { version, log })
  closers.push(telemetry.close)
  // Where it was told already, or cannot be written down, there is nothing more to say.
  void notifyWithoutSandbox(options).catch(() => undefined)
  const sandbox = createSandbox({
    containing: findMeans,
    surroundings: {
      home: homedir(),
      environment: process.env,
      ownData: ownDataFolders(dataDirectory),
      installation: join(options.sampleDirectory, '../..'),
    },
    workspaces: async () => [
      ...workspaces.all().map(({ directory }) => directory),
      ...[...workspaces.opening(), ...workspaces.unopened()].flatMap(({ path }) => path || []),
    ],
    onRefusedHost: (workspace, host) =>
      log.info('An agent asked for a host that it may not reach', { workspace, host }),
  })
  closers.push(sandbox.close)
  const workspaces: Workspaces = superviseAll({
    version,
    dataDirectory,
    clock,
    log,
    tracer: telemetry.tracer,
    notifier: options.gate,
    operator: options.permissions,
    agentsAtWork: createAgentsAtWork(),
    leftBehind: async () => {
      const alive = supervisedProcesses(supervisorTag(dataDirectory))
      return alive.length === 0 ? null : 'a process of an earlier attempt was alive'
    },
    reportServer: options.reportServer ?? null,
    sandbox,
    emit: hub.emit,
    parking: createParkingLot(clock, (ids) => {
      for (const id of ids) hub.emit({ type: 'workspace-updated', workspace: id, view: null })
    }),
    ...options.told,
    withSlot: slots.run,
    onAllOpen: async () => {
      slots.open()
      await notifyOfLostWorkspaces(options, workspaces)
      await recordRefusedCommands(dataDirectory, {
        workspaces: workspaces.all,
        notifier: options.gate,
        log,
      })
    },
    scheduled,
    lost,
  })
  // One that takes for ever to open does not keep the others from running.
  const patience = setTimeout(slots.open, OPENING_MS)
  closers.push(async () => clearTimeout(patience))
  closers.push(workspaces.stop)
  // The built script stands beside the other one; where nothing is built, only doctor reads a record whole.
  if (scheduled && options.reportServer !== undefined) {
    closers.push(backUpDaily({ dataDirectory, version, clock, log }).stop)
    const verify = verifyInThread(join(dirname(options.reportServer), 'verify-record.js'))
    closers.push(checkRecordsDaily({ workspaces: workspaces.all, verify, clock, log }).stop)
  }
  return workspaces
}

/** A workspace whose folder of data is gone and that nobody has removed. */
async function notifyOfLostWorkspaces(
  { dataDirectory, log }: OwnerOptions,
  workspaces: Workspaces,
): Promise<void> {
  const known = [...workspaces.all(), ...workspaces.unopened()].map(({ id }) => id)
  const registered = (await listWorkspaces(dataDirectory, log)).map(({ id }) => id)
  for (const { id, events } of await lostWorkspaces(dataDirectory, [...known, ...registered])) {
    workspaces.tellUnopened({
      id,
      name: id,
      path: '',
      reason: `Its record is gone: it had ${events} events, and nobody removed it. Put its folder in the data folder back from a backup, or let it go with \`pulseward doctor --accept ${id}\`.`,
    })
  }
}

/** What is Pulseward's alone, wherever this host keeps it. */
function ownDataFolders(dataDirectory: string): readonly string[] {
  const home = homedir()
  return [
    dataDirectory,
    dirname(sealsDirectory()),
    ...['.pulseward', '.local/state/pulseward', '.config/pulseward', '.config/Pulseward'].map((path) =>
      join(home, path),
    ),
  ]
}

/** What is configured as "auto" is then no more than a program run as ever: in the log at each start, to the operator once. */
async function notifyWithoutSandbox({ dataDirectory, log, notifier }: HostOptions): Promise<void> {
  const { found, failed } = await findMeans()
  const mark = join(dataDirectory, 'told-without-sandbox')
  if (found !== null) return rm(mark, { force: true })
  log.warn(`Agents are not contained on this machine. ${takesMore()}`, { tried: failed })
  await writeFile(mark, '', { flag: 'wx', mode: 0o600 })
  notifier.notify({
    key: 'without-sandbox',
    about: 'trouble',
    workspaceId: '',
    title: 'Agents are not contained on this machine',
    body: `They and their checks run with all your rights. ${takesMore()} \`pulseward doctor\` says what was tried.`,
  })
}
