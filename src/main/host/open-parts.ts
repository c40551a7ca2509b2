import { homedir } from 'node:os'
import { join } from 'node:path'
import { gathered } from '../../api/gathered.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import { CONFIRMATION } from '../../core/vocabulary/permission.ts'
import { createAgentDiscovery } from '../agents/discovery.ts'
import { openChannels } from '../channels/channels.ts'
import type { SettingsStore } from '../config/settings.ts'
import { openFleet } from '../fleet/open-fleet.ts'
import type { Channels } from '../ports/channels.ts'
import type { Fleet } from '../ports/fleet.ts'
import type { Notifier } from '../ports/notifier.ts'
import { NOT_SHARED } from '../ports/work-lease.ts'
import { openChangeDesk } from './change-desk.ts'
import { type DailyReports, sendDailyReports } from './daily-report.ts'
import { diagnostics } from './diagnostics.ts'
import { createEventHub, type EventHub } from './event-hub.ts'
import { watchEventLoop } from './event-loop-delay.ts'
import { fleetWorkspaces } from './fleet-workspaces.ts'
import type { Closers, OwnerOptions } from './host-options.ts'
import type { HostParts } from './host-parts.ts'
import { lookForUpdates } from './look-for-updates.ts'
import { createNotificationGate, type NotificationGate } from './notification-gate.ts'
import { installationOf, openHostUpdates } from './open-host-updates.ts'
import { openSessions } from './open-sessions.ts'
import { createPermissions } from './permissions.ts'
import { createAppSettings } from './settings.ts'
import { createSlots } from './slots.ts'
import { superviseWorkspaces } from './supervise-workspaces.ts'
import type { Workspaces } from './workspaces.ts'

/** Opens everything that the procedures work with. */
export async function openParts(
  options: OwnerOptions,
  settings: SettingsStore,
  closers: Closers,
): Promise<HostParts> {
  const { dataDirectory, sampleDirectory, log, clock, version } = options
  const hub = createEventHub(log)
  const loop = watchEventLoop(log)
  closers.push(async () => loop.stop())
  const slots = createSlots(settings.current.maxConcurrentCycles)
  /** Parts that are opened after the parts that use them. */
  const later: { workspaces?: Workspaces; fleet?: Fleet } = {}
  // Ends after the workspaces, because shared work is released only when nothing runs any more.
  closers.push(async () => later.fleet?.stop())
  const desk = await openDesk(options, { settings, hub, later, closers })
  const workspaces = await superviseWorkspaces(
    {
      ...options,
      gate: desk.notifier,
      permissions: desk.permissions,
      hub,
      slots,
      settings,
      listeners: {
        onHeartbeat: desk.channels.heartbeat,
        fleetNotices: (id) => later.fleet?.notices(id) ?? [],
        leaseOf: (id) => later.fleet?.leaseOf(id) ?? NOT_SHARED,
      },
    },
    closers,
  )
  later.workspaces = workspaces
  const reports = openReports(options, { settings, workspaces, desk, closers })
  const fleet = await joinFleet(options, { workspaces, hub, gate: desk.notifier, closers })
  later.fleet = fleet
  const discovery = createAgentDiscovery({ environment: process.env, homeDirectory: homedir(), clock })
  const updates = openHostUpdates(options, slots, () => hub.emit({ type: 'updates-changed' }))
  closers.push(discovery.stop, updates.stop)
  if (options.scheduled) {
    const wanted = () => settings.current.lookForUpdates
    closers.push(lookForUpdates({ updates, wanted, notifier: desk.notifier, clock, log }).stop)
  }
  return {
    version,
    startedAt: timestamp(clock.nowMs(), 'local'),
    dataDirectory,
    sampleDirectory,
    sampleTarget: join(dataDirectory, 'sample'),
    // Next to the sample, in the installation's resources.
    templatesDirectory: join(sampleDirectory, '../templates'),
    homeDirectory: homedir(),
    ...{ clock, log, hub },
    eventLoopDelay: loop.read,
    workspaces,
    ...desk,
    ...openSessions(options, { workspaces, hub, closers }),
    changes: openChangeDesk(options, { workspaces, hub, closers }),
    fleet,
    settings: createAppSettings(settings, (document) => {
      desk.notifier.settingsChanged()
      reports.settingsChanged()
      slots.resize(document.settings.maxConcurrentCycles)
      hub.emit({ type: 'settings-changed', ...document })
    }),
    updates,
    diagnose: () =>
      diagnostics({ version, command: installationOf(options), dataDirectory, home: homedir() }),
    desktop: options.desktop ?? null,
    discoverAgents: discovery.discover,
    ending: abortedAtEnd(closers),
  }
}

/** Returns a signal that aborts before everything else is stopped. */
function abortedAtEnd(closers: Closers): AbortSignal {
  const ending = new AbortController()
  closers.push(async () => ending.abort())
  return ending.signal
}

/** Opens everything that reaches the operator, wherever they are. */
async function openDesk(
  { dataDirectory, log, clock, notifier, scheduled }: OwnerOptions,
  {
    settings,
    hub,
    later,
    closers,
  }: {
    readonly settings: SettingsStore
    readonly hub: EventHub
    readonly later: { readonly workspaces?: Workspaces }
    readonly closers: Closers
  },
) {
  const runtimeOf = (id: string) => later.workspaces?.all().find((each) => each.id === id)
  const channels = await openChannels({
    isResident: scheduled,
    dataDirectory,
    clock,
    log,
    nameOf: (id) => runtimeOf(id)?.name ?? null,
    notifier: { notify: (lost) => gate.notify(lost) },
  })
  closers.push(channels.stop)
  const gate: NotificationGate = createNotificationGate({
    notifier,
    emit: hub.emit,
    clock,
    settings: () => settings.current.notifications,
    elsewhere: channels,
  })
  closers.push(gate.stop)
  const permissions = createPermissions({
    clock,
    notifier: gate,
    emit: (event) => {
      hub.emit(event)
      // An agent's question also changes what needs the operator.
      const runtime = 'workspace' in event ? runtimeOf(event.workspace) : undefined
      if (runtime !== undefined) later.workspaces?.changed(runtime)
    },
    isAttended: ({ tool, workspaceId }) =>
      hub.listenerCount() > 0 || (tool !== CONFIRMATION && channels.canAsk(workspaceId)),
  })
  closers.push(async () => permissions.stop())
  return { channels, notifier: gate, permissions }
}

/** Sends reports, except in a command that ends when it is done. */
function openReports(
  { scheduled, dataDirectory, clock, log }: OwnerOptions,
  {
    settings,
    workspaces,
    desk,
    closers,
  }: {
    readonly settings: SettingsStore
    readonly workspaces: Workspaces
    readonly desk: { readonly channels: Channels }
    readonly closers: Closers
  },
): Pick<DailyReports, 'settingsChanged'> {
  if (!scheduled) return { settingsChanged: () => {} }
  const reports = sendDailyReports({
    dataDirectory,
    clock,
    log,
    channels: desk.channels,
    at: () => settings.current.notifications.reportAt,
    workspaces: async () => {
      await workspaces.whenOpen(undefined)
      return workspaces.all()
    },
  })
  closers.push(reports.stop)
  return reports
}

/** A fleet reports many times a second, and each time every viewer fetches what is on screen. */
const FLEET_EVERY_MS = 1_000

async function joinFleet(
  { dataDirectory, version, clock, log, scheduled, hubDirectory }: OwnerOptions,
  {
    workspaces,
    hub,
    gate,
    closers,
  }: {
    readonly workspaces: Workspaces
    readonly hub: EventHub
    readonly gate: Notifier
    readonly closers: Closers
  },
): Promise<Fleet> {
  let isOpen = true
  const tellFleet = gathered(FLEET_EVERY_MS, () => hub.emit({ type: 'fleet-changed' }))
  const fleet = await openFleet({
    dataDirectory,
    version,
    clock,
    log,
    notifier: gate,
    isResident: scheduled,
    ...(hubDirectory !== undefined && { hubDirectory }),
    workspaces: () => fleetWorkspaces(workspaces),
    halted: (id) => workspaces.changed(workspaces.get(id)),
    timestamp: (ms) => timestamp(ms, 'local'),
    fleetChanged: () => {
      if (isOpen) tellFleet.ask()
    },
  })
  const unobserve = hub.observe((event) => {
    if ('workspace' in event) fleet.changed(event.workspace)
  })
  closers.push(async () => {
    unobserve()
    isOpen = false
    tellFleet.cancel()
  })
  return fleet
}
