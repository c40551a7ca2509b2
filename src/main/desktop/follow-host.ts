import type { ApiClient } from '../../api/client.ts'
import { followHost as followEvents } from '../../api/follow.ts'
import { gathered } from '../../api/gathered.ts'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Settings } from '../../api/schemas/settings.ts'
import type { PermissionRequest } from '../../core/read-model/permission.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** Events come in bursts, one for each line of the ledger; within this time, tray, badge and menu are drawn only once. */
const GATHER_MS = 60

/** What tray, badge and menu show about the host. */
export interface HostView {
  readonly workspaces: readonly Workspace[]
  /** Agents' open permission requests. */
  readonly permissions: readonly PermissionRequest[]
}

export const EMPTY_VIEW: HostView = { workspaces: [], permissions: [] }

export interface HostFollower {
  readonly onView: (view: HostView) => void
  readonly onSettings: (settings: Settings) => void
  readonly onNotification: (event: Extract<LiveEvent, { type: 'notification' }>) => void
  /** Called when the host does not answer; it is asked again. */
  readonly onLost: () => void
}

interface FollowHostOptions {
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  /** True if another process runs the host. It may hang without ending the stream, so it is asked regularly whether it still responds. */
  readonly isForeign: boolean
}

/** Tells `follower` what the host shows, now and after each change, until `signal` aborts. */
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
  // If the host is gone, its stream ends, which is handled there.
  const refetch = gathered(GATHER_MS, () => fetchView().catch(() => undefined))
  const redraw = gathered(GATHER_MS, () => {
    if (!signal.aborted) follower.onView(view)
  })
  const take = (event: LiveEvent) => {
    switch (event.type) {
      case 'workspace-updated':
        if (event.view === null) return refetch.ask()
        view = { ...view, workspaces: withView(view.workspaces, event.view) }
        // A list that is being fetched may be older than this view and would replace it for good, so fetch again.
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
