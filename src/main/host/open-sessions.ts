import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { gathered } from '../../api/gathered.ts'
import { openBaseCache } from '../change/base-cache.ts'
import { ownNode } from '../process/own-node.ts'
import { findMeans } from '../sandbox/find-means.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { type InstallationPlace, keepScript } from '../sessions/installation.ts'
import { createSessionDesk, type SessionWorkspace } from '../sessions/session-desk.ts'
import type { EventHub } from './event-hub.ts'
import type { Closers, HostOptions, OwnerOptions } from './host-options.ts'
import type { HostParts } from './host-parts.ts'
import { installationOf } from './open-host-updates.ts'
import { ownDataFolders } from './own-data-folders.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'
import type { Workspaces } from './workspaces.ts'

/** Approving a folder changes several things at the same time. */
const REFRESH_EVERY_MS = 250

/** Opens what judges sessions, and keeps the hooks' index of workspaces up to date. */
export function openSessions(
  options: OwnerOptions,
  {
    workspaces,
    hub,
    closers,
  }: { readonly workspaces: Workspaces; readonly hub: EventHub; readonly closers: Closers },
): Pick<HostParts, 'sessions' | 'hookPlace' | 'beginSessions'> {
  const { dataDirectory, version, clock, log, scheduled } = options
  const sandbox = createSandbox({
    containing: () => findMeans(),
    surroundings: {
      home: homedir(),
      environment: process.env,
      ownData: ownDataFolders(dataDirectory),
      installation: installationOf(options),
    },
    workspaces: async () => workspaces.all().map(({ directory }) => directory),
  })
  const hookPlace = hookPlaceOf(options)
  const desk = createSessionDesk({
    dataDirectory,
    workspaces: () => workspaces.all().map((runtime) => sessionWorkspace(runtime, workspaces)),
    contain: (top, { agent }) =>
      sandbox.of(top, { preset: null, passEnvironment: [], containment: agent.containment }),
    cache: openBaseCache(dataDirectory),
    installation: hookPlace,
    ...{ version, clock, log },
    watches: scheduled,
  })
  let isReady = false
  const refresh = async (): Promise<void> => {
    if (!isReady || workspaces.opening().length > 0) return
    await desk
      .refresh()
      .catch((error: unknown) => log.error('Could not update the hook index', { error: String(error) }))
  }
  const soon = gathered(REFRESH_EVERY_MS, () => void refresh())
  const unobserve = hub.observe(({ type }) => {
    if (type === 'workspaces-changed' || type === 'workspace-updated') soon.ask()
  })
  const whenAllOpen = async (): Promise<void> => {
    await workspaces.whenOpen(undefined)
    isReady = true
    await refresh()
    if (scheduled) await keepScript(hookPlace).catch(() => undefined)
  }
  closers.push(async () => {
    unobserve()
    soon.cancel()
    // A command that adds a workspace ends before its refresh was due.
    await refresh()
    await desk.stop()
    await sandbox.close()
  })
  return { sessions: desk, hookPlace, beginSessions: () => void whenAllOpen() }
}

/** Returns where this host finds programs' hooks. */
function hookPlaceOf({
  dataDirectory,
  clock,
  reportServer,
  sampleDirectory,
}: HostOptions): InstallationPlace {
  const home = homedir()
  const built = reportServer ?? join(sampleDirectory, '../../out/main/report-server.js')
  return {
    home,
    environment: process.env,
    dataDirectory,
    script: join(dirname(built), 'hook.js'),
    node: ownNode(),
    nowMs: () => clock.nowMs(),
  }
}

function sessionWorkspace(runtime: WorkspaceRuntime, workspaces: Workspaces): SessionWorkspace {
  const { id, directory, dataDirectory, ledger, contractCustody, contracts, loop } = runtime
  return {
    ...{ id, directory, dataDirectory, ledger },
    config: () => loop.config,
    contract: async () => {
      const file = await contractCustody.inForce()
      if (!file.ok) return null
      const probeNames = Object.keys(loop.config?.probes ?? {})
      return { text: file.text, contract: await contracts.parse(file.text, { probeNames }) }
    },
    changed: () => workspaces.changed(runtime),
  }
}
