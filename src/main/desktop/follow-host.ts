import type { ApiClient } from '../../api/client.ts'
import { followHost as followEvents } from '../../api/follow.ts'
import { gathered } from '../../api/gathered.ts'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Settings } from '../../api/schemas/settings.ts'
import type { PermissionRequest } from '../../core/read-model/permission.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** Events come in bursts, one for each line of the ledger: tray, badge and menu are drawn once. */
const GATHER_MS = 60

/** What tray, badge and menu show of the host. */
export interface HostView {
  readonly workspaces: readonly Workspace[]
  /** What agents request permission for. */
  readonly permissions: readonly PermissionRequest[]
}

export const EMPTY_VIEW: HostView = { workspaces: [], permissions: [] }

export interface HostFollower {
  readonly onView: (view: HostView) => void
  readonly onSettings: (settings: Settings) => void
  readonly onNotification: (event: Extract<LiveEvent, { type: 'notification' }>) => void
  /** The host does not answer; it is asked again. */
  readonly onLost: () => void
}

interface FollowHostOptions {
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  /** Another process runs the host, and may hang without ending the stream: it is asked for a sign of life. */
  readonly isForeign: boolean
}

/** Tells `follower` what the host shows now and whenever that changes, until `signal` aborts. */
export function followHost(
  client: ApiClient,
  follower: HostFollower,
  { clock, log, signal, isForeign }: FollowHostOptions,
): void {
  let view = EMPTY_VIEW
  let fetching = 0
  const fetchView = async (): Promise<void> => {
    fetching += 1
    try {
      const [workspaces, permissions] = await Promise.all([
        client.workspaces.list(),
        client.permissions.list(),
      ])
      view = { workspaces, permissions }
    } finally {
      fetching -= 1
    }
    if (!signal.aborted) follower.onView(view)
  }
  // A host that went away shows as the end of its stream.
  const refetch = gathered(GATHER_MS, () => fetchView().catch(() => undefined))
  const redraw = gathered(GATHER_MS, () => {
    if (!signal.aborted) follower.onView(view)
  })
  const take = (event: LiveEvent) => {
    switch (event.type) {
      case 'workspace-updated':
        if (event.view === null) return refetch.ask()
        view = { ...view, workspaces: withView(view.workspaces, event.view) }
        // An answer that is on its way may be older than this, and would take its place for good.
        if (fetching > 0) refetch.ask()
        return redraw.ask()
      case 'workspaces-changed':
      case 'permissions-changed':
        return refetch.ask()
      case 'settings-changed':
        return follower.onSettings(event.settings)
      case 'notification':
        return follower.onNotification(event)
    }
  }
  signal.addEventListener('abort', () => {
    refetch.cancel()
    redraw.cancel()
  })
  followEvents(
    client,
    {
      opened: async () => {
        follower.onSettings((await client.settings.get()).settings)
        await fetchView()
      },
      take,
      ...(isForeign && { pulse: (until) => client.settings.get(undefined, { signal: until }) }),
      lost: (cause) => {
        if (cause !== null) log.warn('The stream of live events broke off', { error: String(cause) })
        follower.onLost()
      },
    },
    { clock, signal },
  )
}

function withView(workspaces: readonly Workspace[], view: Workspace): Workspace[] {
  return workspaces.map((workspace) => (workspace.id === view.id ? view : workspace))
}
