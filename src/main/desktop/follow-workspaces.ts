import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Workspace } from '../../api/schemas/workspace.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { DesktopClient } from './desktop-client.ts'

/** How long to wait until a lost stream of events is taken up again. */
const RECONNECT_MS = 2_000

/**
 * Calls `onWorkspaces` with the current workspaces at once and whenever one changes, until `signal` aborts. A lost connection
 * is taken up again; never rejects.
 */
export async function followWorkspaces(
  client: DesktopClient,
  onWorkspaces: (workspaces: Workspace[]) => void,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      const events = await client.events(undefined, { signal })
      onWorkspaces(await client.workspaces.list())
      for await (const event of events) {
        if (changesWorkspaces(event)) onWorkspaces(await client.workspaces.list())
      }
    } catch (error) {
      if (signal.aborted) return
      log.warn('The stream of live events broke off', { error: String(error) })
    }
    await clock.sleep(RECONNECT_MS, signal)
  }
}

function changesWorkspaces(event: LiveEvent): boolean {
  return (
    event.type === 'workspace-updated' ||
    event.type === 'workspaces-changed' ||
    event.type === 'score-updated'
  )
}
