import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Settings } from '../../api/schemas/settings.ts'
import type { PermissionRequest } from '../../core/read-model/permission.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { DesktopClient } from './desktop-client.ts'

/** How long to wait until a lost stream of events is taken up again. */
const RECONNECT_MS = 2_000
/** Events come in bursts, one for each line of the ledger: what they change is fetched once. */
const GATHER_MS = 60

/** What tray, badge and menu show of the host. */
export interface HostView {
  readonly workspaces: readonly Workspace[]
  /** Ids of the blocked tasks by workspace id. */
  readonly blocked: ReadonlyMap<string, readonly string[]>
  /** What agents request permission for. */
  readonly permissions: readonly PermissionRequest[]
}

export const EMPTY_VIEW: HostView = { workspaces: [], blocked: new Map(), permissions: [] }

export interface HostFollower {
  readonly onView: (view: HostView) => void
  readonly onSettings: (settings: Settings) => void
  readonly onNotification: (event: Extract<LiveEvent, { type: 'notification' }>) => void
  /** The host does not answer; it is asked again. */
  readonly onLost: () => void
}

/**
 * Tells `follower` what the host shows now and whenever that changes, until `signal` aborts. A lost connection is taken up
 * again; never rejects.
 */
export async function followHost(
  client: DesktopClient,
  follower: HostFollower,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const fetching = gathered(
      async () => {
        const view = await readView(client)
        if (!signal.aborted) follower.onView(view)
      },
      { clock, signal },
    )
    try {
      const events = await client.events(undefined, { signal })
      follower.onSettings((await client.settings.get()).settings)
      follower.onView(await readView(client))
      for await (const event of events) take(event, follower, fetching.ask)
    } catch (error) {
      if (signal.aborted) return
      log.warn('The stream of live events broke off', { error: String(error) })
    }
    if (signal.aborted) return
    follower.onLost()
    await clock.sleep(RECONNECT_MS, signal)
  }
}

function take(event: LiveEvent, follower: HostFollower, ask: () => void): void {
  switch (event.type) {
    case 'workspace-updated':
    case 'workspaces-changed':
    case 'score-updated':
    case 'permissions-changed':
      ask()
      break
    case 'settings-changed':
      follower.onSettings(event.settings)
      break
    case 'notification':
      follower.onNotification(event)
  }
}

async function readView(client: DesktopClient): Promise<HostView> {
  const [workspaces, permissions] = await Promise.all([client.workspaces.list(), client.permissions.list()])
  const blocked = await Promise.all(
    workspaces
      .filter(({ counts }) => counts.blocked > 0)
      .map(async ({ id }) => {
        const tasks = await client.tasks.blocked({ workspace: id, suggest: false })
        return [id, tasks.map(({ taskId }) => taskId)] as const
      }),
  )
  return { workspaces, blocked: new Map(blocked), permissions }
}

/** `work` some time after it is asked for, once for all who ask meanwhile; one that fails is asked for again by the next event. */
function gathered(
  work: () => Promise<void>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): { ask(): void } {
  let asked = false
  let busy = false
  const run = async (): Promise<void> => {
    busy = true
    while (asked && !signal.aborted) {
      await clock.sleep(GATHER_MS, signal)
      asked = false
      // A host that went away shows as the end of its stream.
      await work().catch(() => undefined)
    }
    busy = false
  }
  return {
    ask: () => {
      asked = true
      if (!busy) void run()
    },
  }
}
