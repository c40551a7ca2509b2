import { availableParallelism, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Settings } from '../../api/schemas/settings.ts'
import type { DayLimits } from '../../core/record/budget.ts'
import type { SettingsStore } from '../config/settings.ts'
import { type AgentsAtWork, createAgentsAtWork } from '../custody/agents-at-work.ts'
import type { Notifier } from '../ports/notifier.ts'
import { supervisedWriters } from '../process/process-origin.ts'
import { supervisorTag } from '../process/supervisor-tag.ts'
import { createThreads, type Threads } from '../process/threads.ts'
import { within } from '../process/within.ts'
import { type Containing, findMeans } from '../sandbox/find-means.ts'
import { keptTrial } from '../sandbox/kept-trial.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { createParkingLot } from '../supervisor/loop/parking-lot.ts'
import { createSpending } from '../supervisor/run/spending.ts'
import { openTracer } from '../telemetry/open-tracer.ts'
import { recordRefusedCommands } from './admission.ts'
import { backUpDaily } from './back-up-daily.ts'
import { checkRecordsDaily, verifyInThread } from './check-records.ts'
import type { EventHub } from './event-hub.ts'
import type { Closers, HostOptions, OwnerOptions } from './host-options.ts'
import { notifyDowntime } from './notify-downtime.ts'
import {
  notifyOfLostWorkspaces,
  notifyOfSetAside,
  notifyWithoutSandbox,
  notifyWithoutSeals,
} from './notify-troubles.ts'
import { installationOf } from './open-host-updates.ts'
import { ownDataFolders } from './own-data-folders.ts'
import type { PermissionDesk } from './permissions.ts'
import type { RuntimeOptions } from './runtime-options.ts'
import type { Slots } from './slots.ts'
import { systemPower } from './system-power.ts'
import { superviseAll, type Workspaces } from './workspaces.ts'

/** After this long heartbeats start even if workspaces are still being opened. */
const OPENING_MS = 10_000

export interface SharedParts extends OwnerOptions {
  readonly gate: Notifier
  readonly permissions: PermissionDesk
  readonly hub: EventHub
  readonly slots: Slots
  readonly settings: SettingsStore
  readonly listeners: Pick<RuntimeOptions, 'onHeartbeat' | 'fleetNotices' | 'leaseOf'>
}

/** Creates the workspaces with everything that they share; none is open yet. */
export async function superviseWorkspaces(options: SharedParts, closers: Closers): Promise<Workspaces> {
  const { version, dataDirectory, clock, log, scheduled, lost, hub, slots } = options
  const telemetry = await openTracer(process.env, { version, log })
  closers.push(telemetry.close)
  const trial = keptTrial(dataDirectory, () => clock.nowMs())
  closers.push(async () => trial.close())
  const containing = () => findMeans(trial, join(dataDirectory, 'homes'))
  // It rejects if it was notified already, or cannot be written down; either way there is nothing to do.
  void notifyWithoutSandbox(options, containing).catch(() => undefined)
  void notifyWithoutSeals(options).catch(() => undefined)
  const sandbox = openSandbox(options, containing, () => workspaces)
  closers.push(sandbox.close)
  const threads = startThreads(options)
  if (threads !== null) closers.push(threads.stop)
  const ended = new AbortController()
  let looking: Promise<void> = Promise.resolve()
  closers.push(async () => {
    ended.abort()
    await looking
  })
  const workspaces: Workspaces = superviseAll({
    version,
    dataDirectory,
    clock,
    log,
    tracer: telemetry.tracer,
    notifier: options.gate,
    operator: options.permissions,
    agentsAtWork: openAgentsAtWork(options, closers),
    leftBehind: async (files) => {
      const alive = supervisedWriters(supervisorTag(dataDirectory), files)
      return alive.length === 0 ? null : 'a process of an earlier attempt was alive'
    },
    reportServer: options.reportServer ?? null,
    sandbox,
    ...(threads && { threads }),
    emit: hub.emit,
    parking: createParkingLot(clock, (ids) => {
      for (const runtime of workspaces.all()) if (ids.includes(runtime.id)) workspaces.changed(runtime)
    }),
    power: options.desktop === undefined ? systemPower() : { onBattery: options.desktop.onBattery },
    spending: createSpending({
      states: () => workspaces.all().map(({ id, ledger }) => [id, ledger.state] as const),
      limits: () => dayLimitsOf(options.settings.current),
      prices: () => options.settings.current.limits.prices,
    }),
    ...options.listeners,
    withSlot: slots.run,
    onAllOpen: async () => {
      await beginWork(options, workspaces)
      looking = lookForLost(options, workspaces, ended.signal)
      if (!scheduled) await looking
    },
    scheduled,
    ...(options.drawn && { drawn: options.drawn }),
    lost,
  })
  // A workspace that takes forever to open must not keep the others from running.
  const patience = setTimeout(slots.open, OPENING_MS)
  closers.push(async () => clearTimeout(patience))
  closers.push(() => workspaces.stop())
  closers.push(...keepDaily(options, workspaces))
  return workspaces
}

/** Once all are open, reports what happened while nothing ran, then starts the heartbeats. */
async function beginWork(options: SharedParts, workspaces: Workspaces): Promise<void> {
  const { dataDirectory, clock, log, scheduled, slots, gate } = options
  if (scheduled) notifyDowntime(workspaces.all(), clock.nowMs(), gate)
  slots.open()
  await recordRefusedCommands(dataDirectory, { workspaces: () => workspaces.all(), notifier: gate, log })
}

/**
 * Looking for lost workspaces means reading the seals of all data folders. A permanent host does so after it has answered its first
 * clients; one that ends with its command has no later time for it.
 */
const LOOK_FOR_LOST_MS = 2_000

/** Never rejects. */
async function lookForLost(options: SharedParts, workspaces: Workspaces, ended: AbortSignal): Promise<void> {
  const { clock, log, scheduled } = options
  const opened = workspaces.all().map(({ id }) => id)
  if (scheduled) await clock.sleep(LOOK_FOR_LOST_MS, ended)
  if (ended.aborted) return
  await notifyOfLostWorkspaces(options, workspaces, opened).catch((error: unknown) =>
    log.error('Could not check for lost workspaces', { error: String(error) }),
  )
}

function openSandbox(
  options: SharedParts,
  containing: () => Promise<Containing>,
  workspaces: () => Workspaces,
) {
  const { dataDirectory, log, gate } = options
  return createSandbox({
    containing,
    surroundings: {
      home: homedir(),
      environment: process.env,
      ownData: ownDataFolders(dataDirectory),
      homes: join(dataDirectory, 'homes'),
      installation: installationOf(options),
    },
    workspaces: async () => [
      ...workspaces()
        .all()
        .map(({ directory }) => directory),
      ...[...workspaces().opening(), ...workspaces().unopened()].flatMap(({ path }) => path || []),
    ],
    onRefusedHost: (workspace, host) =>
      log.info('An agent asked for a host that it may not reach', { workspace, host }),
    onSetAside: (workspace, path) => notifyOfSetAside(gate, log, workspace, path),
    onReadOnly: (workspace, problem) =>
      log.warn('Something of a repository is read-only for its agent, which may not be able to commit', {
        workspace,
        problem,
      }),
  })
}

/**
 * Starts the daily backups and record checks. The built script is next to the other one; if nothing is built, only doctor reads whole
 * records.
 */
function keepDaily(
  { dataDirectory, version, clock, log, scheduled, reportServer }: SharedParts,
  workspaces: Workspaces,
): Closers {
  if (!scheduled || reportServer === undefined) return []
  const verify = verifyInThread(join(dirname(reportServer), 'verify-record.js'))
  return [
    backUpDaily({ dataDirectory, version, clock, log }).stop,
    checkRecordsDaily({ workspaces: () => workspaces.all(), verify, clock, log }).stop,
  ]
}

function dayLimitsOf({ limits }: Settings): DayLimits {
  const { dailyBudgetUsd: usd, dailyTokens: tokens, atDailyLimit: atLimit } = limits
  return { usd, tokens, atLimit }
}

/** More would only wait for the same disk. */
const MAX_THREADS = 4

/** A thread that waits for a file system ends only once that answers. */
const ENDING_MS = 1000

/** Reads files of all workspaces in a separate thread: if the file system of one does not answer, only that workspace waits. */
function openAgentsAtWork(options: SharedParts, closers: Closers): AgentsAtWork {
  const threads = startThreads(options, 1)
  if (threads !== null) closers.push(() => within(ENDING_MS, threads.stop()))
  return createAgentsAtWork(join(options.dataDirectory, 'agents-at-work.json'), threads ?? undefined)
}

/** Returns null if no other work would wait: for a command that runs one heartbeat, or if nothing is built. */
function startThreads(
  { worker, reportServer, scheduled, dataDirectory, log }: HostOptions,
  most = MAX_THREADS,
): Threads | null {
  const built = scheduled && reportServer !== undefined ? join(dirname(reportServer), 'worker.js') : undefined
  const script = worker ?? built
  if (script === undefined) return null
  const size = Math.max(1, Math.min(most, availableParallelism() - 1))
  return createThreads({ script, size, workerData: { dataDirectory }, log })
}
