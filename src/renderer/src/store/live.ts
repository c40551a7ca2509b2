import { followHost } from '../../../api/follow.ts'
import { gathered } from '../../../api/gathered.ts'
import type { LiveEvent } from '../../../api/schemas/live-event.ts'
import { notificationTab } from '../../../core/vocabulary/notification.ts'
import { toProblem } from '../api-client/problem.ts'
import { GLANCE_ADDRESS, OVERVIEW_ADDRESS, routeTo } from '../route/route.ts'
import type { AppStore } from './app-state.ts'
import { outputArrived, wholeArrived, workspaceArrived, workspacesFetched } from './reducers.ts'

/** Output chunks are shown in batches at roughly screen rate, because an agent may print thousands a second. */
const OUTPUT_EVERY_MS = 50
/** Workspaces are added and removed in bursts: wait a little, then fetch once. */
const REFRESH_AFTER_MS = 40
/** Things requested together are shown together, unless one of them takes noticeably long. */
const TOGETHER_MS = 100

/** Keeps the store up to date: follows the host, and fetches everything again whenever it reconnects. */
export function keepLive(store: AppStore): { retry(): void; stop(): void } {
  const abort = new AbortController()
  const events = eventsInto(store)
  const connection = followHost(
    store.getState().api,
    {
      opened: () => fetchAll(store),
      take: events.take,
      pulse: (signal) => store.getState().api.settings.get(undefined, { signal }),
      lost: (cause, retryInMs) =>
        store.setState({
          connection: { kind: 'lost', retryAtMs: Date.now() + retryInMs, problem: problemOf(cause) },
        }),
    },
    {
      clock: { monotonicMs: () => performance.now(), sleep },
      signal: abort.signal,
      stream: store.getState().stream,
    },
  )
  return {
    retry: connection.retry,
    stop() {
      abort.abort()
      events.stop()
    },
  }
}

function problemOf(cause: unknown) {
  return cause === null
    ? { code: 'UNREACHABLE', message: 'Pulseward ended the connection.' }
    : toProblem(cause)
}

/** Fetches everything. Does not use `refresh`, which ignores errors: a host that answers the stream but not this counts as lost. */
async function fetchAll(store: AppStore): Promise<void> {
  const before = store.getState()
  const { api, refreshWatched } = before
  // It may be a different host, whose numbers start over.
  store.setState({ lookNumbers: {} })
  const status = api.status()
  // What is or will be on screen must not wait for the rest.
  const watched = refreshWatched()
  const { version, readsOnly, isCentre, ...listed } = await status
  // Drawing the list separately would take longer than waiting for the content on screen.
  await Promise.race([watched, sleep(TOGETHER_MS)])
  store.setState((data) => ({
    connection: { kind: 'online' },
    version,
    readsOnly,
    isCentre,
    fleetChanges: data.fleetChanges + 1,
    changeUpdates: data.changeUpdates + 1,
    ...workspacesFetched(data, listed, before),
  }))
  void store.getState().refreshSettings()
  void store.getState().refreshPermissions()
}

/** Applies events to the store; batches output and refetches for a moment first. */
function eventsInto(store: AppStore): { take(event: LiveEvent): void; stop(): void } {
  let chunks: Extract<LiveEvent, { type: 'attempt-output' }>[] = []
  const showOutput = gathered(OUTPUT_EVERY_MS, () => {
    const arrived = chunks
    chunks = []
    store.setState((data) => outputArrived(data, arrived))
  })
  const refetch = gathered(REFRESH_AFTER_MS, () => store.getState().refresh())
  const take = (event: LiveEvent) => {
    switch (event.type) {
      case 'attempt-output':
        chunks.push(event)
        return showOutput.ask()
      case 'permissions-changed':
        return void store.getState().refreshPermissions()
      case 'notification':
        // The request itself is shown on the page, with its answers.
        if (event.about === 'permission' || isOnScreen(event, store.getState().watchedId)) return
        return store.getState().showToast({
          tone: 'notice',
          text: `${event.title}${/[.!?]$/u.test(event.title) ? ' ' : ': '}${event.body}`,
          undo: null,
          address: addressOf(event),
        })
      case 'settings-changed': {
        const { type: _type, ...settings } = event
        return store.getState().settingsArrived(settings)
      }
      case 'updates-changed':
        return store.setState(({ looksForUpdates }) => ({ looksForUpdates: looksForUpdates + 1 }))
      case 'fleet-changed':
        return store.setState(({ fleetChanges }) => ({ fleetChanges: fleetChanges + 1 }))
      case 'change-updated':
        return store.setState(({ changeUpdates }) => ({ changeUpdates: changeUpdates + 1 }))
      case 'workspaces-changed':
        return refetch.ask()
      case 'workspace-updated': {
        const { workspace, view, whole } = event
        // Either this page missed events, or the list being fetched may be outdated.
        const isListed = store.getState().workspaces.some(({ id }) => id === workspace)
        if ((view === null && whole === undefined) || !isListed) refetch.ask()
        if (whole !== undefined) return store.setState((data) => wholeArrived(data, whole))
        if (view !== null) return store.setState((data) => workspaceArrived(data, view))
        return
      }
    }
  }
  return {
    take,
    stop() {
      showOutput.cancel()
      refetch.cancel()
    },
  }
}

/** Whether the screen already shows what a message would be about. */
function isOnScreen(
  { about, workspace }: Extract<LiveEvent, { type: 'notification' }>,
  watchedId: string | null,
): boolean {
  if (about === 'trouble') return false
  const { hash } = window.location
  return workspace === watchedId || hash.startsWith(OVERVIEW_ADDRESS) || hash === GLANCE_ADDRESS
}

/** Returns the address of the screen for a notification's subject. */
function addressOf({ workspace, about, task }: Extract<LiveEvent, { type: 'notification' }>): string {
  const tab = notificationTab(about)
  return routeTo(workspace, tab, tab === 'blocked' ? task : null)
}

/** Resolves after `ms`, or at once when a signal aborts. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
